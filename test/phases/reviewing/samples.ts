import type { ReviewAnswer, TaskOutcome } from '../../../src/model/execution.ts';
import type { Task } from '../../../src/model/task.ts';
import { taskOf } from '../planning/samples.ts';

/** What an execution of two tasks left in the todo project. */
export const list = `import { readTodos } from '../store.js';

export function listTodos(args) {
  const todos = readTodos();
  if (args[0] === '--json') {
    console.log(JSON.stringify(todos));
    return;
  }
  for (const todo of todos) console.log(todo.text);
}
${'\n// filler\n'.repeat(10)}
export const lastLine = 'the last line';
`;

export const reviewedTasks: readonly Task[] = [
  taskOf('TASK-001', {
    title: 'Print JSON from listTodos',
    files: [{ path: 'src/commands/list.js' }],
    convergence: {
      criteria: ['`todo list --json` prints an array', 'Without the flag | nothing changes'],
    },
  }),
  taskOf('TASK-002', {
    title: 'Test the JSON output',
    files: [{ path: 'test/list.test.js' }],
    convergence: { criteria: ['A test fails without the flag'] },
  }),
];

export const diff = `diff --git a/src/commands/list.js b/src/commands/list.js
index 1111111..2222222 100644
--- a/src/commands/list.js
+++ b/src/commands/list.js
@@ -3,3 +3,7 @@
+  if (args[0] === '--json') {
diff --git a/src/old.js b/src/old.js
deleted file mode 100644
--- a/src/old.js
+++ /dev/null
@@ -1 +0,0 @@
-export const old = 1;
`;

export function outcomeOf(task: Task, over: Partial<TaskOutcome> = {}): TaskOutcome {
  return {
    task: task.id,
    title: task.title,
    status: 'completed',
    why: '',
    executor: 'ant',
    start: 'a'.repeat(40),
    commit: 'b'.repeat(40),
    files_modified: (task.files ?? []).map(({ path }) => path),
    out_of_scope: [],
    facts: { rest: [], untouched: [], ignored: [], links_out: [] },
    checks: [],
    fix_rounds: 0,
    criteria: task.convergence.criteria.map(() => false),
    summary: 'Done.',
    ...over,
  };
}

type Found = ReviewAnswer['findings'][number];

export function findingOf(over: Partial<Found> = {}): Found {
  return {
    severity: 'blocking',
    file: 'src/commands/list.js',
    line: 5,
    quote: "if (args[0] === '--json') {",
    problem: 'The flag is only seen as the first argument.',
    suggestion: 'Use args.includes.',
    ...over,
  };
}

export function answerOf(over: Partial<ReviewAnswer> = {}): ReviewAnswer {
  return {
    session: 'MCP-x',
    phase: 'code-review',
    summary: 'Not yet.',
    findings: [findingOf()],
    criteria: [],
    ...over,
  };
}

export const verdict = (
  task: string,
  criterion: number,
  is: ReviewAnswer['criteria'][number]['verdict'],
) => ({
  task,
  criterion,
  verdict: is,
  file: 'src/commands/list.js',
  line: 5,
  quote: "if (args[0] === '--json') {",
  evidence: 'The flag is seen here.',
});
