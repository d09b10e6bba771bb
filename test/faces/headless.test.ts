import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { emptyBill } from '../../src/model/bill.ts';
import { headlessView, jsonView } from '../../src/faces/headless.ts';
import type { Event, SessionEvent } from '../../src/model/event.ts';
import { answersOr } from '../../src/workflow/view-port.ts';
import { answered, at, failed, roundFinished, started, story } from './tui/progress/story.ts';

const nobodyAsks = () => Promise.reject(new Error('nobody asks'));
const nobody = answersOr(nobodyAsks, {});

const rest: readonly SessionEvent[] = [
  { type: 'agent.replaced', seat: 'gamma', agent: 'delta', instead_of: 'gamma', reason: '429' },
  started('delta', { round: 2 }),
  answered('delta', { round: 2 }),
  roundFinished(2, { score: 0.8, recommendation: 'user_input_needed' }),
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
    spent: {
      ...emptyBill,
      agent_runs: 2,
      input_tokens: 48_123,
      cost_usd: 0.31,
      agents_ms: 31_000,
      since_start_ms: 54_000,
      waiting_ms: 193_000,
    },
  },
];
const session: readonly Event[] = [...story, ...rest.map((event) => at(60, event))];

function shown(events: readonly Event[], face = headlessView): string {
  const out = new PassThrough();
  const view = face(out, nobody);
  for (const event of events) view.show(event);
  return String(out.read() ?? '');
}

/** The lines about what was found, where these files were. */
function gathered(files: string[], reason: string | null = null): readonly string[] {
  const event = { provider: 'local', degraded: reason !== null, files, reason };
  return shown([at(0, { type: 'context.gathered', ...event })])
    .trimEnd()
    .split('\n');
}

describe('the headless face', () => {
  test('tells a session in calm lines that end with the summary and the path of the plan', async () => {
    await expect(shown(session)).toMatchFileSnapshot('../fixtures/faces/headless.txt');
  });

  test('names the best of the found files and counts the others', () => {
    const places = Array.from({ length: 12 }, (_, index) => `src/${index}.ts:1-9`);
    expect(gathered(places)).toHaveLength(7);
    expect(gathered(places).at(-1)).toMatch(/^ +and 7 more$/);
    expect(gathered([])).toEqual(['context      no file matches this task']);
    const why = 'context      no file matches this task (no ripgrep)';
    expect(gathered([], 'no ripgrep')).toEqual([why]);
  });

  test('tells of a resumed session only where it stands', () => {
    const replayed = session.map((event) => ({ ...event, replayed: true }));
    const labels = shown(replayed)
      .match(/^\w.{11}/gm)
      ?.map((label) => label.trim());
    expect(labels).toEqual([
      'so far',
      'done',
      'summary',
      'plan',
      'session',
      'spent',
      'time',
      'next',
    ]);
    expect(shown(replayed)).toMatch(/^so far +2 rounds, \d calls, resumed$/m);
  });

  test('lets no control sequence of an agent, a file name or a task through', () => {
    const evil = '\u001B]0;owned\u0007\u001B[2J\u009B31mname\u202E';
    const hostile: readonly SessionEvent[] = [
      { type: 'session.started', session: 'MCP-x', folder: 'x', task: evil, version: '0' },
      failed(evil),
      { type: 'tree.changed', files: [evil], agent: evil },
      { type: 'question.asked', questions: [evil] },
      { type: 'plan.left', why: evil },
    ];
    const lines = shown(hostile.map((event) => at(0, event)));
    // oxlint-disable-next-line no-control-regex
    expect(lines).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
  });
});

test('the JSON face prints one event a line and nothing else', () => {
  const lines = shown(session, jsonView).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(session.map(({ type }) => type));
});
