import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { headlessView, jsonView } from '../../src/faces/headless.ts';
import type { SessionEvent } from '../../src/model/event.ts';

const nobodyAsks = () => Promise.reject(new Error('nobody asks'));
const nobody = {
  clarify: nobodyAsks,
  decide: nobodyAsks,
  approve: nobodyAsks,
  execute: nobodyAsks,
  apply: nobodyAsks,
};
const model = { kind: 'model', model: null } as const;
const run = { agent: 'alpha', seat: 'alpha', step: 'round-1/propose/alpha' };

const story: readonly SessionEvent[] = [
  {
    type: 'session.started',
    session: 'MCP-x',
    folder: '.workflow/x',
    task: 'Paint it',
    version: '0',
  },
  { type: 'context.fell', provider: 'ripgrep', reason: 'not installed', ms: 30 },
  {
    type: 'context.gathered',
    provider: 'scan',
    degraded: true,
    files: ['src/a.ts:1-9'],
    reason: 'ripgrep: not installed',
  },
  { type: 'round.started', round: 1, max_rounds: 3, mode: 'parallel', seats: ['alpha', 'beta'] },
  { type: 'agent.started', ...run, ...model },
  {
    type: 'agent.acted',
    ...run,
    event: { kind: 'file-read', path: 'src/a.ts' },
  },
  {
    type: 'agent.failed',
    ...run,
    ...model,
    duration_ms: 1_234,
    tokens: null,
    cost_usd: null,
    category: 'rate-limited',
    reason: 'HTTP 429',
  },
  {
    type: 'agent.replaced',
    seat: 'alpha',
    agent: 'gamma',
    instead_of: 'alpha',
    reason: 'HTTP 429',
  },
  {
    type: 'agent.answered',
    agent: 'gamma',
    seat: 'alpha',
    step: 'round-1/propose/gamma',
    ...model,
    duration_ms: 61_000,
    tokens: { input: 1_000, output: 200, cached: 0 },
    cost_usd: null,
    summary: 'Paint the door; Paint the wall',
  },
  {
    type: 'round.finished',
    round: 1,
    score: 0.5,
    recommendation: 'user_input_needed',
    solutions: 1,
    agreements: 0,
    disagreements: 2,
    failed_references: 1,
    agreed: [],
    disagreed: ['When to paint', 'What to paint'],
    names: ['Paint the door'],
    new_solutions: [],
    revised_solutions: [],
    dropped_solutions: [],
    synthesis: '.workflow/x/rounds/1/synthesis.json',
  },
  {
    type: 'plan.written',
    plan: '.workflow/x/plan.json',
    tasks: 1,
    source: 'derived',
    titles: ['TASK-001 Paint the door'],
  },
  { type: 'plan.checked', blocking: 1, warnings: 0, findings: ['plan.json: no brush'] },
  { type: 'plan.left', why: 'no brush' },
  {
    type: 'session.finished',
    session: 'MCP-x',
    end: 'done',
    exit_code: 0,
    message: 'Saved.',
    plan: '.workflow/x/plan.json',
    tasks: 1,
    summary: 'Paints the door',
    titles: ['TASK-001 Paint it red'],
    approved: false,
    next: null,
    spent: { agent_runs: 2, tokens: 48_123, cost_usd: 0.31, ms: 185_000 },
  },
];

function shown(events: readonly SessionEvent[], face: 'lines' | 'json', replayed = false): string {
  const out = new PassThrough();
  const view = face === 'lines' ? headlessView(out, nobody) : jsonView(out, nobody);
  for (const [index, event] of events.entries()) {
    view.show({ ...event, seq: index + 1, at: '2026-01-01T00:00:00.000Z', replayed });
  }
  return String(out.read() ?? '');
}

/** The lines about what was found, where these files were. */
function gathered(files: readonly string[]): readonly string[] {
  const provider = files.length === 0 ? 'none' : 'local';
  const event = { provider, degraded: files.length === 0, files: [...files], reason: null };
  return shown([{ type: 'context.gathered', ...event }], 'lines')
    .trimEnd()
    .split('\n');
}

describe('the headless face', () => {
  test('tells a session in calm lines that end with the summary and the path of the plan', async () => {
    await expect(shown(story, 'lines')).toMatchFileSnapshot('../fixtures/faces/headless.txt');
  });

  test('names the best of the found files and counts the others', () => {
    const places = Array.from({ length: 12 }, (_, index) => `src/${index}.ts:1-9`);
    expect(gathered(places)).toHaveLength(7);
    expect(gathered(places).at(-1)).toMatch(/^ +and 7 more$/);
    expect(gathered(places.slice(0, 6)).at(-1)).toContain('src/5.ts');
    expect(gathered([])).toEqual(['context      no file matches this task']);
  });

  test('tells of a resumed session only where it stands', () => {
    expect(shown(story, 'lines', true).trim().split('\n')).toHaveLength(5);
  });

  test('lets no control sequence of an agent, a file name or a task through', () => {
    const evil = '\u001B]0;owned\u0007\u001B[2J\u009B31mname\u202E';
    const hostile: readonly SessionEvent[] = [
      { type: 'session.started', session: 'MCP-x', folder: 'x', task: evil, version: '0' },
      {
        type: 'agent.failed',
        ...run,
        agent: evil,
        ...model,
        duration_ms: 1,
        tokens: null,
        cost_usd: null,
        category: 'crashed',
        reason: evil,
      },
      { type: 'tree.changed', files: [evil], agent: evil },
      { type: 'question.asked', questions: [evil] },
      { type: 'plan.left', why: evil },
    ];
    // oxlint-disable-next-line no-control-regex
    expect(shown(hostile, 'lines')).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
  });
});

test('the JSON face prints one event a line and nothing else', () => {
  const lines = shown(story, 'json').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(story.map(({ type }) => type));
});
