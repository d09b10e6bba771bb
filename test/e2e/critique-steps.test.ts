import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
  { plan = prose } = {},
): Promise<Rig> {
  const rig = await todoRig();
  configureVendors(rig, scripts);
  rig.write('plan.md', plan);
  return rig;
}

const tasksOf = (rig: Rig) =>
  Synthesis.parse(rig.json('rounds/1/synthesis.json')).solutions[0]?.implementation_plan.tasks.map(
    ({ name, files }) => [name, ...files.map(({ file }) => file)],
  );
const asked = (rig: Rig, name: string) =>
  witnessed(rig, name).flatMap((line) => /^start (\S+)/.exec(line)?.slice(1) ?? []);

test(
  'a plan in prose is one step, is examined whole, and costs no call but that of its examiners',
  short,
  async () => {
    const rig = await rigWith({ alpha: supports, beta: supports });
    const { code, stderr } = await rig.conclave('critique', 'plan.md');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(asked(rig, 'alpha')).toEqual(['examine-2']);
    expect(tasksOf(rig)).toHaveLength(1);
    const prompt = readFileSync(join(rig.session(), 'rounds/2/agents/beta/prompt.md'), 'utf8');
    expect(prompt).toContain(prose.trim());
  },
);

test('one examiner alone is told as the one who examined, and not as missing agreement', async () => {
  const plan = '1. Read the flag in `src/cli.js:6`.\n2. Test it in `test/list.test.js`.\n';
  const rig = await rigWith({ alpha: supports }, { plan });
  const { stdout } = await rig.conclave('critique', 'plan.md');
  expect(stdout).toContain('Only one vendor examined it.');
  expect(stdout).not.toContain('Agreement needs');
});
