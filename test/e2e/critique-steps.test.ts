import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Critique } from '../../src/model/critique.ts';
import { Synthesis } from '../../src/model/synthesis.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { configureVendors, type VendorScript, witnessed } from '../helpers/vendors.ts';

/** A plan in prose, of which rules make one step. */
const prose = `The list command should print JSON where somebody passes --json, as scripts have to read it.

First listTodos in src/commands/list.js looks for the flag among its arguments, and package.json
gets a script for it. Nothing else of the command changes, and the text form stays the default.

Then a case in test/list.test.js parses what was printed, with todos and without any.
`;

/** Takes the plan apart, with a file that is not in it. */
const lists: VendorScript = {
  'structure-plan': {
    answer: {
      phase: 'structure-plan',
      title: 'JSON for the list command',
      summary: 'The flag --json prints the todos as JSON.',
      steps: [
        { name: 'Read the flag', files: ['src/commands/list.js', 'src/store.js'] },
        { name: 'Add a script', files: ['package.json', 'src/nowhere.js:9'] },
        { name: 'Test it', files: ['./test/list.test.js:3'] },
      ],
    },
  },
};

const found = {
  statement: 'The command hands over the rest of its arguments.',
  path: 'src/cli.js',
  line: 6,
  quote: "if (command === 'list') listTodos(args);",
};
const supports = {
  examine: {
    answer: {
      stances: [
        { solution: 'A', stance: 'support', reasons: ['Read src/cli.js:6.'], evidence: [found] },
      ],
      revision: null,
      search_terms: [],
      questions: [],
    },
  },
};

async function rigWith(
  scripts: Readonly<Record<string, VendorScript>>,
  { plan = prose, more = '' } = {},
): Promise<Rig> {
  const rig = await todoRig();
  configureVendors(rig, scripts, more);
  rig.write('plan.md', plan);
  return rig;
}

const critiqueOf = (rig: Rig) => Critique.parse(rig.json('critique.json'));
const tasksOf = (rig: Rig) =>
  Synthesis.parse(rig.json('rounds/1/synthesis.json')).solutions[0]?.implementation_plan.tasks.map(
    ({ name, files }) => [name, ...files.map(({ file }) => file)],
  );
const asked = (rig: Rig, name: string) =>
  witnessed(rig, name).flatMap((line) => /^start (\S+)/.exec(line)?.slice(1) ?? []);

test(
  'a plan in prose gets its steps by one call of an examiner, with the files that its text names',
  short,
  async () => {
    const rig = await rigWith({ alpha: { ...supports, ...lists }, beta: supports });
    const { code, stdout, stderr } = await rig.conclave('critique', 'plan.md');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/alpha +asked to list the steps of the plan/);
    expect(stdout).toMatch(/alpha .*3 steps of the plan/);
    expect(stdout).toMatch(/steps +taken from the text by alpha\n/);
    expect(asked(rig, 'alpha')).toEqual(['structure-plan-1', 'examine-2']);
    expect(asked(rig, 'beta')).toEqual(['examine-2']);
    expect(tasksOf(rig)).toEqual([
      ['Read the flag', 'src/commands/list.js'],
      ['Add a script', 'package.json'],
      ['Test it', 'test/list.test.js'],
    ]);
    expect(critiqueOf(rig)).toMatchObject({ structured_by: 'alpha', structure_note: null });
    const prompt = readFileSync(join(rig.session(), 'rounds/2/agents/beta/prompt.md'), 'utf8');
    expect(prompt).toContain(prose.trim());
    expect(prompt).toContain('T2');
  },
);

test('an invented file of the answer is no place of the plan, so the verdict does not speak of it', async () => {
  const rig = await rigWith({ alpha: { ...supports, ...lists } });
  await rig.conclave('critique', 'plan.md');
  const { verdict, places } = critiqueOf(rig);
  expect(verdict).toBe('sound');
  expect(places.map(({ text }) => text)).toEqual(['src/commands/list.js', 'test/list.test.js']);
  expect(rig.json('session-state.json')).toMatchObject({ spent: { agent_runs: 2 } });
});

test.each([
  [
    'ends badly',
    { 'structure-plan': { exit: 3, stderr: 'boom' } },
    /^alpha could not read its steps: .*boom/,
  ],
  [
    'answers something else',
    { 'structure-plan': { answer: { phase: 'structure-plan', opinion: 'It is good.' } } },
    /^alpha could not read its steps: /,
  ],
  ['finds no steps', {}, /^alpha found no steps in it$/],
])('where the agent %s, rules take the plan apart, and it is said', async (_, script, note) => {
  const rig = await rigWith({ alpha: { ...supports, ...script }, beta: supports });
  const { code, stdout } = await rig.conclave('critique', 'plan.md');
  expect(code).toBe(0);
  expect(asked(rig, 'alpha').filter((one) => one.startsWith('structure'))).toHaveLength(1);
  expect(asked(rig, 'beta')).toEqual(['examine-2']);
  expect(stdout).toMatch(/steps +taken from the text by rules \(alpha /);
  const critique = critiqueOf(rig);
  expect(critique).toMatchObject({ verdict: 'sound', structured_by: 'rules' });
  expect(critique.structure_note).toMatch(note);
});

test('a budget that has room for the examiners alone is left to them, and it is said', async () => {
  const scripts = { alpha: { ...supports, ...lists }, beta: supports };
  const rig = await rigWith(scripts, { more: '[budget]\ncalls = 2\n' });
  const { code } = await rig.conclave('critique', 'plan.md');
  expect(code).toBe(0);
  expect([...asked(rig, 'alpha'), ...asked(rig, 'beta')]).toEqual(['examine-2', 'examine-2']);
  expect(critiqueOf(rig)).toMatchObject({
    structured_by: 'rules',
    structure_note: 'the budget has no room to ask an agent for its steps',
  });
});

test('the vendor of the author is not asked for the steps either', async () => {
  const scripts = { alpha: { ...supports, ...lists }, beta: { ...supports, ...lists } };
  const rig = await rigWith(scripts);
  await rig.conclave('critique', 'plan.md', '--host-vendor', 'vendor-alpha');
  expect(asked(rig, 'alpha')).toEqual([]);
  expect(critiqueOf(rig).structured_by).toBe('beta');
});

test('a critique that was killed after the steps were read does not ask for them again', async () => {
  const slow = { examine: { ...supports.examine, delay_ms: 60_000 } };
  const rig = await rigWith({ alpha: { ...slow, ...lists } });
  const run = rig.start('critique', 'plan.md');
  await expect.poll(() => asked(rig, 'alpha').includes('examine-2')).toBe(true);
  run.kill('SIGKILL');
  await once(run, 'exit');
  configureVendors(rig, { alpha: { ...supports, ...lists } });
  const { code } = await rig.conclave('resume');
  expect(code).toBe(0);
  expect(asked(rig, 'alpha').filter((one) => one.startsWith('structure'))).toHaveLength(1);
  expect(critiqueOf(rig).structured_by).toBe('alpha');
});

test('one examiner alone is told as the one who examined, and not as missing agreement', async () => {
  const plan = '1. Read the flag in `src/cli.js:6`.\n2. Test it in `test/list.test.js`.\n';
  const rig = await rigWith({ alpha: supports }, { plan });
  const { stdout } = await rig.conclave('critique', 'plan.md');
  expect(stdout).toContain('Only one vendor examined it.');
  expect(stdout).not.toContain('Agreement needs');
});
