import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Critique } from '../../src/model/critique.ts';
import { planning } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { configureVendors, type VendorScript, witnessed } from '../helpers/vendors.ts';

const plan = `# Print the todos as JSON

The list command gets a flag.

1. Read \`--json\` in \`src/commands/list.js:4\`.
2. Create \`src/format/json.js\` with \`printJson()\`.
3. Test it in \`test/list.test.js\`.
`;

const found = {
  statement: 'The command hands over the rest of its arguments.',
  path: 'src/cli.js',
  line: 6,
  quote: "if (command === 'list') listTodos(args);",
};
const invented = { ...found, path: 'src/cli.js', quote: 'parseFlags(process.argv)' };

/** An examination of the plan, which stands under the label A. */
const says = (stance: string, reason: string, evidence: readonly object[] = [], more = {}) => ({
  examine: {
    answer: {
      stances: [{ solution: 'A', stance, reasons: [reason], evidence, ...more }],
      revision: null,
      search_terms: [],
      questions: [],
    },
  },
});
const supports = says('support', 'Checked src/commands/list.js:4 and its caller.', [found]);
const opposes = says('oppose', 'The flag is cut off before (src/cli.js:6).', [found]);
const unproven = says('oppose', 'T1 parses the flags twice (src/cli.js:6).', [invented]);

async function rigWith(scripts: Readonly<Record<string, VendorScript>>): Promise<Rig> {
  const rig = await todoRig();
  configureVendors(rig, scripts);
  rig.write('plan.md', plan);
  return rig;
}

const critiqueOf = (rig: Rig) => Critique.parse(rig.json('critique.json'));
const calls = (rig: Rig, name: string) =>
  witnessed(rig, name).filter((line) => line.startsWith('start'));

test('examiners whose answers are of no use are ready all the same, so their words are pointed to', async () => {
  const chats = { examine: { answer: 'It looks fine to me.' } };
  const rig = await rigWith({ alpha: chats, beta: chats });
  const { code, stderr } = await rig.conclave('critique', 'plan.md');
  expect(code).toBe(3);
  expect(stderr).toContain('alpha: the answer contains no JSON object');
  expect(stderr).toContain('rounds/ in the session’s folder has what they wrote');
});

test('a plan that its examiners support is sound, and nobody is asked for a plan of their own', async () => {
  const rig = await rigWith({ alpha: supports, beta: supports });
  const { code, stdout, stderr } = await rig.conclave('critique', 'plan.md');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toMatch(/verdict +sound: alpha and beta found nothing against it\./);
  expect(critiqueOf(rig)).toMatchObject({ verdict: 'sound' });
  expect(calls(rig, 'alpha')).toHaveLength(1);
  expect(calls(rig, 'alpha')[0]).toMatch(/^start examine-2 /);
});

test(
  'an objection whose evidence is found sends the plan back, with its place',
  short,
  async () => {
    const rig = await rigWith({ alpha: opposes, beta: supports });
    const { code, stdout } = await rig.conclave('critique', 'plan.md');
    expect(code).toBe(4);
    expect(stdout).toContain('✗ alpha: The flag is cut off before (src/cli.js:6).');
    expect(stdout).toMatch(/examined by +alpha \(vendor-alpha\) opposes it/);
    expect(stdout).toMatch(/next +conclave critique --session \S+ --revise\n/);
    expect(critiqueOf(rig)).toMatchObject({
      verdict: 'revise',
      objections: [{ by: ['alpha'], proven: true, places: ['src/cli.js:6'] }],
    });
    expect(readFileSync(join(rig.session(), 'critique/plan.md'), 'utf8')).toBe(plan);
  },
);

test('an objection without evidence that is found is shown as unproven, and blocks nothing', async () => {
  const rig = await rigWith({ alpha: unproven, beta: supports });
  const { code, stdout } = await rig.conclave('critique', 'plan.md');
  expect(code).toBe(0);
  expect(stdout).toContain('? unproven, alpha: T1 parses the flags twice');
  expect(critiqueOf(rig)).toMatchObject({ verdict: 'unsure', objections: [{ proven: false }] });
});

test('the vendor of the author is not asked, and who does not answer is named', async () => {
  const rig = await rigWith({
    alpha: supports,
    beta: { examine: { exit: 1, stderr: 'no luck' } },
    gamma: supports,
  });
  const { code, stdout } = await rig.conclave(
    'critique',
    'plan.md',
    '--host-vendor',
    'Vendor-Alpha',
  );
  expect(code).toBe(0);
  expect(calls(rig, 'alpha')).toEqual([]);
  expect(stdout).toMatch(/examined by +beta did not answer: /);
  expect(critiqueOf(rig)).toMatchObject({
    host_vendor: 'vendor-alpha',
    answered_by: [{ agent: 'gamma', vendor: 'vendor-gamma', stance: 'support' }],
    unanswered: [{ agent: 'beta' }],
  });
});

test('a plan that only its author’s vendor could examine is refused in one sentence', async () => {
  const rig = await rigWith({ alpha: supports });
  const { code, stderr } = await rig.conclave(
    'critique',
    'plan.md',
    '--host-vendor',
    'vendor-alpha',
  );
  expect(code).toBe(2);
  expect(stderr).toContain('No agent is left to examine the plan');
});

test('a critique that was killed goes on where it was, and asks nobody twice', async () => {
  const slow = { examine: { ...supports.examine, delay_ms: 60_000 } };
  const rig = await rigWith({ alpha: supports, beta: slow });
  const run = rig.start('critique', 'plan.md');
  await expect
    .poll(() => witnessed(rig, 'alpha').some((line) => line.startsWith('end')))
    .toBe(true);
  await expect.poll(() => calls(rig, 'beta').length).toBe(1);
  run.kill('SIGKILL');
  await once(run, 'exit');
  configureVendors(rig, { alpha: supports, beta: supports });
  const { code, stderr } = await rig.conclave('resume');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(critiqueOf(rig)).toMatchObject({ verdict: 'sound', unanswered: [] });
  expect(calls(rig, 'alpha')).toHaveLength(1);
});

test('after the verdict, --plan goes on to an approved plan with tasks, and the report has both', async () => {
  const plans = { ...supports, plan: planning };
  const rig = await rigWith({ alpha: plans, beta: plans });
  rig.write(
    'plan.md',
    '1. Read `--json` in `src/commands/list.js:4`.\n2. Test it in `test/list.test.js`.\n',
  );
  await rig.conclave('critique', 'plan.md');
  const [, session = ''] = /\/(MCP-[^/]+)$/.exec(rig.session()) ?? [];
  const { code, stderr } = await rig.conclave(
    'critique',
    '--session',
    session,
    '--plan',
    '--auto-yes',
  );
  expect(readFileSync(join(rig.session(), 'plan.md'), 'utf8')).toContain(
    'effort and risk not rated',
  );
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(rig.json('.task/TASK-001.json')).toMatchObject({ id: 'TASK-001' });
  expect(calls(rig, 'alpha').filter((line) => line.includes('examine'))).toHaveLength(1);
  const shown = await rig.conclave('sessions', 'show', session);
  expect(shown.stdout).toContain('critique.json');
  await rig.conclave('report', session);
  const report = readFileSync(join(rig.session(), 'report.html'), 'utf8');
  expect(report).toContain('alpha (vendor-alpha) supports it');
  expect(report).toMatch(/a given plan, not rated/i);
});

test('the options after a verdict say that nobody rated the plan', async () => {
  const plans = { plan: planning };
  const rig = await rigWith({ alpha: { ...unproven, ...plans }, beta: { ...supports, ...plans } });
  const flags = ['--plan', '--auto-yes'];
  const { stdout } = await rig.conclave('critique', 'plan.md', ...flags);
  expect(stdout).toContain('from plan-author · a given plan, not rated');
  expect(stdout).not.toContain('feasibility');
});

const better = '# Print the todos as JSON\n\n1. Read `--json` in `src/cli.js:6`.\n';
const revises = {
  'revise-plan': {
    answer: {
      phase: 'revise-plan',
      plan: better,
      replies: [{ objection: 'O1', reply: 'Step 1 reads the flag where it is cut off.' }],
    },
  },
};

test(
  '--revise has a new version written that meets what stands against the plan, beside the plan as it was',
  short,
  async () => {
    const rig = await rigWith({ alpha: { ...opposes, ...revises }, beta: unproven });
    const { code, stdout } = await rig.conclave('critique', 'plan.md', '--revise');
    expect(code).toBe(4);
    expect(stdout).toContain('→ Step 1 reads the flag where it is cut off.');
    expect(critiqueOf(rig)).toMatchObject({
      revised: 'critique/revised-plan.md',
      revised_by: 'alpha',
      replies: [{ objection: 'O1' }],
    });
    const files = ['critique/revised-plan.md', 'critique/plan.md'];
    const texts = files.map((file) => readFileSync(join(rig.session(), file), 'utf8'));
    expect(texts).toEqual([better, plan]);
    const prompt = readFileSync(join(rig.session(), 'critique/revision/alpha/prompt.md'), 'utf8');
    expect(prompt).toContain(
      'O1: The flag is cut off before (src/cli.js:6). (evidence: src/cli.js:6)',
    );
    expect(prompt).not.toContain('T1 parses the flags twice');
  },
);

test('a wrong place that the revised plan still names is told, and stays wrong', async () => {
  const answer = { ...revises['revise-plan'].answer, plan: '1. Read it in `src/cli.js:900`.\n' };
  const rig = await rigWith({ alpha: { ...opposes, 'revise-plan': { answer } } });
  const { code, stdout, stderr } = await rig.conclave('critique', 'plan.md', '--revise');
  expect(code).toBe(4);
  expect(stdout + stderr).toMatch(
    /The revised plan still names 1 wrong place: src\/cli\.js:900 \(that file ends with line \d+\)/,
  );
});

test('a revision is asked for after the verdict, too, and nobody examines again', async () => {
  const rig = await rigWith({ alpha: { ...opposes, ...revises }, beta: supports });
  await rig.conclave('critique', 'plan.md');
  const [, session = ''] = /\/(MCP-[^/]+)$/.exec(rig.session()) ?? [];
  const { code } = await rig.conclave('critique', '--session', session, '--revise');
  expect(code).toBe(4);
  expect(critiqueOf(rig)).toMatchObject({ revised: 'critique/revised-plan.md' });
  expect(calls(rig, 'alpha').map((line) => line.split(' ')[1])).toEqual([
    'examine-2',
    'revise-plan-2',
  ]);
});

test('nobody revises a plan that nothing stands against', async () => {
  const rig = await rigWith({ alpha: { ...supports, ...revises } });
  const { code, stdout } = await rig.conclave('critique', 'plan.md', '--revise');
  expect(code).toBe(0);
  expect(stdout).toContain('Nothing had to be revised.');
  expect(critiqueOf(rig)).toMatchObject({ revised: null });
});
