import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { Event } from '../../../src/model/event.ts';
import { approvedRig } from '../../helpers/executed-rig.ts';
import { short } from '../../helpers/short-form.ts';

const task = (number: number, on: readonly string[]) => ({
  id: `TASK-00${number}`,
  ...(number <= 2 ? { source: { original_id: `T${number}` } } : {}),
  title: `Do ${number}`,
  description: 'The flag is read from args. Parse the output again.',
  depends_on: on,
  files: [{ path: `${number}.txt`, action: 'create', change: 'Write it.' }],
  implementation: ['Write it.', 'Look at it.'],
  convergence: { criteria: ['It is there'] },
  checks: [{ kind: 'text', path: `${number}.txt`, contains: 'x', criterion: 0 }],
});

const plan = {
  phase: 'planning',
  plan: { summary: 'Some files.', approach: 'One after the other.' },
  tasks: [task(1, []), task(2, []), task(3, []), task(4, ['TASK-003'])],
};

const met = { task: 'TASK-001', criterion: 0, verdict: 'met', evidence: 'It is there.' };
const review = {
  phase: 'code-review',
  summary: 'Read.',
  findings: [],
  criteria: [{ ...met, file: '1.txt', line: 1, quote: 'x' }],
};

test('--json tells an execution as events, valid and in order', short, async () => {
  const rig = await approvedRig(
    {
      'TASK-001': { edits: { '1.txt': 'x\n', 'shared.txt': 'one\n' } },
      'TASK-002-work': { edits: { '2.txt': 'x\n', 'shared.txt': 'two\n' } },
      'TASK-002-conflict': { edits: { 'shared.txt': 'one and two\n' } },
      'code-review': { answer: review },
    },
    { plan },
  );
  const { code, stdout } = await rig.conclave('execute', '-y', '--json', '--review', 'agent');
  expect(code).toBe(7);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => Event.parse(JSON.parse(line)));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  const told = events.filter(({ replayed }) => !replayed).map(textOf);
  const inOrder = (...texts: string[]) =>
    expect(told.filter((text) => texts.includes(text))).toEqual(texts);
  inOrder(
    'execution.started',
    'TASK-001 started',
    'TASK-001 check before: false',
    'TASK-001 check after: true',
    'TASK-001 completed',
    'execution.finished',
    'review.finished',
    'session.finished',
  );
  inOrder('TASK-002 started', 'TASK-002 completed', 'TASK-002 conflict in shared.txt: true');
  inOrder('TASK-003 started', 'TASK-003 failed', 'TASK-004 blocked by TASK-003');
  inOrder('TASK-004 blocked by TASK-003', 'execution.finished');
  expect(told).not.toContain('TASK-004 started');
  const shared = `conclave/${basename(rig.session())}:shared.txt`;
  expect(await rig.git('show', shared)).toBe('one and two\n');
});

/** What it says of a task; else its type. */
function textOf(event: Event): string {
  if (event.type === 'task.started') return `${event.task} started`;
  if (event.type === 'check.ran') return `${event.task} check ${event.when}: ${event.passed}`;
  if (event.type === 'task.finished') return `${event.task} ${event.status}`;
  if (event.type === 'task.blocked') return `${event.task} blocked by ${event.by}`;
  if (event.type !== 'merge.conflicted') return event.type;
  return `${event.task} conflict in ${event.files.join(', ')}: ${event.resolved}`;
}
