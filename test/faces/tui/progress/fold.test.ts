import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyBill } from '../../../../src/model/bill.ts';
import {
  amountTexts,
  spendingOf,
  type Pane,
  type Progress,
} from '../../../../src/faces/tui/progress/progress.ts';
import { plainText } from '../../../../src/faces/tui/screen-rows.ts';
import { lastRows } from '../../../../src/faces/tui/screens/run/run-rows.ts';
import { tailLimits } from '../../../../src/faces/tui/progress/tail.ts';
import type { AgentEvent } from '../../../../src/model/agent-event.ts';
import { usageOf } from '../../../../src/model/make-events.ts';
import type { Event } from '../../../../src/model/event.ts';
import { executionStory } from './execution-story.ts';
import {
  acted,
  answered,
  at,
  failed,
  foldAll,
  retried,
  roundFinished,
  roundStarted,
  started,
  story,
} from './story.ts';

const paneOf = ({ panes }: Progress, key: string): Pane => {
  const found = panes.find((pane) => pane.key === key);
  if (found === undefined) throw new Error(`no pane ${key}`);
  return found;
};
const tailOf = (progress: Progress, key: string) => {
  const { lines, open } = paneOf(progress, key).tail;
  return [...lines.map(({ text }) => text), open];
};

/** The last lines of an agent that did this. */
function linesAfter(...acts: readonly AgentEvent[]): readonly string[] {
  return tailOf(foldAll(acts.map((event) => at(0, acted('alpha', event)))), 'round-1/alpha');
}

describe('one agent', () => {
  test('pieces of a message are joined into lines, and its repetition is left out', () => {
    const pieces = ['one ', 'two\nth', 'ree'].map((text) => ({ content: text, partial: true }));
    const whole = { content: 'one two\nthree', partial: false };
    const messages = [...pieces, whole].map((part) => ({ type: 'message' as const, ...part }));
    expect(linesAfter(...messages)).toEqual(['one two', 'three', '']);
  });

  test('a command is told once, with its output and the exit code that it failed with', () => {
    const run = { type: 'command', command: 'npm test' } as const;
    const end = ['not ok 1', 'ended with exit code 1', ''];
    const failure = { exitCode: 1, output: 'not ok 1\n' };
    expect(linesAfter({ ...run, exitCode: null }, { ...run, ...failure })).toEqual([
      '$ npm test',
      ...end,
    ]);
    const call = { type: 'tool_call', name: 'Bash', detail: 'npm test', input: null } as const;
    expect(linesAfter(call, { ...run, ...failure })).toEqual(['› Bash npm test', ...end]);
  });

  test('a small pane has the end of a long diff, and a large one has all of it', () => {
    const same = Array.from({ length: 8 }, (_, n) => ` same ${n}`);
    const diff = ['@@ -1,17 +1,17 @@', ...same, '-old', '+new', ...same].join('\n');
    const change = { type: 'file_change', path: 'a.ts', change: 'change', diff } as const;
    const { tail } = paneOf(foldAll([at(0, acted('alpha', change))]), 'round-1/alpha');
    const rows = (height: number) =>
      lastRows(tail, { width: 40, height }).map((cells) => plainText(cells).trim());
    expect(rows(10)).toEqual(['-old', '+new', ...same.map((line) => line.trim())]);
    expect(rows(20).filter(Boolean)).toHaveLength(20);
  });

  test('what was changed, denied and cancelled is told, a diff in its colours', () => {
    const acts: readonly AgentEvent[] = [
      { type: 'file_change', path: 'a.ts', change: 'add', diff: '@@ -1 +1 @@\n-a\n+b\n c' },
      {
        type: 'approval_needed',
        tool: null,
        description: 'not allowed',
        options: ['allow', 'deny'],
      },
      { type: 'cancelled', what: 'Bash sleep 9' },
    ];
    const progress = foldAll(acts.map((event) => at(0, acted('alpha', event))));
    const { lines } = paneOf(progress, 'round-1/alpha').tail;
    expect(lines.map(({ tone, text }) => `${tone} ${text}`)).toEqual([
      'warn › added a.ts',
      'accent @@ -1 +1 @@',
      'bad -a',
      'good +b',
      'quiet  c',
      'warn ! a tool denied: not allowed',
      'warn ✗ cancelled Bash sleep 9',
    ]);
  });

  test('a wait has an end that can be counted down to, and the second try is the same pane', () => {
    const waiting = foldAll(story);
    const gamma = paneOf(waiting, 'round-2/gamma');
    expect(gamma).toMatchObject({ state: 'waiting', doing: 'HTTP 429 Too Many Requests' });
    expect((gamma.until ?? 0) - (gamma.since ?? 0)).toBe(12_000);
    const again = foldAll([at(61, started('gamma', { round: 2, attempt: '-retry' }))], waiting);
    expect(paneOf(again, 'round-2/gamma')).toMatchObject({ state: 'running', until: null });
  });

  test('whoever takes a seat is told why, and who lost it is said', () => {
    const reason = 'HTTP 429';
    const progress = foldAll([
      at(0, roundStarted(1, ['alpha'])),
      at(0, failed('alpha')),
      at(0, { type: 'agent.replaced', seat: 'alpha', agent: 'delta', instead_of: 'alpha', reason }),
    ]);
    expect(paneOf(progress, 'round-1/alpha').replacedBy).toBe('delta');
    expect(tailOf(progress, 'round-1/delta')).toEqual(['→ replaces alpha: HTTP 429', '']);
    expect(progress.notes.slice(1).map(({ text }) => text)).toEqual([
      '✗ alpha failed after 3.1 s (rate-limited): HTTP 429 Too Many Requests',
      '! delta replaces alpha',
    ]);
  });

  test('tokens of an agent count as they come, and as the end of its run knows them', () => {
    const usage = acted('alpha', usageOf({ input: 10, output: 5, cached: 0 }, 0.5));
    const running = foldAll([at(0, started('alpha')), at(0, usage)]);
    expect(running.panes.map(spendingOf)).toEqual([{ input: 10, output: 5, costUsd: 0.5 }]);
    const ended = foldAll([at(1, answered('alpha'))], running);
    expect(ended.panes.map(spendingOf)).toEqual([{ input: 12_000, output: 900, costUsd: 0.25 }]);
  });

  test('the bill is shown against the budget where there is one', () => {
    const spent = { ...emptyBill, agent_runs: 2, input_tokens: 12_900, cost_usd: 0.25 };
    const { spent: counted } = foldAll([at(1, { type: 'usage.counted', spent })]);
    const budgets = [undefined, { usd: 2 }, { tokens: 100_000 }, { usd: 2, tokens: 100_000 }];
    expect(budgets.map((budget) => amountTexts({ spent: counted, budget }).join(', '))).toEqual([
      '2 runs, 13k tokens, $0.25',
      '2 runs, $0.25 of $2.00',
      '2 runs, 13k of 100k tokens',
      '2 runs, 13k of 100k tokens, $0.25 of $2.00',
    ]);
  });

  test('nobody runs any more when the session has ended', () => {
    const { panes } = foldAll([
      ...story,
      at(50, {
        type: 'session.finished',
        session: 'MCP-json',
        end: 'interrupted',
        exit_code: 130,
        message: 'Interrupted and saved',
        plan: null,
        tasks: null,
        summary: null,
        titles: [],
        approved: false,
        next: null,
        spent: { ...emptyBill, agent_runs: 2, input_tokens: 48_123, cost_usd: 0.31 },
      }),
    ]);
    expect(panes.filter(({ since, until }) => since !== null || until !== null)).toEqual([]);
  });
});

test('a task has its pane from its start on, before its agent is asked', () => {
  const begins = executionStory.findIndex(({ type }) => type === 'task.started');
  const begun = foldAll(executionStory.slice(0, begins + 1));
  expect(begun.panes).toMatchObject([
    { key: 'execution-1/TASK-001/codex', group: begun.group, seat: 'codex', state: 'expected' },
  ]);
  const asked = foldAll(executionStory.slice(begins + 1, begins + 3), begun);
  expect(asked.panes).toMatchObject([{ key: 'execution-1/TASK-001/codex', state: 'running' }]);
});

test.each([
  ['alpha', 'bad', '✗ changed a.ts, by alpha, although it may only read'],
  [null, 'warn', '! changed a.ts, by an unknown program, while agents ran'],
] as const)('a change of the work tree by %s is noted as %s', (agent, tone, text) => {
  const { notes } = foldAll([at(0, { type: 'tree.changed', files: ['a.ts'], agent })]);
  expect(notes).toMatchObject([{ tone, text }]);
});

describe('laws', () => {
  const agentEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
    fc.record({
      type: fc.constant('message' as const),
      content: fc.oneof(
        fc.string(),
        fc.constant('x\n'.repeat(900)),
        fc.constant('y'.repeat(90_000)),
      ),
      partial: fc.boolean(),
    }),
    fc.record({ type: fc.constant('thinking' as const), content: fc.string() }),
    fc.record({ type: fc.constant('unknown' as const), line: fc.string() }),
    fc.record({
      type: fc.constant('command' as const),
      command: fc.string(),
      exitCode: fc.option(fc.nat()),
      output: fc.string(),
    }),
    fc.record({
      type: fc.constant('tool_call' as const),
      name: fc.string(),
      input: fc.constant(null),
      detail: fc.string(),
      output: fc.string(),
    }),
    fc.record({
      type: fc.constant('usage' as const),
      inputTokens: fc.nat(),
      outputTokens: fc.nat(),
      cachedTokens: fc.nat(),
      costUsd: fc.option(fc.nat()),
    }),
  );
  const lifeOf = (agent: string): fc.Arbitrary<readonly Event[]> =>
    fc
      .tuple(fc.array(agentEvent, { maxLength: 12 }), fc.constantFrom('answers', 'fails', 'waits'))
      .map(([events, how]) => [
        at(1, started(agent)),
        ...events.map((event) => at(2, acted(agent, event))),
        ...(how === 'answers' ? [at(3, answered(agent))] : [at(3, failed(agent))]),
        ...(how === 'waits' ? [at(3, retried(agent, 5_000))] : []),
      ]);

  test('whatever an agent prints, its tail stays bounded', () => {
    fc.assert(
      fc.property(fc.array(agentEvent, { maxLength: 60 }), (events) => {
        const progress = foldAll(events.map((event) => at(0, acted('alpha', event))));
        for (const { tail } of progress.panes) {
          expect(tail.lines.length).toBeLessThanOrEqual(tailLimits.lines);
          const longest = Math.max(0, ...tail.lines.map(({ text }) => text.length));
          expect(longest).toBeLessThanOrEqual(tailLimits.lineLength);
          expect(tail.open.length).toBeLessThanOrEqual(tailLimits.lineLength);
        }
      }),
    );
  });

  test('a replayed session is the live one without what agents did meanwhile', () => {
    fc.assert(
      fc.property(lifeOf('alpha'), lifeOf('beta'), (alpha, beta) => {
        const live = [
          at(0, roundStarted(1, ['alpha', 'beta'])),
          ...alpha,
          ...beta,
          at(9, roundFinished(1)),
        ].filter(({ type }) => type !== 'agent.retried');
        const recorded = live
          .filter(({ type }) => type !== 'agent.started' && type !== 'agent.acted')
          .map((event) => ({ ...event, replayed: true }));
        expect(settled(foldAll(recorded))).toEqual(settled(foldAll(live)));
      }),
    );
  });
});

/** Panes without what only happened on the way. */
function settled({ panes, rounds, notes }: Progress) {
  return {
    rounds: rounds.map(({ opened, result }) => [opened.seats, result?.score]),
    notes,
    panes: panes.map(({ key, state, doing, kind, model, durationMs, settled: spent, tail }) => ({
      key,
      state,
      doing,
      kind,
      model,
      durationMs,
      spent,
      last: tail.lines.at(-1),
    })),
  };
}
