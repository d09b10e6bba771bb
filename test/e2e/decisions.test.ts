import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ContextPackage } from '../../src/model/context-package.ts';
import { Event } from '../../src/model/event.ts';
import {
  agreedRig,
  agreeing,
  calmVendor,
  planning,
  proposing,
  synthesisOf,
  analysedRig,
} from '../helpers/planned-rig.ts';
import { ended, printed } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { leavingFlags, todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import {
  configureVendors,
  formatterSolution,
  listSolution,
  stances,
  witnessed,
} from '../helpers/vendors.ts';

const asker = {
  propose: { answer: { solutions: [listSolution()], questions: ['Pretty or compact JSON?'] } },
  examine: agreeing,
  plan: planning,
};
const asking = { alpha: asker, beta: { ...asker, propose: proposing(formatterSolution()) } };

const named = (name: string, delay_ms = 0) => ({
  propose: {
    delay_ms,
    events: [{ kind: 'message', text: `Thinking of ${name}.`, partial: false }],
    answer: { recommended: name, solutions: [listSolution({ name })], questions: [] },
  },
  plan: planning,
});

test('while a round runs, nothing in the repository tells what an agent answered, also after a crash', async () => {
  const rig = await todoRig();
  configureVendors(rig, { alpha: named('Alpha way'), beta: named('Beta way', 600_000) });
  const child = rig.start('plan', '--auto-yes', '--json', todoTask);
  const end = ended(child);
  await printed(child, 'agent.answered');
  const early = JSON.stringify(rig.contents('.workflow'));
  child.kill('SIGKILL');
  await end;
  expect(early).toContain('round-1/open');
  expect(early).not.toContain('Alpha way');

  configureVendors(rig, { alpha: named('Alpha way'), beta: named('Beta way') });
  const { code, stderr } = await rig.conclave('resume', '--auto-yes');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(witnessed(rig, 'alpha').filter((line) => line.startsWith('start propose-1'))).toHaveLength(
    1,
  );
  const agents = Object.keys(rig.contents('.workflow')).filter((path) =>
    path.includes('rounds/1/agents/alpha/'),
  );
  expect(new Set(agents.map((path) => path.split('/').at(-1)))).toEqual(
    new Set(['prompt.md', 'events.jsonl', 'answer.json', 'receipt.json']),
  );
  expect(globSync('data/conclave/running/*', { cwd: rig.home })).toEqual([]);
});

test('used-up rounds without the convergence that was asked for can be resumed to the end', async () => {
  const rig = await todoRig();
  const vendor = { examine: agreeing, plan: planning };
  configureVendors(rig, {
    alpha: { ...vendor, propose: proposing(listSolution()) },
    beta: { ...vendor, propose: proposing(formatterSolution()) },
  });
  const flags = ['--auto-yes', '--require-convergence'];
  const first = await rig.conclave('plan', ...flags, '--max-rounds', '1', todoTask);
  expect(first).toMatchObject({ code: 4, stderr: expect.stringContaining('did not agree') });
  const again = await rig.conclave('resume', ...flags, '--max-rounds', '3');
  expect(again).toMatchObject({ code: 0, stderr: '' });
  const asked = witnessed(rig, 'alpha').filter((line) => line.startsWith('start propose-1 '));
  expect(asked).toHaveLength(1);
});

test('a resumed session goes the way that is recorded, whatever --max-rounds says now', async () => {
  const rig = await todoRig();
  const vendor = { examine: agreeing, plan: planning };
  configureVendors(rig, {
    alpha: { ...vendor, propose: proposing(listSolution()) },
    beta: { ...vendor, propose: proposing(formatterSolution()) },
  });
  const flags = [...leavingFlags, '--json', '--max-rounds'];
  const first = await rig.conclave('plan', ...flags, '3', todoTask);
  expect(wayIn(first.stdout)).toContain('discussion 2');
  for (const rounds of ['1', '9']) {
    const again = await rig.conclave('resume', ...flags, rounds);
    expect(again.stderr).toBe('');
    expect(wayIn(again.stdout)).toEqual(wayIn(first.stdout));
    expect(again.stdout).not.toContain('agent.started');
  }
});

/** The phases that printed events entered, each with its round. */
function wayIn(printedEvents: string): readonly string[] {
  return printedEvents
    .trim()
    .split('\n')
    .map((line) => Event.parse(JSON.parse(line)))
    .flatMap((event) =>
      event.type === 'phase.entered' ? `${event.phase} ${event.round ?? ''}`.trim() : [],
    );
}

describe('decisions', () => {
  test('--feedback without a question of the agents asks for more analysis, once, and is answered', async () => {
    const rig = await todoRig();
    const reply = { ...agreeing.answer, reply: 'JSON.stringify([]) prints [] (src/cli.js:6).' };
    const replying = { ...calmVendor, examine: { answer: reply } };
    configureVendors(rig, { alpha: replying, beta: calmVendor });
    const feedback = ['--feedback', 'Think of an empty list'];
    const { code, stdout } = await rig.conclave(
      'plan',
      '--auto-yes',
      '--max-rounds',
      '2',
      ...feedback,
      todoTask,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('need more analysis');
    expect(stdout).toMatch(/^asked +Think of an empty list$/m);
    expect(stdout).toMatch(
      /^reply +alpha: JSON\.stringify\(\[\]\) prints \[\] \(src\/cli\.js:6\)$/m,
    );
    expect(synthesisOf(rig, 1).convergence.recommendation).toBe('converged');
    expect(synthesisOf(rig, 2).round).toBe(2);
    expect(rig.json('execution-context.json')).toMatchObject({
      clarificationContext: { feedback: ['Think of an empty list'] },
    });
    const prompt = rig.read(
      `${rig.session().slice(rig.repo.length + 1)}/rounds/2/agents/alpha/prompt.md`,
    );
    expect(prompt).toContain('Think of an empty list');
  });

  test('--feedback reaches the plan where no agent with a model can analyse further', async () => {
    const rig = await todoRig();
    const flags = ['-y', '--tools', 'local', '--feedback', 'Compact JSON is fine'];
    const { code, stdout, stderr } = await rig.conclave('plan', ...flags, todoTask);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('More analysis needs an agent with a model')).toHaveLength(2);
    expect(stdout).not.toContain('round 2');
    const given = { clarificationContext: { feedback: ['Compact JSON is fine'] } };
    expect(rig.json('execution-context.json')).toMatchObject(given);
    expect(rig.json('context-package.json')).toMatchObject({ feedback: ['Compact JSON is fine'] });
  });

  test(
    'the agents’ questions are answered by --feedback and the answer reaches the next round',
    short,
    async () => {
      const rig = await todoRig();
      configureVendors(rig, asking);
      const { stdout } = await rig.conclave(
        'plan',
        '--auto-yes',
        '--feedback',
        'Compact.',
        todoTask,
      );
      expect(stdout).toContain('Pretty or compact JSON?');
      expect(rig.json('execution-context.json')).toMatchObject({
        clarificationContext: {
          answers: expect.arrayContaining([
            { question: 'Pretty or compact JSON?', answer: 'Compact.' },
          ]),
        },
      });
    },
  );

  test('without an answer the agents go on and are asked to state what they assume', async () => {
    const rig = await todoRig();
    configureVendors(rig, asking);
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('the agents continue and state their assumptions');
    const session = rig.session().slice(rig.repo.length + 1);
    const prompt = rig.read(`${session}/rounds/2/agents/beta/prompt.md`);
    expect(prompt).toContain('Asked: Pretty or compact JSON?\n  Answer: (Nobody answered.');
  });

  test('the options show who supports and opposes each and why, by the names of the solutions', async () => {
    const rig = await todoRig();
    const thin = { stance: 'support', reasons: ['LGTM'], evidence: [] };
    const examine = { answer: stances({ A: 'support', B: 'oppose' }) };
    configureVendors(rig, {
      alpha: { ...calmVendor, propose: proposing(listSolution()), examine },
      beta: {
        ...calmVendor,
        propose: proposing(formatterSolution()),
        examine: {
          answer: {
            ...examine.answer,
            preferred: null,
            stances: [
              { ...thin, solution: 'A' },
              { ...thin, solution: 'B' },
            ],
          },
        },
      },
    });
    const flags = ['--auto-yes', '--max-rounds', '2'];
    const { stdout } = await rig.conclave('plan', ...flags, todoTask);
    expect(stdout).toMatch(/ {2}alpha +answered in .*supports “\S.*”; opposes “/);
    expect(stdout).not.toMatch(/answered in .*(support|oppose|unsure) [AB]\b/);
    expect(stdout).toMatch(/^ +alpha would build it: The smallest change .*list\.js:4 found/m);
    expect(stdout).toMatch(/^ +alpha opposes it \(O\d, open\): The smallest/m);
    expect(stdout).toMatch(/^ +beta supports it, which is no vote, as no reason names/m);
    const { stdout: shown } = await rig.conclave('sessions', 'show');
    expect(shown).toMatch(
      /^Options of round 2:\n {2}1\. .* \(from (alpha|beta)\)\n {5}.*(would build|supports|opposes) it/m,
    );
    const plan = rig.read(`${rig.session().slice(rig.repo.length + 1)}/plan.md`);
    expect(plan).toMatch(/was proposed by (alpha|beta) \(.*(for|no vote): .*\)/);
    expect(plan).toContain('written by alpha');
  });

  test('where every solution is opposed --auto-yes shows them, plans nothing and ends with 4', async () => {
    const rig = await todoRig();
    const examine = { answer: stances({ A: 'oppose', B: 'oppose' }, { preferred: null }) };
    configureVendors(rig, {
      alpha: { ...calmVendor, propose: proposing(listSolution()), examine },
      beta: { ...calmVendor, propose: proposing(formatterSolution()), examine },
    });
    const stopped = await rig.conclave('plan', '--auto-yes', '--max-rounds', '2', todoTask);
    expect(stopped.code).toBe(4);
    expect(stopped.stderr).toContain('No agent supports any of the 2 options');
    expect(stopped.stdout).toContain('  2. ');
    expect(witnessed(rig, 'alpha').join()).not.toContain('plan');
    const chosen = await rig.conclave('resume', '--auto-yes', '--solution', '1');
    expect(chosen.stdout).toContain('option 1 (flags)');
  });

  test('flags that answer every question need no --auto-yes, and leave the plan unapproved', async () => {
    const rig = await todoRig();
    const flags = ['--solution', '1', '--execution', 'agent', '--review', 'agent'];
    const { code, stdout } = await rig.conclave('plan', ...flags, todoTask);
    expect(code).toBe(0);
    expect(stdout).toContain('approve it with: conclave review');
    const id = rig.session().split('/').at(-1) ?? '';
    const approved = await rig.conclave('resume', id, '--auto-yes', '--tools', 'local');
    expect(approved).toMatchObject({ code: 0, stderr: '' });
    expect(rig.json('execution-context.json')).toMatchObject({
      executionMethod: 'Agent',
      codeReviewTool: 'Agent Review',
    });
  });

  test('resume without a person names the question that is open', async () => {
    const rig = await analysedRig(...leavingFlags);
    const id = rig.session().split('/').at(-1) ?? '';
    const { code, stderr } = await rig.conclave('resume', id);
    expect(code).toBe(2);
    expect(stderr).toContain('the plan is not approved yet');
    // A finding may block it, and then `--approve` could not work.
    expect(stderr).toContain(`see what is open in it: conclave review ${id}.`);
    const { session } = JSON.parse((await rig.conclave('sessions', 'fork', id, '--json')).stdout);
    expect((await rig.conclave('resume', session)).stderr).toContain('no option was chosen');
  });

  test('a fork at the decision asks no agent again and leads to another plan', async () => {
    const rig = await todoRig();
    const vendor = { propose: proposing(listSolution(), formatterSolution()), examine: agreeing };
    configureVendors(rig, { alpha: vendor, beta: vendor });
    await rig.conclave('plan', '--auto-yes', todoTask);
    const first = ContextPackage.parse(rig.json('context-package.json'));
    const original = rig.session().split('/').at(-1) ?? '';
    const before = witnessed(rig, 'alpha').filter((line) => /propose|examine/.test(line));
    const forked = await rig.conclave('sessions', 'fork', original, '--json');
    expect(forked).toMatchObject({ code: 0, stderr: '' });
    const { session } = JSON.parse(forked.stdout);
    const again = await rig.conclave('resume', session, '--auto-yes', '--solution', '2');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(witnessed(rig, 'alpha').filter((line) => /propose|examine/.test(line))).toEqual(before);
    const second = ContextPackage.parse(
      JSON.parse(rig.read(`.workflow/.multi-cli-plan/${session}/context-package.json`)),
    );
    expect(second.solution.name).not.toBe(first.solution.name);
    expect((await rig.conclave('validate', session)).code).toBe(0);
  });

  test('resuming a finished session asks nobody and changes no byte', short, async () => {
    const rig = await agreedRig();
    const id = rig.session().split('/').at(-1) ?? '';
    const look = () => [witnessed(rig, 'alpha'), rig.contents(`.workflow/.multi-cli-plan/${id}`)];
    const before = look();
    const { code, stdout } = await rig.conclave('resume', id, '--auto-yes');
    expect(code).toBe(0);
    expect(stdout).toContain('The plan is approved');
    expect(look()).toEqual(before);
  });
});
