import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { openHistory } from '../../src/store/history.ts';
import { askJson, sentTo, talkRig } from '../helpers/talk-rig.ts';
import { type Rig, ended } from '../helpers/rig.ts';
import { killed, killings, survivors, timeOf, trials } from './three-rounds.ts';

const to = (...words: readonly string[]) => [
  'work',
  '--session',
  'mine',
  '--agent',
  'claude',
  words.join(' '),
];

const slowly = (name: string) => [...to('wait', '150', name), '--json'];

async function turnsOf(rig: Rig, session = 'mine') {
  const history = await openHistory(join(rig.home, 'data/conclave/history.db'));
  const turns = history.turns({ project: rig.repo, session });
  history.close();
  return turns;
}

const statesOf = async (rig: Rig) => (await turnsOf(rig)).map(({ state }) => state);

test('a turn that is killed at any moment loses no turn that was answered, and leaves no process', async () => {
  const rig = await talkRig();
  const answered: string[] = ['wait 150 first'];
  const within = await timeOf(rig, slowly('first'));
  const faults = await killings({ count: trials(100, 16), within }, async (at, trial) => {
    const { stdout } = await killed(rig, slowly(`killed-${trial}`), at);
    if (stdout !== '') answered.push(`wait 150 killed-${trial}`);
    const { code } = await askJson(rig, ...to('say', `after-${trial}`));
    answered.push(`say after-${trial}`);
    const turns = await turnsOf(rig);
    const kept = turns.filter(({ state }) => state === 'answered').map((one) => one.question);
    const open = turns.filter(({ state }) => state === 'started' || state === 'failed');
    return [
      ...(code === 0 ? [] : [`the next turn ended with ${code}`]),
      ...answered.filter((one) => !kept.includes(one)).map((one) => `lost: ${one}`),
      ...open.map(({ number, state }) => `turn ${number} is ${state}`),
      ...survivors(rig).map((pid) => `still alive: ${pid}`),
    ];
  });
  expect(faults).toEqual([]);
});

test('a turn that was killed while its agent worked is told as broken off', async () => {
  const rig = await talkRig();
  const child = rig.start(...to('wait', '60000', 'held'));
  const end = ended(child);
  await vi.waitFor(async () => expect(await statesOf(rig)).toEqual(['started']), 60_000);
  child.kill('SIGKILL');
  await end;
  await askJson(rig, ...to('say', 'after'));
  expect(await statesOf(rig)).toEqual(['broken-off', 'answered']);
  expect(survivors(rig)).toEqual([]);
});

test('a history that the program is killed over while it makes it can be used', async () => {
  const rig = await talkRig();
  const file = join(rig.home, 'data/conclave/history.db');
  const search = ['sessions', 'search', 'word'];
  const within = await timeOf(rig, search);
  const faults = await killings({ count: Math.max(10, trials(100)), within }, async (at) => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    await killed(rig, search, at);
    const history = await openHistory(file);
    const hits = history.search(rig.repo, ['word'], 5).length;
    history.close();
    return [
      ...(hits === 0 ? [] : [`the word is found ${hits} times`]),
      ...survivors(rig).map((pid) => `still alive: ${pid}`),
    ];
  });
  expect(faults).toEqual([]);
});

test('a history of a newer version stays untouched, byte by byte, by every command that reads it', async () => {
  const rig = await talkRig();
  const folder = join(rig.home, 'data/conclave');
  mkdirSync(folder, { recursive: true });
  const newer = new DatabaseSync(join(folder, 'history.db'));
  newer.exec('CREATE TABLE things (a); PRAGMA user_version = 99');
  newer.close();
  const before = readFileSync(join(folder, 'history.db'));
  const commands = [
    to('say', 'x'),
    ['consult', '--agent', 'claude', 'x'],
    ['work', '--undo', '--session', 'mine'],
    ['sessions', 'search', 'x'],
    ['plan', '-y', '--session', 'mine', 'x'],
  ];
  for (const words of commands) {
    const { code, stderr } = await rig.conclave(...words);
    expect({ code, stderr }, words.join(' ')).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('was written by another version of conclave'),
    });
  }
  expect(readFileSync(join(folder, 'history.db')).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith('history.db'))).toEqual([
    'history.db',
  ]);
});

test('of two turns at once in one conversation both are kept, and the next knows both', async () => {
  const rig = await talkRig();
  const rounds = Array.from({ length: trials(50, 8) }, (_, round) => round);
  for (const round of rounds)
    await Promise.all(['a', 'b'].map((side) => askJson(rig, ...to('say', `${round}${side}`))));
  const asked = rounds.flatMap((round) => [`say ${round}a`, `say ${round}b`]);
  const kept = (await turnsOf(rig)).map(({ question }) => question);
  expect(new Set(kept)).toEqual(new Set(asked));
  expect(new Set(sentTo(rig, 'claude').flat())).toEqual(new Set(asked));
});

/** All prompts that were sent in a conversation, as one text. */
function promptsOf(rig: Rig, session: string): string {
  const folder = join(rig.home, 'data/conclave/conversations');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((path) => path.includes(`/${session}/`) && path.endsWith('/prompt.md'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
}

test('of turns at once in two conversations no word of one comes into the other', async () => {
  const rig = await talkRig();
  const rounds = Array.from({ length: Math.max(5, trials(50)) }, (_, round) => round);
  const sides = { apple: 'pear', pear: 'apple' };
  for (const round of rounds) {
    const ends = await Promise.all(
      Object.keys(sides).map((side) =>
        askJson(rig, 'work', '--session', side, '--agent', 'beta', `${side}-${round}-end`),
      ),
    );
    expect(ends.map(({ turn, state }) => [turn, state])).toEqual([
      [round + 1, 'answered'],
      [round + 1, 'answered'],
    ]);
  }
  for (const [side, other] of Object.entries(sides)) {
    const kept = (await turnsOf(rig, side)).map(({ question }) => question);
    expect(kept).toEqual(rounds.map((round) => `${side}-${round}-end`));
    const prompts = promptsOf(rig, side);
    expect(prompts).toContain(`${side}-0-end`);
    expect(prompts).not.toContain(`${other}-`);
  }
});
