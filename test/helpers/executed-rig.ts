import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ProposedSolution } from '../../src/model/proposal.ts';
import { planAnswer } from '../faults/three-rounds.ts';
import type { Rig } from './rig.ts';
import { copiedRig, preparedRig } from './test-rig.ts';
import { todoProject, todoTask } from './todo-project.ts';
import { configureVendors, listSolution, stances } from './vendors.ts';

/** What the worker does with a task, by `TASK-001`, `TASK-001-work`, `TASK-001-fix` …: see vendor.mjs. */
export type Work = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Changes that fulfil the plan of `planAnswer`. */
export const todoEdits = {
  'TASK-001': {
    edits: {
      'src/commands/list.js': `export function listTodos(args) {
  if (args.includes('--json')) console.log('[]');
}

export function formatTodo(todo) {
  return \`\${todo.done ? 'x' : ' '} \${todo.text}\`;
}
`,
    },
  },
  'TASK-002': { edits: { 'test/more.test.js': 'import "node:test";\n' } },
  'TASK-003': { edits: { 'src/format.js': 'export const a = 1;\n' } },
} as const satisfies Work;

/** `src/commands/list.js` with the flag that the task asks for. */
export const listWithJson = `import { readTodos } from '../store.js';

export function listTodos(args) {
  const todos = readTodos();
  if (args.includes('--json')) console.log(JSON.stringify(todos));
  else for (const todo of todos) console.log(formatTodo(todo));
}

export function formatTodo(todo) {
  return \`\${todo.done ? 'x' : ' '} \${todo.text}\`;
}
`;

const contains = (path: string, text: string) => [
  { kind: 'text', path, contains: text, criterion: 0 },
];
const [first, formats, tested] = planAnswer.tasks;
/** The plan with checks that fail before the work. */
export const checkedPlan = {
  ...planAnswer,
  tasks: [
    { ...first, checks: contains('src/commands/list.js', '--json') },
    { ...formats, test: undefined, checks: contains('src/format.js', 'formatJson') },
    { ...tested, test: undefined, checks: contains('test/list.test.js', '--json') },
  ],
};

/** Changes that fulfil it. */
export const checkedEdits = {
  'TASK-001': todoEdits['TASK-001'],
  'TASK-002': {
    edits: {
      'test/list.test.js':
        "import test from 'node:test';\n\ntest('prints with --json', () => {});\n",
    },
  },
  'TASK-003': {
    edits: {
      'src/format.js': 'export const formatJson = 1;\n',
      'src/cli.js': "import { formatJson } from './format.js';\nexport { formatJson };\n",
    },
  },
} as const satisfies Work;

const metAt = (task: string, file: string, quote: string) => ({
  task,
  criterion: 0,
  verdict: 'met',
  file,
  line: null,
  quote,
  evidence: 'read in the diff',
});

/** A review that finds each criterion of it met. */
export const checkedReview = {
  phase: 'code-review',
  summary: 'As planned.',
  findings: [],
  criteria: [
    metAt('TASK-001', 'src/commands/list.js', "args.includes('--json')"),
    metAt('TASK-002', 'test/list.test.js', "import test from 'node:test';"),
    metAt('TASK-003', 'src/format.js', 'export const formatJson'),
  ],
};

interface Given {
  /** What the planner answers. */
  readonly plan?: object;
  /** The price of each call of an agent. */
  readonly usd?: number;
  /** More of the user’s configuration. */
  readonly more?: string;
}

interface Project {
  /** Uncommitted files of it. */
  readonly dirty?: Readonly<Record<string, string>>;
  /** What is made of it before the plan, by a name of its own. */
  readonly project?: { readonly name: string; make(rig: Rig): Promise<void> } | undefined;
}

/** The todo project with an approved plan, and a worker that carries its tasks out. */
export async function approvedRig(work: Work, given: Given & Project = {}): Promise<Rig> {
  const rig = await preparedRig(...approvalOf(given));
  workBy(rig, work, given);
  return rig;
}

/** The same once its tasks were carried out, which is done once for each plan and work. */
export async function executedRig(work: Work, given: Given & Project = {}): Promise<Rig> {
  const plan = approvalOf(given);
  const execute = async (rig: Rig) => {
    workBy(rig, work, given);
    const { code, stderr } = await rig.conclave('execute', '-y');
    if (code !== 0 || stderr !== '') throw new Error(`not carried out: ${stderr}`);
  };
  const name = `executed-${digestOf([plan[0], work])}`;
  return await preparedRig(name, execute, () => copiedRig(...plan));
}

/** How the todo project comes to an approved plan, by its name among the kept ones. */
function approvalOf({ dirty = {}, project, ...given }: Given & Project) {
  const prepare = async (rig: Rig) => {
    await todoProject(rig);
    await project?.make(rig);
    for (const [path, text] of Object.entries(dirty)) rig.write(path, text);
    workBy(rig, {}, given);
    const plan = ['plan', '--auto-yes', '--max-rounds', '3', todoTask];
    const { code, stderr } = await rig.conclave(...plan);
    if (code !== 0) throw new Error(`no approved plan: ${stderr}`);
  };
  return [`approved-${digestOf([given, dirty, project?.name])}`, prepare] as const;
}

const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);

/** Configures two vendors that agree on that plan and do that work. */
export function workBy(
  rig: Rig,
  work: Work,
  { plan = planAnswer, more = '', usd }: Given = {},
): void {
  const propose = { answer: { solutions: [solutionFor(plan)], questions: [] } };
  const done = { answer: 'Done.' };
  const script = {
    ...(usd === undefined ? {} : { usd }),
    propose,
    examine: { answer: stances({ A: 'support' }) },
    plan: { answer: plan },
    execute: done,
    ...Object.fromEntries(Object.entries(work).map(([task, act]) => [task, { ...done, ...act }])),
  };
  configureVendors(rig, { alpha: script, beta: script }, more);
}

const Planned = z.object({
  tasks: z.array(
    z.object({
      source: z.object({ original_id: z.string() }).optional(),
      files: z.array(z.object({ path: z.string() })).default([]),
    }),
  ),
});

/** The solution that names the files of such a plan. */
function solutionFor(plan: object): ProposedSolution {
  const solution = listSolution();
  if (plan === planAnswer) return solution;
  const tasks = Planned.parse(plan).tasks.flatMap(({ source, files }) =>
    source === undefined
      ? []
      : {
          id: source.original_id,
          name: `Do ${source.original_id}`,
          depends_on: [],
          files: files.map(({ path }) => ({ file: path, action: 'create' as const })),
          key_point: null,
        },
  );
  const { implementation_plan: steps } = solution;
  const flow = tasks.map(({ id }) => id).join(', ');
  return { ...solution, implementation_plan: { ...steps, tasks, execution_flow: flow } };
}
