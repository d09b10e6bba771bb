import type { AgentEvent } from '../../../../src/model/agent-event.ts';
import type { Event, SessionEvent } from '../../../../src/model/event.ts';
import { foldEvent } from '../../../../src/faces/tui/progress/fold.ts';
import { type Progress, noProgress } from '../../../../src/faces/tui/progress/progress.ts';

/** When everything in a story happens. */
export const start = Date.parse('2026-11-21T08:00:00.000Z');

/** An event as a view gets it, so many seconds after the start. */
export function at(seconds: number, event: SessionEvent): Event {
  return { ...event, seq: 1, at: new Date(start + seconds * 1000).toISOString(), replayed: false };
}

export function foldAll(events: readonly Event[], from: Progress = noProgress): Progress {
  return events.reduce(foldEvent, from);
}

const model = (agent: string) => ({ kind: 'model', model: `${agent}-1` }) as const;

function run(agent: string, { seat = agent, round = 1, attempt = '' } = {}) {
  const question = round === 1 ? 'propose' : 'examine';
  return { agent, seat, step: `round-${round}/${question}/${agent}${attempt}` };
}

type Where = Parameters<typeof run>[1];

export function started(agent: string, where?: Where): SessionEvent {
  return { type: 'agent.started', ...run(agent, where), ...model(agent) };
}

export function acted(agent: string, event: AgentEvent, where?: Where): SessionEvent {
  return { type: 'agent.acted', ...run(agent, where), event };
}

export function answered(agent: string, where?: Where): SessionEvent {
  return {
    type: 'agent.answered',
    ...run(agent, where),
    ...model(agent),
    duration_ms: 42_000,
    tokens: { input: 12_000, output: 900, cached: 0 },
    cost_usd: 0.25,
    summary: 'Branch in listTodos; A formatter module',
  };
}

export function failed(agent: string, where?: Where): SessionEvent {
  return {
    type: 'agent.failed',
    ...run(agent, where),
    ...model(agent),
    duration_ms: 3_100,
    tokens: null,
    cost_usd: null,
    category: 'rate-limited',
    reason: 'HTTP 429 Too Many Requests',
  };
}

export function retried(agent: string, delayMs: number, where?: Where): SessionEvent {
  const reason = 'HTTP 429 Too Many Requests';
  const { step, ...who } = run(agent, where);
  return { type: 'agent.retried', ...who, step: `${step}-wait`, reason, delay_ms: delayMs };
}

export function roundStarted(round: number, seats: string[]): SessionEvent {
  return { type: 'round.started', round, max_rounds: 3, mode: 'parallel', seats };
}

export function roundFinished(
  round: number,
  part: Partial<Extract<SessionEvent, { type: 'round.finished' }>> = {},
): SessionEvent {
  return {
    type: 'round.finished',
    reasons: [],
    round,
    score: 0.5,
    recommendation: 'continue',
    solutions: 2,
    agreements: 1,
    disagreements: 1,
    failed_references: 1,
    agreed: ['The flag is read in listTodos'],
    disagreed: ['Where the formatter lives'],
    names: ['Branch in listTodos', 'A formatter module'],
    new_solutions: [],
    revised_solutions: [],
    dropped_solutions: [],
    synthesis: `rounds/${round}/synthesis.json`,
    ...part,
  };
}

/** A first round that ended, and a second one in which everything happens that can. */
export const story: readonly Event[] = [
  at(0, {
    type: 'session.started',
    session: 'MCP-json',
    folder: '.workflow/MCP-json',
    task: 'Add a --json flag to listTodos',
    version: '1',
  }),
  at(0, { type: 'phase.entered', phase: 'context', round: null }),
  at(1, {
    type: 'context.gathered',
    provider: 'ripgrep',
    degraded: false,
    files: ['src/commands/list.js:1-20', 'src/store.js:1-9'],
    reason: null,
  }),
  at(1, { type: 'phase.entered', phase: 'discussion', round: 1 }),
  at(1, roundStarted(1, ['alpha', 'beta', 'gamma'])),
  ...['alpha', 'beta', 'gamma'].flatMap((agent) => [
    at(1, started(agent)),
    at(43, answered(agent)),
  ]),
  at(44, roundFinished(1)),
  at(44, roundStarted(2, ['alpha', 'beta', 'gamma'])),
  at(45, started('alpha', { round: 2 })),
  at(45, started('beta', { round: 2 })),
  at(45, started('gamma', { round: 2 })),
  at(
    46,
    acted('alpha', { type: 'thinking', content: 'The others parse by hand, too.' }, { round: 2 }),
  ),
  at(46, acted('alpha', { type: 'file_read', path: 'src/commands/list.js' }, { round: 2 })),
  at(
    47,
    acted('alpha', { type: 'message', content: 'I would read the ', partial: true }, { round: 2 }),
  ),
  at(
    47,
    acted('alpha', { type: 'message', content: 'flag\nin list', partial: true }, { round: 2 }),
  ),
  at(48, acted('beta', { type: 'command', command: 'npm test', exitCode: null }, { round: 2 })),
  at(
    48,
    acted(
      'beta',
      { type: 'usage', inputTokens: 2_000, outputTokens: 50, cachedTokens: 0, costUsd: 0.02 },
      { round: 2 },
    ),
  ),
  at(49, failed('gamma', { round: 2 })),
  at(49, retried('gamma', 12_000, { round: 2 })),
];
