// Tests that a session reaches its user elsewhere: by their notify command, and by answers from another terminal.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../agents/agent-room.ts';
import { startSession } from '../../src/library/library-sessions.ts';
import { connect } from '../helpers/mcp-host.ts';
import { type Shown, admitted, servedPage, shown as shownIn } from '../helpers/page-client.ts';
import { agreeing, calmVendor, plannedRig, planning, proposing } from '../helpers/planned-rig.ts';
import { ended, program, type Rig } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, formatterSolution, listSolution } from '../helpers/vendors.ts';

const News = z.looseObject({
  event: z.enum(['question', 'end']),
  session: z.string(),
  id: z.string().nullish(),
  question: z.string().default(''),
  choices: z.array(z.looseObject({ value: z.string() })).default([]),
});
type News = z.infer<typeof News>;

let rig: Rig;
beforeEach(async () => {
  rig = await todoRig();
});

const heardFile = () => join(rig.home, 'heard.jsonl');

/** What the notify command was told so far, in whole lines. */
const heard = (): readonly News[] =>
  existsSync(heardFile())
    ? readFileSync(heardFile(), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => News.parse(JSON.parse(line)))
    : [];

/** Two vendors of two minds, and a command that keeps what it is told, or does something else. */
function configure(script = keeping()): void {
  const solution = listSolution();
  const vendor = { examine: agreeing, plan: planning };
  const asks = { answer: { solutions: [solution], questions: ['Pretty or compact?'] } };
  configureVendors(rig, {
    alpha: { ...vendor, propose: asks },
    beta: { ...vendor, propose: proposing(formatterSolution()) },
  });
  const words = [process.execPath, '-e', script];
  rig.config(`${rig.configured()}\n[notify]\ncommand = ${JSON.stringify(words)}\n`);
}

/** A program that adds what it reads to a file as one line. */
const keeping = () => `const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync(${JSON.stringify(heardFile())}, readFileSync(0, 'utf8') + '\\n');`;

/** Starts a session whose questions a program reads and never answers. */
function started(...args: readonly string[]): ChildProcess {
  const words = [program, ...args, '--json', '--stdin-events'];
  return spawn(process.execPath, words, {
    cwd: rig.repo,
    env: rig.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

const questions = () => heard().filter(({ event }) => event === 'question');

/** The next question after so many. */
async function question(number: number): Promise<News & { readonly id: string }> {
  await until(`question ${number} is told`, () => questions().length >= number);
  const one = questions()[number - 1];
  return { ...News.parse(one), id: one?.id ?? '' };
}

describe('a session whose user is elsewhere', () => {
  test('tells their command what it asks, and goes on with what they answer in another terminal', async () => {
    configure();
    const child = started('plan', '--max-rounds', '1', todoTask);
    const end = ended(child);
    const answer = async (id: string, ...words: readonly string[]) =>
      await rig.conclave('answer', basename(rig.session()), id, ...words);

    const first = await question(1);
    expect(first.question).toContain('Pretty or compact?');
    expect(await answer('000000', 'Compact.')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Question 000000 is not open; ${first.id} is.`),
    });
    expect(await answer(first.id, 'Compact.')).toMatchObject({ code: 0 });

    const second = await question(2);
    expect(second.choices.map(({ value }) => value)).toEqual(['1', '2', 'more', 'cancel']);
    // By default nothing of what models wrote leaves the machine besides the question.
    expect(JSON.stringify(second)).not.toContain('Branch in listTodos');
    expect(await answer(second.id, '7')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give one of: 1, 2, more, cancel'),
    });
    const shown = await rig.conclave('answer', basename(rig.session()));
    expect(shown.stdout).toContain(
      `conclave answer ${basename(rig.session())} ${second.id} ANSWER`,
    );
    expect(await answer(second.id, '1')).toMatchObject({ code: 0 });
    expect(await answer(second.id, '1')).toMatchObject({ code: 2 });

    const third = await question(3);
    expect(await answer(third.id, 'reject', 'Too', 'large.')).toMatchObject({ code: 0 });
    await end;
    expect(rig.json('session-state.json')).toMatchObject({
      user_decision: { solution: 'Branch in listTodos' },
      plan_rejected: { why: 'Too large.' },
    });
    expect(heard().at(-1)).toMatchObject({ event: 'end', session: basename(rig.session()) });
    expect(
      await rig.conclave('answer', basename(rig.session()), third.id, 'approve'),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `Nobody runs ${basename(rig.session())}. To continue: conclave resume`,
      ),
    });
  });

  test('does not take an answer without their seal, and none from within an agent', async () => {
    configure();
    const child = started('plan', '--max-rounds', '1', todoTask);
    const out = ended(child);
    const { id } = await question(1);
    const session = basename(rig.session());
    const folder = join(rig.home, 'data/conclave/answers', session);
    const open = z
      .looseObject({ id: z.string() })
      .parse(JSON.parse(readFileSync(join(folder, 'question.json'), 'utf8')));
    expect(open.id.startsWith(id)).toBe(true);
    const forged = { id: open.id, values: { '1': 'Forged.' }, seal: '0'.repeat(64) };
    writeFileSync(join(rig.home, 'forged.json'), JSON.stringify(forged));
    renameSync(join(rig.home, 'forged.json'), join(folder, 'answer.json'));
    await until('it is read', () => !existsSync(join(folder, 'answer.json')));
    const env = { ...rig.environment, CONCLAVE_RUN: 'somebody' };
    const inside = await ended(
      spawn(process.execPath, [program, 'answer', session, id, 'Mine.'], { cwd: rig.repo, env }),
    );
    expect(inside).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nobody may answer for the person'),
    });
    child.kill('SIGINT');
    const { stdout, stderr } = await out;
    expect(stdout + stderr).toContain('it does not have your seal');
    expect(stdout).not.toContain('Forged.');
  });

  test('is told once that their command fails, and waits for nothing', async () => {
    configure('process.exit(3)');
    const child = started('plan', '--max-rounds', '1', todoTask);
    const out = ended(child);
    await until('it asks', () => existsSync(join(rig.home, 'data/conclave/answers')));
    const folder = join(rig.home, 'data/conclave/answers', basename(rig.session()));
    await until('it can be answered', () => existsSync(join(folder, 'question.json')));
    child.kill('SIGINT');
    const { stderr } = await out;
    expect(stderr.match(/\[notify\] command failed/g)).toHaveLength(1);
  });
});

/** Answers the open question of the rig’s session from another terminal. */
async function answerOpen(...words: readonly string[]) {
  const session = basename(rig.session());
  const file = join(rig.home, 'data/conclave/answers', session, 'question.json');
  await until('a question is open', () => existsSync(file));
  const shown = await rig.conclave('answer', session, '--json');
  const { id } = z.looseObject({ id: z.string() }).parse(JSON.parse(shown.stdout));
  return { id, end: await rig.conclave('answer', session, id, ...words) };
}

const asks = (words: string) => (page: Shown) => page.status.includes(words);

describe('an answer from another terminal reaches', () => {
  test('a run of the library', async () => {
    configureVendors(rig, { alpha: calmVendor, beta: calmVendor });
    const session = await startSession({
      task: todoTask,
      cwd: rig.repo,
      environment: rig.environment,
      answer: () => new Promise(() => undefined),
    });
    expect((await answerOpen('1')).end).toMatchObject({ code: 0 });
    await until('the plan is there', () => existsSync(join(rig.session(), 'plan.json')));
    expect((await answerOpen('reject', 'Too', 'large.')).end).toMatchObject({ code: 0 });
    expect(await session.end).toMatchObject({ end: 'done' });
    expect(rig.json('session-state.json')).toMatchObject({ plan_rejected: { why: 'Too large.' } });
  });

  test('a page, which then shows the next question', async () => {
    rig = await plannedRig();
    const page = await servedPage(rig, 'review', basename(rig.session()), '--web');
    const headers = await admitted(page.port, page.token);
    await shownIn(page.port, headers, asks('What now?'));
    expect((await answerOpen('approve')).end).toMatchObject({ code: 0 });
    await shownIn(page.port, headers, asks('Carry it out now?'));
    const refused = await rig.conclave('answer', basename(rig.session()), '000000', 'now');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'consent to run or apply something is given only in the terminal where it runs',
      ),
    });
    page.child.kill('SIGTERM');
    await page.ended;
    expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user' });
  });
});

test('the question of a host’s job is told, and the host or a person goes on with the session', async () => {
  configure();
  const { call } = await connect(rig, { person: 'agrees' });
  const { facts } = await call('plan_start', { task: todoTask, wait_s: 100 });
  expect(facts).toMatchObject({ state: 'waiting', waits_for: 'questions of the agents' });
  await until('it is told', () => questions().length === 1);
  expect(questions()[0]).toMatchObject({ id: null, session: basename(rig.session()) });
  const session = basename(rig.session());
  const refused = await rig.conclave('answer', session, '00000000', 'Compact.');
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Nobody runs ${session}. To continue: conclave resume`),
  });
  const next = await call('plan_decide', { session, answers: ['Compact.'], wait_s: 100 });
  expect(next.facts).toMatchObject({ state: 'waiting', waits_for: 'decision' });
});

test('a notify command that hangs does not keep back the end of a host’s job', async () => {
  rig = await plannedRig();
  const file = join(rig.home, 'pid');
  const hangs = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));
setInterval(() => undefined, 1000);`;
  const words = [process.execPath, '-e', hangs];
  rig.config(`${rig.configured()}\n[notify]\ncommand = ${JSON.stringify(words)}\n`);
  const { call } = await connect(rig, { person: 'agrees' });
  const session = basename(rig.session());
  const { facts } = await call('plan_review', { session, approve: true, wait_s: 100 });
  expect(facts).toMatchObject({ state: 'done' });
  await until('it runs', () => existsSync(file) && readFileSync(file, 'utf8') !== '');
  // It still runs, so nobody waited for its end.
  expect(process.kill(Number(readFileSync(file, 'utf8')), 0)).toBe(true);
});

test('what sessions used is shown by session, agent, phase and day', async () => {
  configure();
  expect((await rig.conclave('plan', '-y', '--max-rounds', '1', todoTask)).code).toBe(0);
  const { stdout } = await rig.conclave('sessions', 'cost', '--json');
  const uses = z
    .array(z.looseObject({ agent: z.string(), phase: z.string() }))
    .parse(JSON.parse(stdout));
  const day = new Date().toISOString().slice(0, 10);
  expect(uses).toContainEqual({
    session: basename(rig.session()),
    agent: 'alpha',
    phase: 'discussion',
    day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    calls: expect.any(Number),
    input_tokens: expect.any(Number),
    output_tokens: expect.any(Number),
    cost_usd: 0,
  });
  const table = (await rig.conclave('sessions', 'cost')).stdout;
  expect(table).toMatch(/^SESSION +AGENT +PHASE +DAY/);
  expect(table).toContain(day.slice(0, 7));
  expect(table.trim().split('\n').at(-1)).toMatch(/^all /);
});
