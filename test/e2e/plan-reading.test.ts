import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Event } from '../../src/model/event.ts';
import { PlanReading } from '../../src/model/plan-reading.ts';
import { planAnswer } from '../faults/three-rounds.ts';
import { connect } from '../helpers/mcp-host.ts';
import { calmVendor, proposing } from '../helpers/planned-rig.ts';
import { finding, finds, proof, readRig, replies } from '../helpers/read-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { leavingFlags, todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, formatterSolution, witnessed } from '../helpers/vendors.ts';

const readingOf = (rig: Rig) => PlanReading.parse(rig.json('plan-reading.json'));
const read = (rig: Rig, file: string) => readFileSync(join(rig.session(), file), 'utf8');
const calls = (rig: Rig, name: string, phase: string) =>
  witnessed(rig, name).filter((line) => line.startsWith(`start ${phase}`)).length;

/** Beta finds one thing, and alpha refuses it without a reason that counts. */
const openRig = (part: Parameters<typeof finding>[0]) =>
  readRig({
    alpha: { 'plan-reply': replies([{ finding: 'F1', action: 'refused', reason: 'No.' }]) },
    beta: { 'plan-review': finds(finding(part)) },
  });

describe('a plan is read by the vendor that did not write it', () => {
  test('who finds nothing is named with the plan, and the author is not asked again', async () => {
    const rig = await readRig({});
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout).toMatch(/plan reading +beta reads the plan/);
    expect(stdout).toMatch(/plan reading +no problems found by beta \(\d+k? tokens\)/);
    expect(readingOf(rig)).toMatchObject({
      version: 1,
      unread: '',
      findings: [],
      readers: [{ agent: 'beta', vendor: 'vendor-beta', tokens: expect.any(Number) }],
    });
    expect(read(rig, 'plan.md')).toContain('Read by beta: no problems found.');
    expect(calls(rig, 'alpha', 'plan-reply')).toBe(0);
  });

  test(
    'what its author fixes is a new version by the way of every plan, shown with its changes',
    short,
    async () => {
      const rig = await readRig({
        alpha: {
          'plan-reply': replies(
            [{ finding: 'F1', action: 'fixed', reason: 'TASK-001 hands the flag over.' }],
            'Hand the flag over and print JSON',
          ),
        },
        beta: { 'plan-review': finds(finding()) },
      });
      const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
      expect(code).toBe(0);
      expect(stdout).toContain('1 finding (1 fixed) by beta');
      expect(stdout).toMatch(/version 2 +1 change from the version before/);
      expect(rig.json('.task/TASK-001.json')).toMatchObject({
        title: 'Hand the flag over and print JSON',
      });
      expect(readingOf(rig)).toMatchObject({
        version: 2,
        findings: [
          {
            id: 'F1',
            agent: 'beta',
            fate: 'fixed',
            evidence: [{ path: 'src/cli.js', status: 'verified' }],
            reply: 'TASK-001 hands the flag over.',
          },
        ],
      });
      expect(read(rig, 'plan.md')).toContain(
        '- **F1, blocking, fixed** (TASK-001): The flag is cut',
      );
      expect(read(rig, 'planning/1/version-1/plan.json')).toContain('Print the todos as JSON');
      expect((await rig.conclave('review')).stdout).toContain('Plan, version 2');
      expect((await rig.conclave('validate')).code).toBe(0);
    },
  );

  test('a refusal with evidence that is found closes a finding, one without leaves it open', async () => {
    const rig = await readRig({
      alpha: {
        'plan-reply': replies([
          { finding: 'F1', action: 'refused', reason: 'It is handed over.', evidence: [proof] },
          { finding: 'F2', action: 'refused', reason: 'No.', evidence: [] },
          {
            finding: 'F3',
            action: 'refused',
            reason: 'See there.',
            evidence: [{ ...proof, quote: 'export function listEverything() {' }],
          },
        ]),
      },
      beta: {
        'plan-review': finds(
          finding(),
          finding({ problem: 'The second one.' }),
          finding({ problem: 'The third one.' }),
        ),
      },
    });
    const { code, stdout, stderr } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(6);
    expect(stdout).toContain('3 findings (1 refused, 2 open) by beta');
    expect(stderr).toContain('2 blocking findings of its readers are open');
    expect(stderr).toContain('beta found: The second one.');
    const { findings, version } = readingOf(rig);
    expect(findings.map(({ fate }) => fate)).toEqual(['refused', 'open', 'open']);
    expect(version).toBe(1);
    expect(rig.contents('.workflow')).not.toHaveProperty('approval.json');
  });

  test('flags never approve over an open blocking finding, which a terminal may', async () => {
    const rig = await openRig({});
    const { code, stderr } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect({ code, stderr }).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('in a terminal'),
    });
    const shown = await rig.conclave('review');
    expect(shown.stdout).toContain(
      'F1, blocking, open (TASK-001): The flag is cut off before listTodos',
    );
    for (const flags of [['--approve'], ['--approve', '--despite-findings']])
      expect((await rig.conclave('review', ...flags)).code).toBe(6);
    expect(rig.contents('.workflow')).not.toHaveProperty('approval.json');
  });

  test('a host approves over an open major finding only with despite_findings', async () => {
    const rig = await openRig({ severity: 'major' });
    expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(0);
    expect((await rig.conclave('review', '--set', 'TASK-001.title=Another')).code).toBe(0);
    const { call, questions } = await connect(rig, { era: 'auto', person: 'agrees' });
    const asked = { session: basename(rig.session()), approve: true, wait_s: 170 };
    const refused = await call('plan_review', asked);
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toMatch(/beta found: The flag.*despite.findings/s);
    await call('plan_review', { ...asked, despite_findings: true });
    expect(questions.at(-1)).toContain('despite open findings');
    expect(rig.json('approval.json')).toMatchObject({ open_findings: [finding().problem] });
  });

  test('flags approve over an open major finding only with a word, and it stands in the approval', async () => {
    const rig = await openRig({ severity: 'major' });
    expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(0);
    // What was approved by itself is approved anew.
    expect((await rig.conclave('review', '--set', 'TASK-001.title=Another')).code).toBe(0);
    const refused = await rig.conclave('review', '--approve');
    expect(refused).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/beta found: The flag.* --approve --despite-findings/),
    });
    expect((await rig.conclave('review', '--despite-findings')).code).toBe(2);
    expect((await rig.conclave('review', '--approve', '--despite-findings')).code).toBe(0);
    expect(rig.json('approval.json')).toMatchObject({
      approved_by: 'flags',
      open_findings: [finding().problem],
    });
  });

  test('a finding whose evidence is not found neither blocks nor costs a reply', async () => {
    const rig = await readRig({
      beta: { 'plan-review': finds(finding({ quote: 'dropTheFlag(args);' })) },
    });
    expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(0);
    expect(readingOf(rig).findings).toMatchObject([
      { fate: 'open', evidence: [{ status: 'failed' }] },
    ]);
    expect(calls(rig, 'alpha', 'plan-reply')).toBe(0);
  });

  test('words of the plan are evidence, too, and what is fixed only by word stays open', async () => {
    const words = { path: '', line: null, quote: 'Read --json from args in listTodos' };
    const rig = await readRig({
      alpha: { 'plan-reply': replies([{ finding: 'F1', action: 'fixed', reason: 'Done.' }]) },
      beta: { 'plan-review': finds(finding(words)) },
    });
    const { code, stderr } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect({ code, stderr }).toMatchObject({ code: 6 });
    expect(readingOf(rig).findings).toMatchObject([
      {
        fate: 'open',
        evidence: [{ path: 'plan', status: 'verified' }],
        reply: 'said to be fixed, but the plan did not change',
      },
    ]);
  });

  test('a new plan with more that blocks it than before is not taken', async () => {
    const { answer } = replies([{ finding: 'F1', action: 'fixed', reason: 'Done.' }], 'Another');
    const tasks = answer.tasks.map((task) => ({ ...task, depends_on: ['TASK-009'] }));
    const rig = await readRig({
      alpha: { 'plan-reply': { answer: { ...answer, tasks } } },
      beta: { 'plan-review': finds(finding()) },
    });
    expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(6);
    const { findings, notes, version } = readingOf(rig);
    expect(version).toBe(1);
    expect(findings[0]?.reply).toContain('the new plan of alpha was not taken');
    expect(notes.join()).toContain('TASK-009');
    expect(read(rig, '.task/TASK-001.json')).not.toContain('Another');
  });
});

describe('what goes wrong with a reader ends nothing', () => {
  test('a reader that fails is told, and the plan goes on unread', async () => {
    const rig = await readRig({ beta: { 'plan-review': { exit: 3, stderr: 'out of paper' } } });
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('not read by others: beta');
    expect(stdout).toMatch(/plan reading +not read by others: beta did not read it.*\n(?! )/);
    expect(readingOf(rig)).toMatchObject({ readers: [], findings: [] });
    expect(rig.json('approval.json')).toMatchObject({
      unread: expect.stringContaining('not yet read by others: beta'),
    });
  });

  test('an answer that nobody can read is repaired once, then told', async () => {
    const rig = await readRig({ beta: { 'plan-review': { answer: 'Looks good to me!' } } });
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(calls(rig, 'beta', 'plan-review')).toBe(2);
    expect(stdout).toContain('not read by others: beta');
  });

  test('where no other vendor is ready it is said', async () => {
    const rig = await readRig({}, '');
    rig.config(rig.configured().replaceAll('vendor-beta', 'vendor-alpha'));
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('not read by others: no agent of another vendor than alpha is ready');
  });

  test('an author that gives no reply leaves every finding open', async () => {
    const rig = await readRig({
      alpha: { 'plan-reply': { exit: 3 } },
      beta: { 'plan-review': finds(finding({ severity: 'major' })) },
    });
    const { code } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(readingOf(rig)).toMatchObject({
      findings: [{ fate: 'open', reply: 'no reply that could be used' }],
      notes: [expect.stringContaining('alpha gave no reply')],
    });
  });
});

describe('the depth', () => {
  test('quick has nobody read the plan, and nothing is said of it', async () => {
    const rig = await readRig({});
    const quick = ['--depth', 'quick', '--max-rounds', '3'];
    const { stdout } = await rig.conclave('plan', '--auto-yes', ...quick, todoTask);
    expect(stdout).not.toContain('plan reading');
    expect(calls(rig, 'beta', 'plan-review')).toBe(0);
    expect(read(rig, 'plan.md')).not.toContain('What others found');
  });

  test('the cheapest other vendor reads by default, all of them where the session is deep', async () => {
    const rig = await todoRig();
    const long = {
      events: [{ kind: 'usage', tokens: { input: 9, output: 9, cached: 0 }, cost_usd: 5 }],
    };
    const costly = { ...calmVendor, propose: { ...calmVendor.propose, ...long } };
    configureVendors(rig, { alpha: calmVendor, beta: costly, gamma: calmVendor });
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout).toMatch(/plan reading +gamma reads the plan/);
    const deep = await rig.conclave('plan', '--auto-yes', '--depth', 'deep', todoTask);
    expect(deep.code).toBe(0);
    expect(deep.stdout).toMatch(/plan reading +gamma and beta read the plan/);
    const quick = await rig.conclave('plan', '--auto-yes', '--depth', 'quick', todoTask);
    expect(quick.stdout).not.toContain('plan reading');
    expect(quick.stdout).toContain('round 1 of at most 1');
  });

  test('whoever proposed the solution reads it only where nobody else can', async () => {
    const rig = await todoRig();
    const other = { ...calmVendor, propose: proposing(formatterSolution()) };
    configureVendors(rig, { alpha: other, beta: calmVendor, gamma: other });
    const once = ['--max-rounds', '1', '--solution', '2'];
    const { code, stdout } = await rig.conclave(
      'plan',
      ...once,
      '--execution',
      'agent',
      '--review',
      'skip',
      todoTask,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('beta prefers option 2');
    expect(stdout).toMatch(/plan reading +gamma reads the plan/);
  });

  test('a reader and the author are told what the plan check found', async () => {
    const rig = await readRig({
      alpha: {
        plan: { answer: { ...planAnswer, tasks: planAnswer.tasks.map(withUntrueStep) } },
        'plan-reply': replies([{ finding: 'F1', action: 'refused', reason: 'No.' }]),
      },
      beta: { 'plan-review': finds(finding()) },
    });
    await rig.conclave('plan', '--auto-yes', todoTask);
    const found = /plan check\n- warning \(/;
    expect(read(rig, 'planning/1/readers/beta/prompt.md')).toMatch(found);
    expect(read(rig, 'planning/1/alpha-reply/prompt.md')).toMatch(found);
  });

  test('a chosen reader reads with the model chosen for the phase, and with no other', async () => {
    const rig = await readRig({});
    rig.config(`${rig.configured()}\n[phases.plan-reading]\nagent = "alpha"\nmodel = "large-1"\n`);
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', '--json', todoTask);
    expect(code).toBe(0);
    const started = eventsIn(stdout).flatMap((event) =>
      event.type === 'agent.started' && event.agent === 'alpha' ? [event] : [],
    );
    expect(started.map(({ step, model }) => [step, model])).toEqual([
      ['round-1/propose/alpha', null],
      ['round-1/compare/alpha', null],
      ['plan-1/plan/alpha', null],
      ['reading-1/read/alpha', 'large-1'],
    ]);
    expect(calls(rig, 'beta', 'plan-review')).toBe(0);
  });

  test('a budget that has no room for a reader holds, and the plan goes on unread', async () => {
    const rig = await readRig({});
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', '--json', todoTask);
    expect(code).toBe(0);
    expect(calls(rig, 'beta', 'plan-review')).toBe(1);
    expect(stdout).toContain('"plan.shown"');
    rig.config(`${rig.configured()}\n[budget]\ncalls = 5\n`);
    const tight = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(tight).toMatchObject({ code: 0 });
    expect(tight.stdout).toContain('not read by others: the budget has no room for another call');
    expect(calls(rig, 'beta', 'plan-review')).toBe(1);
  });

  test('what the reader used is part of the sum of the session', async () => {
    const rig = await readRig({});
    const { stdout } = await rig.conclave('plan', '--auto-yes', '--json', todoTask);
    const end = eventsIn(stdout).at(-1);
    const runs = eventsIn(stdout).filter(({ type }) => type === 'agent.answered').length;
    expect(end).toMatchObject({ type: 'session.finished', spent: { agent_runs: runs } });
    expect(runs).toBe(6);
  });
});

describe('a session that goes on', () => {
  test('asks no reader twice', async () => {
    const rig = await readRig({
      alpha: { 'plan-reply': replies([{ finding: 'F1', action: 'refused', reason: 'No.' }]) },
      beta: { 'plan-review': finds(finding()) },
    });
    expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(6);
    const id = basename(rig.session());
    expect((await rig.conclave('resume', id, '--auto-yes')).code).toBe(6);
    expect(calls(rig, 'beta', 'plan-review')).toBe(1);
    expect(calls(rig, 'alpha', 'plan-reply')).toBe(1);
  });

  test('reads a plan that was written and not shown yet', async () => {
    const rig = await readRig({});
    expect((await rig.conclave('plan', ...leavingFlags, todoTask)).code).toBe(0);
    const lines = journalOf(rig);
    const at = lines.findIndex((line) => /"finished".*"plan-1\/write"/.test(line));
    writeFileSync(journalFile(rig), [...lines.slice(0, at + 1), ''].join('\n'));
    const resumed = await rig.conclave('resume', basename(rig.session()), '--auto-yes');
    expect(resumed).toMatchObject({ code: 0 });
    expect(calls(rig, 'beta', 'plan-review')).toBe(2);
  });

  test('a comment of a person makes a new version, which is not read again', async () => {
    const rig = await readRig({ beta: { 'plan-review': finds(finding({ severity: 'minor' })) } });
    expect((await rig.conclave('plan', ...leavingFlags, todoTask)).code).toBe(0);
    const sent = await rig.conclave('review', '--comment', 'Say more.');
    expect(sent).toMatchObject({ code: 0 });
    expect(calls(rig, 'beta', 'plan-review')).toBe(1);
  });

  test('what readers left open goes to the planner with a comment', async () => {
    const refused = replies([{ finding: 'F1', action: 'refused', reason: 'No.' }]);
    const rig = await readRig({
      alpha: { 'plan-reply': refused },
      beta: { 'plan-review': finds(finding()) },
    });
    expect((await rig.conclave('plan', ...leavingFlags, todoTask)).code).toBe(0);
    expect((await rig.conclave('review', '--comment', 'Say more.')).code).toBe(0);
    const [folder = ''] = globSync('planning/1/revision-*/alpha', { cwd: rig.session() });
    expect(read(rig, join(folder, 'prompt.md'))).toContain(
      `F1, blocking, TASK-001: ${finding().problem}`,
    );
  });
});

const withUntrueStep = (task: (typeof planAnswer)['tasks'][number]) => {
  return { ...task, uses: [{ name: 'formatRow', path: 'src/commands/list.js' }] };
};

const journalFile = (rig: Rig) => join(rig.session(), 'journal.jsonl');
const journalOf = (rig: Rig) => readFileSync(journalFile(rig), 'utf8').split('\n');

function eventsIn(stdout: string): readonly Event[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => Event.parse(JSON.parse(line)));
}
