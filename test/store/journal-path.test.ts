import { describe, expect, test } from 'vitest';
import { voidFrom } from '../../src/store/logged-steps.ts';
import { foldFinishedSteps } from '../../src/store/recorded-steps.ts';
import type { SessionFolder } from '../../src/store/session-folder.ts';
import {
  ask,
  failureOf,
  finished,
  notAgain,
  newSession,
  noted,
  opened,
  run,
  say,
  started,
  voided,
  withJournal,
} from './room.ts';

async function recorded(): Promise<SessionFolder> {
  const folder = await newSession();
  await run(folder, async (steps) => {
    await steps.run(ask('round-1/propose/codex'), say('a'));
    await steps.run(ask('round-1/propose/gemini'), say('b'));
    await steps.run(ask('synthesis-1'), say('c'));
  });
  return folder;
}

describe('divergence', () => {
  test('a new step stops where finished steps of other groups were not asked for', async () => {
    const folder = await recorded();
    await run(folder, async (steps, journal) => {
      await steps.run(ask('round-1/propose/gemini'), notAgain);
      const before = journal.bytes;
      expect(await failureOf(steps.run(ask('decision-1'), notAgain))).toEqual({
        reason: 'diverged',
        step: 'decision-1',
        missing: ['round-1/propose/codex', 'synthesis-1'],
      });
      expect(journal.bytes).toBe(before);
    });
  });

  test('steps of one group replay in any order, and some of them may be new', async () => {
    const folder = await newSession();
    await run(folder, (steps) => steps.run(ask('round-1/propose/codex'), say('a')));
    await run(folder, async (steps) => {
      await steps.run(ask('round-1/propose/gemini'), say('b'));
      const replayed = await steps.run(ask('round-1/propose/codex'), notAgain);
      expect(replayed.value).toBe('a');
    });
  });

  test('a step that had begun before them waits for none of the later ones', async () => {
    const folder = await newSession();
    await withJournal(folder, async (journal) => {
      for (const record of [started('slow'), started('fast'), finished('fast', 'f')])
        await journal.append(record);
    });
    await run(folder, async (steps) => {
      const both = [steps.run(ask('slow'), say('s')), steps.run(ask('fast'), notAgain)];
      expect((await Promise.all(both)).map((end) => end.replayed)).toEqual([false, true]);
    });
  });

  test('voided steps need not be asked for', async () => {
    const folder = await recorded();
    await withJournal(folder, (journal) => voidFrom(journal, ['round-1/propose/codex'], 'redo'));
    await run(folder, async (steps) => {
      expect((await steps.run(ask('decision-1'), say('d'))).replayed).toBe(false);
    });
  });
});

describe('voiding', () => {
  const records = [
    opened('MCP-x'),
    started('r1/a', 'r1'),
    started('r1/b', 'r1'),
    finished('r1/a'),
    finished('r1/b'),
    started('r2/a', 'r2'),
    started('r2/b', 'r2'),
    finished('r2/b'),
    finished('r2/a'),
    started('r3/a', 'r3'),
    noted('killed'),
    started('r3/a', 'r3'),
  ];

  test.each([
    // What was started after the step had finished, not what ran at the same time.
    [['r2/a'], ['r2/a', 'r3/a']],
    // By the first of several keys.
    [
      ['r2/b', 'r1/b'],
      ['r2/b', 'r1/b', 'r2/a', 'r3/a'],
    ],
    // By its start where it never finished.
    [['r3/a'], ['r3/a']],
    [['r9/x'], []],
  ])('%j takes along what built on it', async (keys, expected) => {
    await withJournal(await newSession(), async (journal) => {
      for (const record of records) await journal.append(record, { flush: false });
      const left = [...foldFinishedSteps(records).keys()].filter((key) => !expected.includes(key));
      expect(await voidFrom(journal, keys, 'redo')).toEqual(expected);
      expect([...foldFinishedSteps(journal.records).keys()]).toEqual(left);
    });
  });

  test('a voided step counts again once it is finished again', () => {
    const again = [...records, voided('r1/a'), started('r1/a'), finished('r1/a', 'new')];
    expect(foldFinishedSteps(again).get('r1/a')).toMatchObject({ result: 'new' });
    expect(foldFinishedSteps([...again, voided('r1/a')]).has('r1/a')).toBe(false);
  });
});
