import { expect, test } from 'vitest';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { configureVendors } from '../helpers/vendors.ts';

const claude = `# Plan: \`--json\` for the list command

## Context
\`todo list\` prints text only (\`src/commands/list.js:4\`).

## Files to create
- \`src/format/json.js\`: \`printJson(todos)\`

## Files to modify
- \`src/commands/list.js\`: read the flag in \`listTodos\`
- \`src/commands/flags.js\`: register it

## Verification
\`npm test\`, then \`node src/cli.js list --json\`.
`;
const codex = `# JSON output for \`todo list\`

## Summary
Add a flag that prints the todos as JSON.

## Key Changes
- \`listTodos\` in \`src/commands/list.js\` reads \`--json\` from \`args\`.
- Other arguments behave as before (\`src/cli.js:6-8\`).

## Test Plan
- Extend \`test/list.test.js\` by a case for an empty list.
`;
const specKit = `# Tasks: JSON output

**Prerequisites**: plan.md (required), research.md, data-model.md

## Phase 1: Setup
- [ ] T001 Create project structure per implementation plan
- [ ] T002 [P] Configure linting in package.json

## Phase 2: Tests First
- [ ] T003 [P] [US1] Contract test for the JSON form in tests/contract/list.test.js
- [ ] T004 [P] [US1] Create JSON formatter in src/format/json.js

## Phase 3: Core
- [ ] T005 [US1] Implement the flag in src/commands/list.js (depends on T004)
- [ ] T006 [US1] Update the argument parser in src/args/parse.js

## Parallel Example
Task: "Contract test for the JSON form in tests/contract/list.test.js"
`;
const taskMaster = `# Task ID: 3
# Title: Print todos as JSON
# Status: pending
# Dependencies: 1, 2
# Priority: high
# Description: Add a --json flag to the list command.
# Details:
In src/commands/list.js:4, look for the flag. Write the helper in src/format/json.js.

# Test Strategy:
Run the tests of test/list.test.js with node --test.

# Subtasks:
## 1. Read the flag [pending]
### Dependencies: None
### Description: Read it in src/commands/list.js:40.
`;
const chinese = `# 为列表命令添加 JSON 输出

1. 修改 \`src/commands/list.js:4\` 中的 \`listTodos\`
2. 新建 \`src/format/json.js\`，实现 \`printJson\`
3. 更新 \`src/args.js\` 的参数解析
4. 在 \`test/list.test.js\` 中添加测试
`;
const long = `# Rename everything\n\n${Array.from({ length: 2000 }, (_, at) => `${at + 1}. Edit \`src/cli.js:${at + 1}\`.`).join('\n')}\n`;

/** Each plan with its wrong places, the new ones, and the number of its tasks. */
const plans = {
  'plan mode of claude': [claude, ['src/commands/flags.js'], ['src/format/json.js', 'printJson']],
  'plan mode of codex': [codex, [], []],
  'spec-kit': [
    specKit,
    ['src/args/parse.js'],
    ['tests/contract/list.test.js', 'src/format/json.js'],
  ],
  'task-master': [taskMaster, ['src/commands/list.js:40'], ['src/format/json.js']],
  'a plain list': [
    '- read the flag in `src/cli.js`\n- call `readTodos()` of `lib/store.js`\n',
    ['lib/store.js'],
    [],
  ],
  'one in Chinese': [chinese, [], []],
  'one without any path': ['1. Think of the flag.\n2. Print JSON.\n', [], []],
  'one that is no plan': ['Hello, how are you?\n', [], []],
} as const;

async function fast(rig: Rig, plan: string) {
  rig.write('plan.md', plan);
  const { code, stdout } = await rig.conclave('critique', '--fast', '--json', 'plan.md');
  const { places, unchecked } = JSON.parse(stdout);
  const all: readonly { readonly status: string; readonly text: string }[] = places;
  const of = (wanted: string) => all.flatMap(({ status, text }) => (status === wanted ? text : []));
  return { code, wrong: of('wrong'), made: of('new'), unchecked };
}

const supports = {
  examine: {
    answer: {
      stances: [
        { solution: 'A', stance: 'support', reasons: ['Read src/cli.js:6.'], evidence: [] },
      ],
      revision: null,
      search_terms: [],
      questions: [],
    },
  },
};

test.each(Object.entries(plans))(
  '%s is told its wrong places, by the places alone and after an examination',
  async (_, [plan, wrong, made]) => {
    const rig = await todoRig();
    const code = wrong.length === 0 ? 0 : 4;
    expect(await fast(rig, plan)).toEqual({ code, wrong, made, unchecked: null });
    configureVendors(rig, { alpha: supports });
    const full = await rig.conclave('critique', 'plan.md');
    expect(full.code).toBe(code);
    expect(rig.json('critique.json')).toMatchObject({
      verdict: code === 4 ? 'revise' : 'sound',
      answered_by: [{ agent: 'alpha' }],
    });
  },
);

test('one of 2,000 lines is checked as far as it is said, and examined', short, async () => {
  const rig = await todoRig();
  const { code, wrong, unchecked } = await fast(rig, long);
  expect({ code, wrong: wrong.length, unchecked }).toEqual({
    code: 4,
    wrong: 491,
    unchecked: 'Not checked: 1500 places after the first 500.',
  });
  configureVendors(rig, { alpha: supports });
  const full = await rig.conclave('critique', 'plan.md');
  expect(full.code).toBe(4);
  expect(full.stdout).toContain('Not checked: 1500 places after the first 500.');
});
