import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openHistory } from '../../src/store/history.ts';
import { askJson, sentTo, talkRig } from '../helpers/talk-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { killed, killings, survivors, trials } from './three-rounds.ts';

const to = (...words: readonly string[]) => [
  'work',
  '--session',
  'mine',
  '--agent',
  'claude',
  words.join(' '),
];

async function turnsOf(rig: Rig, session = 'mine') {
  const history = await openHistory(join(rig.home, 'data/conclave/history.db'));
  const turns = history.turns({ project: rig.repo, session });
  history.close();
  return turns;
}

test('a turn that is killed at any moment loses no turn that was answered, and leaves no process', async () => {
  const rig = await talkRig();
  const answered: string[] = [];
  const faults = await killings(
    { count: Math.max(10, trials(100)), within: 1500 },
    async (at, trial) => {
      await killed(rig, to('wait', '700', String(trial)), at);
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
    },
  );
  expect(faults).toEqual([]);
  expect((await turnsOf(rig)).some(({ state }) => state === 'broken-off')).toBe(true);
});

test('of two turns at once in one conversation both are kept, and the next knows both', async () => {
  const rig = await talkRig();
  const rounds = Array.from({ length: Math.max(20, trials(50)) }, (_, round) => round);
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
