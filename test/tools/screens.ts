import { readFileSync, writeFileSync } from 'node:fs';
import { builtCli } from '../helpers/built.ts';
import { checkedPlan, listWithJson } from '../helpers/executed-rig.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';
import { type ScreenName, steady, withScreens } from '../helpers/help-screens.ts';
import { type Rig, makeRig } from '../helpers/rig.ts';
import { todoProject, todoTask } from '../helpers/todo-project.ts';
import {
  type VendorScript,
  configureVendors,
  formatterSolution,
  listSolution,
  stances,
} from '../helpers/vendors.ts';
import { pagePath } from './help-tables.ts';

const page = pagePath('screens');
/** Wide enough for three panes; nothing of this machine but git takes part. */
const terminalOptions = { columns: 120, rows: 24, environment: { PATH: '/usr/bin:/bin' } };
/** How long the agents hold their answers, in ms, so that they are seen at work. */
const atWork = 6_000;

const title = 'Print the todos as one JSON array, the text as before';
const [first, ...others] = checkedPlan.tasks;
const revised = { ...checkedPlan, tasks: [{ ...first, title }, ...others] };

const used = (input: number, output: number) => ({
  kind: 'usage',
  tokens: { input, output, cached: 0 },
  cost_usd: 0.04,
});
const reads = (path: string) => ({ kind: 'file-read', path });
const says = (text: string) => ({ kind: 'message', text, partial: true });
const thinks = (text: string) => ({ kind: 'thinking', text });
const runs = (command: string) => ({ kind: 'command', command, exit_code: 0 });

const reading = [
  thinks('The list command is given its arguments and does not use them yet.'),
  reads('src/cli.js'),
  reads('src/commands/list.js'),
  reads('src/store.js'),
  used(12_000, 800),
  says('listTodos already gets the arguments from cli.js, so the flag can be read there.\n'),
  says('The smallest change branches before the loop'),
];
const running = [
  reads('src/commands/list.js'),
  runs('grep -rn formatTodo src test'),
  runs('node --test'),
  used(10_000, 700),
  thinks('formatTodo is exported and tested; a second formatter could stand beside it.'),
  reads('test/list.test.js'),
];
const thinking = [
  reads('README.md'),
  reads('src/commands/list.js'),
  used(8_000, 600),
  thinks('What would a script expect of --json? An array, also where there is nothing to list.'),
  says('Nothing else may be printed on stdout then.\n'),
];

/** What whoever gets a task does with it. */
const work = {
  'TASK-001': {
    edits: { 'src/commands/list.js': listWithJson },
    answer: 'Done.',
  },
  'TASK-002': {
    edits: { 'test/list.test.js': 'import "node:test"; // --json\n' },
    events: [reads('src/commands/list.js'), says('The test parses what is printed.')],
    delay_ms: atWork,
    answer: 'Done.',
  },
  'TASK-003': {
    edits: { 'src/format.js': 'export const formatJson = JSON.stringify;\n' },
    events: [reads('src/cli.js'), says('One function for each format.')],
    delay_ms: atWork,
    answer: 'Done.',
  },
};

/** Runs the built program in a terminal, with scripts for agents, and puts its screens into the help. */
builtCli();
const rig = makeRig();
try {
  await todoProject(rig);
  configure(rig, checkedPlan);
  const screens = await walk(rig);
  writeFileSync(page, withScreens(readFileSync(page, 'utf8'), screens));
} finally {
  rig.remove();
}

async function walk(to: Rig): Promise<Record<ScreenName, string>> {
  const terminal = openTerminal(to, [], terminalOptions);
  try {
    await terminal.shows('First round: alpha, beta and gamma');
    terminal.type(todoTask);
    const start = await terminal.shows('prints JSON');
    terminal.press('enter');
    const run = await terminal.shows('32k tokens');
    const options = await terminal.shows('enter choose');
    terminal.press('enter');
    await terminal.shows('enter approve');
    const { graph, changes } = await review(to, terminal);
    const execution = await execute(terminal);
    return {
      start: steady(start),
      run: steady(run),
      options: steady(options),
      graph: steady(graph),
      changes: steady(changes),
      execution: steady(execution),
    };
  } finally {
    await terminal.close();
  }
}

async function review(
  to: Rig,
  terminal: OpenTerminal,
): Promise<{ readonly graph: string; readonly changes: string }> {
  terminal.press('2');
  await terminal.shows('[tasks 3]');
  terminal.press('g');
  const graph = await terminal.shows('├─▶');
  terminal.press('c');
  await terminal.shows('A comment on TASK-001');
  terminal.type('Say that it is one array, and keep the text output');
  await terminal.shows('keep the text output');
  terminal.press('enter');
  await terminal.shows('Comment on TASK-001 kept');
  configure(to, revised);
  terminal.press('s');
  await terminal.shows(`+ ${title}`);
  return { graph, changes: await terminal.shows('enter to the overview') };
}

async function execute(terminal: OpenTerminal): Promise<string> {
  terminal.press('enter');
  await terminal.shows('enter approve');
  terminal.press('enter');
  await terminal.shows('enter leave it for later');
  terminal.press('1');
  await terminal.shows('enter carry it out');
  terminal.press('enter');
  return await terminal.shows(/The test parses[^]*One function|One function[^]*The test p/);
}

/** Three programs that answer by a script. */
function configure(to: Rig, plan: unknown): void {
  const named = listSolution({ name: 'Print JSON in the list command' });
  configureVendors(to, {
    alpha: vendor({ solutions: [listSolution()], plan, tells: reading }),
    beta: vendor({ solutions: [formatterSolution(), named], plan, tells: running }),
    gamma: vendor({ solutions: [listSolution()], plan, tells: thinking }),
  });
}

function vendor(script: {
  readonly solutions: readonly unknown[];
  readonly plan: unknown;
  readonly tells: readonly unknown[];
}): VendorScript {
  const { solutions, plan, tells } = script;
  return {
    propose: { events: tells, delay_ms: atWork, answer: { solutions, questions: [] } },
    examine: { answer: stances({ A: 'support', B: 'unsure' }) },
    plan: { answer: plan },
    ...work,
  };
}
