import { once } from 'node:events';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { Event } from '../../src/model/event.ts';
import { readJournal } from '../../src/store/journal.ts';
import { readJournalText } from '../../src/store/journal-record.ts';
import { openSessionFolder } from '../../src/store/session-folder.ts';
import { until } from '../agents/agent-room.ts';
import { leftOvers, survivors } from '../faults/three-rounds.ts';
import { type Rig, makeRig } from '../helpers/rig.ts';
import { todoProject, todoTask } from '../helpers/todo-project.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from './model-server/server.ts';
import { isFull } from './extent.ts';
import { clis } from './install.ts';
import { realClis } from './real-clis.ts';
import { configureClis, goodAnswer, headOf, seated } from './three-clis.ts';

const constraint = 'No new dependency';
const flags = [
  '--auto-yes',
  '--json',
  '--max-rounds',
  '2',
  '--tools',
  seated.join(','),
  '--constraint',
  constraint,
];
const count = isFull ? 20 : 2;
// By turns from the start of the rounds on, and from the first answer on.
const trials = Array.from({ length: count }, (_, trial) => ({
  trial,
  from: trial % 2 === 0 ? ('round.started' as const) : ('agent.answered' as const),
}));

let server: ModelServer;
let rig: Rig;
/** How long it takes from there to the end of the rounds when nothing is killed, in ms. */
let spans = { 'round.started': 0, 'agent.answered': 0 };

beforeAll(async () => {
  server = await startModelServer();
  server.fallback(goodAnswer);
  rig = makeRig();
  await todoProject(rig);
  configureClis(rig, { url: server.url });
  spans = await spansOfRounds();
}, 120_000);
afterAll(async () => {
  rig.remove();
  await server.close();
});

test.each(trials)(
  'a run killed in a round goes on without asking again what was answered ($trial, $from)',
  async ({ trial, from }) => {
    const start = server.log.length;
    const { child, reached } = startPlan();
    await reached(from);
    await wait((spans[from] * (trial + Math.random())) / count);
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');

    const session = rig.session().split('/').at(-1) ?? '';
    const answered = await answeredRuns(session);
    expect(answered.length).toBeGreaterThanOrEqual(from === 'agent.answered' ? 1 : 0);
    const before = server.log.length;
    expect(server.log.slice(start).map(runOf)).toEqual(expect.arrayContaining([...answered]));
    const { code, stderr } = await rig.conclave('resume', '--auto-yes', '--json', session);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // It was resumed without a flag: what was chosen at the start still holds.
    expect(rig.json('session-state.json')).toMatchObject({ max_rounds: 2 });
    expect(rig.json('execution-context.json')).toMatchObject({ userConstraints: [constraint] });
    const again = new Set(server.log.slice(before).map(runOf));
    expect(answered.filter((run) => again.has(run))).toEqual([]);

    await until('no process is left', () => survivors(rig).length === 0);
    expect(leftOvers(rig)).toEqual([]);
    expect((await rig.conclave('validate')).code).toBe(0);
    forget();
  },
  180_000,
);

async function spansOfRounds(): Promise<typeof spans> {
  const { child, reached } = startPlan();
  const ended = once(child, 'exit');
  const started = await reached('round.started');
  // The look for survivors that the trials end with does find each of them.
  const missed = new Set<string>(seated);
  await until('each CLI was seen to run', () => {
    const lines = survivors(rig).map(commandLine);
    for (const name of missed) {
      if (lines.some((line) => line.includes(join(clis, name)))) missed.delete(name);
    }
    return missed.size === 0;
  });
  const answered = await reached('agent.answered');
  const end = await reached('options.presented');
  expect(await ended).toEqual([0, null]);
  forget();
  return { 'round.started': end - started, 'agent.answered': end - answered };
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch (error) {
    // It ended between the two looks.
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}

/** A plan in the making, and how to wait until it tells something of a type. */
function startPlan() {
  const child = rig.start('plan', ...flags, todoTask);
  const told = new Map<Event['type'], number>();
  if (child.stdout === null) throw new Error('nothing is told');
  // A killed one may have been in the middle of a line.
  createInterface(child.stdout).on('line', (line) => {
    if (!line.endsWith('}')) return;
    const { type } = Event.parse(JSON.parse(line));
    if (!told.has(type)) told.set(type, performance.now());
  });
  child.stderr?.resume();
  /** Resolves with the time of the first of them, in ms. */
  async function reached(type: Event['type']): Promise<number> {
    for (;;) {
      const at = told.get(type);
      if (at !== undefined) return at;
      if (child.exitCode !== null) throw new Error(`it ended before ${type}`);
      await wait(10);
    }
  }
  return { child, reached };
}

/** Runs of agents that were recorded as answered, as `runOf` names them; those of a round lie apart. */
async function answeredRuns(session: string): Promise<readonly string[]> {
  const { records } = await readJournal(await openSessionFolder(rig.repo, session));
  const apart = globSync('data/conclave/running/*/*.jsonl', { cwd: rig.home }).flatMap(
    (name) => readJournalText(readFileSync(join(rig.home, name)), session).records,
  );
  return [...records, ...apart].flatMap((record) => {
    if (record.type !== 'finished' || !Answered.safeParse(record.result).success) return [];
    const [, round, phase, agent] = runKey.exec(record.key) ?? [];
    const dialect = seated.find((name) => name === agent);
    return dialect === undefined ? [] : [`${realClis[dialect].dialect} ${phase} ${round}`];
  });
}

const Answered = z.object({ ended: z.literal('answered') });
const runKey = /^round-(\d+)\/(propose|examine)\/([a-z]+)/;

/** Which agent run a question to the model belongs to. */
function runOf(asked: LoggedRequest): string {
  const { phase, round } = headOf(asked);
  return `${asked.dialect} ${phase} ${round}`;
}

function forget(): void {
  rmSync(join(rig.repo, '.workflow'), { recursive: true, force: true });
}
