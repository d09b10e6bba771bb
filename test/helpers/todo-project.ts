import type { Rig } from './rig.ts';

/** The task that the end-to-end tests plan in the little project below. */
export const todoTask = 'Add a --json flag to the list command so that `listTodos` prints JSON';

const files = {
  'package.json': '{ "name": "todo", "type": "module", "scripts": { "test": "node --test" } }\n',
  'README.md': '# todo\n\nA list of things to do.\n',
  'src/cli.js': `import { listTodos } from './commands/list.js';
import { addTodo } from './commands/add.js';

const [command, ...args] = process.argv.slice(2);

if (command === 'list') listTodos(args);
else if (command === 'add') addTodo(args);
else console.error(\`unknown command \${command}\`);
`,
  'src/commands/list.js': `import { readTodos } from '../store.js';

/** Prints every todo, one a line. */
export function listTodos(args) {
  const todos = readTodos();
  for (const todo of todos) {
    console.log(formatTodo(todo));
  }
}

export function formatTodo(todo) {
  return \`\${todo.done ? 'x' : ' '} \${todo.text}\`;
}
`,
  'src/commands/add.js': `import { readTodos, writeTodos } from '../store.js';

export function addTodo(args) {
  const todos = readTodos();
  todos.push({ text: args.join(' '), done: false });
  writeTodos(todos);
}
`,
  'src/store.js': `import { readFileSync, writeFileSync } from 'node:fs';

const file = 'todos.json';

export function readTodos() {
  return JSON.parse(readFileSync(file, 'utf8'));
}

export function writeTodos(todos) {
  writeFileSync(file, JSON.stringify(todos));
}
`,
  'test/list.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { formatTodo } from '../src/commands/list.js';

test('formatTodo marks what is done', () => {
  assert.equal(formatTodo({ text: 'milk', done: true }), 'x milk');
});
`,
};

const firstList = `import { readTodos } from '../store.js';

export function listTodos() {
  for (const todo of readTodos()) console.log(todo.text);
}
`;

/** Fills a rig’s repository with a small command-line project and two commits. */
export async function todoProject(rig: Rig): Promise<void> {
  await rig.git('init', '-q', '-b', 'main');
  for (const [path, text] of Object.entries(files)) rig.write(path, text);
  rig.write('src/commands/list.js', firstList);
  await rig.git('add', '-A');
  await rig.git('commit', '-qm', 'Add the list and add commands');
  rig.write('src/commands/list.js', files['src/commands/list.js']);
  await rig.git('commit', '-qam', 'Mark what is done in the output of the list command');
}
