import { expect, test } from 'vitest';
import { checkPlanPlaces } from '../../../src/phases/critique/judge-places.ts';
import { structurePlan } from '../../../src/phases/critique/structure-plan.ts';

const paths = ['src/cli.js', 'src/commands/list.js', 'test/list.test.js', 'README.md'];
const files = {
  list: async () => paths,
  read: async (path: string) => (paths.includes(path) ? 'one\n'.repeat(20) : null),
  find: async () => new Map([['listTodos', ['src/commands/list.js']]]),
  ignored: async () => new Set<string>(),
};

async function read(plan: string) {
  const checked = await checkPlanPlaces(plan, files);
  const places = checked.places.map(({ at, ...place }) => ({ ...place, plan_line: at }));
  const { name, implementation_plan: parts } = structurePlan(plan, places);
  return {
    name,
    tasks: parts.tasks.length,
    wrong: places.filter(({ status }) => status === 'wrong').map(({ text }) => text),
  };
}

test.each([
  [
    'plan mode of claude',
    '# Add a JSON flag\n\n## Context\nText.\n\n## Steps\n1. Edit `src/commands/list.js:4`.\n2. Edit `src/none/flags.js:3`.\n\n## Verification\nRun the tests.\n',
    { name: 'Add a JSON flag', tasks: 2, wrong: ['src/none/flags.js:3'] },
  ],
  [
    'plan mode of codex',
    '# JSON output\n\n## Summary\nText.\n\n## Key Changes\n- Change `listTodos` in `src/commands/list.js`.\n\n## Test Plan\n- Extend `test/list.test.js`.\n',
    { name: 'JSON output', tasks: 3, wrong: [] },
  ],
  [
    'spec-kit',
    '# Tasks: JSON flag\n\n## Phase 1: Setup\n- [ ] T001 Create src/format/json.js\n- [ ] T002 [P] Edit src/cli.js:99\n',
    { name: 'Tasks: JSON flag', tasks: 2, wrong: ['src/cli.js:99'] },
  ],
  [
    'task-master',
    '# Task ID: 1\n# Title: JSON flag\n# Status: pending\n# Details:\nEdit src/commands/list.js.\n',
    { name: 'Task ID: 1', tasks: 1, wrong: [] },
  ],
  [
    'a plain list',
    '- read the flag in `src/cli.js`\n- call `print()` of `src/print/json.js`\n',
    { name: 'read the flag in src/cli.js', tasks: 2, wrong: ['src/print/json.js'] },
  ],
  [
    'a plan in Chinese',
    '# 添加 JSON 标志\n\n1. 修改 `src/commands/list.js:4`\n2. 新建 `src/commands/json.js`\n3. 更新 `src/cli.js:500`\n',
    { name: '添加 JSON 标志', tasks: 3, wrong: ['src/cli.js:500'] },
  ],
  [
    'one without any path',
    '1. Think of the flag.\n2. Print JSON.\n',
    { name: 'Think of the flag.', tasks: 2, wrong: [] },
  ],
  [
    'one of 2,000 lines',
    `# Long\n\n${Array.from({ length: 2000 }, (_, at) => `${at + 1}. Edit \`src/cli.js:${at + 1}\`.`).join('\n')}\n`,
    { name: 'Long', tasks: 60, wrong: expect.any(Array) },
  ],
  [
    'one that is no plan',
    'Hello, how are you?\n',
    { name: 'Hello, how are you?', tasks: 1, wrong: [] },
  ],
])('%s is taken apart, and its wrong places are found', async (_, plan, expected) => {
  expect(await read(plan)).toEqual(expected);
});
