/** A check that a file is there. */
const isThere = (path: string) => ({ kind: 'file', path, exists: true, criterion: 0 });

/** A task that names its files and what shows it, as a planner answers it. */
export const task = (
  number: number,
  on: readonly number[],
  files: readonly string[],
  checks: readonly object[] = files.map(isThere),
) => ({
  id: `TASK-00${number}`,
  ...(number <= 2 ? { source: { original_id: `T${number}` } } : {}),
  title: `Do ${number}`,
  description: 'The flag is read from args. Parse the output again.',
  depends_on: on.map((one) => `TASK-00${one}`),
  files: files.map((path) => ({ path, action: 'create', change: 'Write it.' })),
  implementation: ['Write it.', 'Look at it.'],
  convergence: { criteria: ['It is there'] },
  checks,
});

/** A plan of such tasks, as a planner answers it. */
export const planOf = (tasks: readonly object[]) => ({
  phase: 'planning',
  plan: { summary: 'Some files.', approach: 'One after the other.' },
  tasks,
});

/** A check that a file contains a text. */
export const has = (path: string, contains: string) => ({
  kind: 'text',
  path,
  contains,
  criterion: 0,
});

/** A check that a command ends well. */
export const runs = (...argv: readonly string[]) => ({ kind: 'command', argv, criterion: 0 });
