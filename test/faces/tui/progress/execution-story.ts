import type { Event, SessionEvent } from '../../../../src/model/event.ts';
import { at, story } from './story.ts';

const titles = [
  ['TASK-001', 'Print JSON from listTodos', []],
  ['TASK-002', 'Test the JSON output', ['TASK-001']],
  ['TASK-003', 'Choose the format in the command line', []],
  ['TASK-004', 'Say so in the README', ['TASK-002', 'TASK-003']],
] as const;

const model = { kind: 'model', model: null } as const;

export function check(
  task: string,
  when: 'before' | 'after',
  passed: boolean | null,
  {
    check: what = 'node --test',
    note = '',
    ...more
  }: { check?: string; note?: string; tests?: { passed: number; failed: number } } = {},
): SessionEvent {
  return { type: 'check.ran', task, when, check: what, passed, note, ms: 1_200, ...more };
}

export function worker(task: string, agent: string, name = 'work') {
  return { agent, seat: agent, step: `execution-1/${task}/${name}/${agent}` };
}

export function begun(task: string, agent: string): readonly SessionEvent[] {
  return [
    { type: 'task.started', task, executor: agent },
    check(task, 'before', false),
    { type: 'agent.started', ...worker(task, agent), ...model },
  ];
}

export function finished(
  task: string,
  part: Partial<Extract<SessionEvent, { type: 'task.finished' }>> = {},
): SessionEvent {
  return {
    type: 'task.finished',
    task,
    status: 'completed',
    why: '',
    commit: 'a'.repeat(40),
    files: ['src/commands/list.js'],
    out_of_scope: [],
    ...part,
  };
}

/** A plan of four tasks: one is over, two are at work by the same agent, one waits for both. */
export const executionStory: readonly Event[] = [
  ...story.filter(({ type }) => type === 'session.started'),
  at(60, { type: 'phase.entered', phase: 'execution', round: null }),
  at(60, {
    type: 'execution.started',
    number: 1,
    commit: 'b'.repeat(40),
    jobs: 2,
    tasks: titles.map(([id, title, after]) => ({
      id,
      title,
      depends_on: [...after],
      executor: 'codex',
      reason: 'first of your agents',
    })),
  }),
  ...begun('TASK-001', 'codex').map((event) => at(61, event)),
  at(62, {
    type: 'agent.answered',
    ...worker('TASK-001', 'codex'),
    ...model,
    duration_ms: 9_000,
    tokens: { input: 12_000, output: 900, cached: 0 },
    cost_usd: 0.25,
    summary: 'listTodos prints JSON',
  }),
  at(62, check('TASK-001', 'after', true)),
  at(62, finished('TASK-001')),
  ...begun('TASK-003', 'codex').map((event) => at(62, event)),
  ...begun('TASK-002', 'codex').map((event) => at(63, event)),
  at(64, check('TASK-002', 'before', true, { check: 'node --check src/cli.js' })),
  at(65, {
    type: 'agent.acted',
    ...worker('TASK-002', 'codex'),
    event: { type: 'message', content: 'The test reads what listTodos prints.', partial: false },
  }),
  at(66, {
    type: 'agent.acted',
    ...worker('TASK-003', 'codex'),
    event: { type: 'file_change', path: 'src/cli.js', change: 'change' },
  }),
  at(66, {
    type: 'task.changed',
    task: 'TASK-003',
    diff: [
      'diff --git a/src/cli.js b/src/cli.js',
      '@@ -4,3 +4,4 @@',
      ' const args = process.argv.slice(2);',
      '-run(args);',
      "+const format = args.includes('--json') ? json : text;",
      '+run(args, format);',
    ].join('\n'),
  }),
];
