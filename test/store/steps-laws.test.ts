import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JournalRecord } from '../../src/store/journal.ts';
import { journalSteps, voidFrom } from '../../src/store/logged-steps.ts';
import { memorySteps } from '../helpers/memory-steps.ts';
import type { SessionFolder } from '../../src/store/session-folder.ts';
import type { StepKind } from '../../src/model/step.ts';
import type { Steps } from '../../src/store/steps-port.ts';
import { ask, newSession, withJournal } from './room.ts';

/** A made-up session: groups that follow each other, each with steps that run side by side. */
type Program = readonly (readonly StepKind[])[];

const program: fc.Arbitrary<Program> = fc.array(
  fc.array(fc.constantFrom<StepKind>('work', 'question', 'calculation'), {
    minLength: 1,
    maxLength: 4,
  }),
  { minLength: 1, maxLength: 4 },
);

interface Witness {
  /** Keys in the order in which they were really done. */
  readonly done: string[];
  /** How many more may be done before the process "dies"; each takes that many turns. */
  left: number;
  readonly turns: readonly number[];
}

class Died extends Error {}

/** Runs the program; the result of each group goes into the inputs of the next one. */
async function runProgram(steps: Steps, of: Program, witness: Witness): Promise<string> {
  let past = '';
  for (const [round, kinds] of of.entries()) {
    const group = kinds.map(async (kind, seat) => {
      const key = `round-${round}/seat-${seat}`;
      const { value } = await steps.run(ask(key, { kind, input: { past } }), () =>
        doIt(witness, key),
      );
      return value;
    });
    const ends = await Promise.allSettled(group);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    past += ends.map((end) => (end.status === 'fulfilled' ? end.value : '')).join();
  }
  return past;
}

async function doIt(witness: Witness, key: string): Promise<string> {
  const turns = witness.turns[witness.done.length % witness.turns.length] ?? 0;
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  if (witness.left === 0) throw new Died();
  witness.left -= 1;
  witness.done.push(key);
  return `result of ${key}`;
}

const scenario = fc.record({
  of: program,
  lives: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 4 }),
  turns: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 7 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;
type InOneLife = (action: (steps: Steps) => Promise<string>) => Promise<string>;

/** Dies and resumes as the scenario says, then runs to the end. */
async function liveOn(inOneLife: InOneLife, { of, lives, turns }: Scenario) {
  const witness: Witness = { done: [], left: 0, turns };
  for (const left of [...lives, Infinity]) {
    witness.left = left;
    try {
      const end = await inOneLife((steps) => runProgram(steps, of, witness));
      return { end, done: witness.done };
    } catch (error) {
      if (!(error instanceof Died)) throw error;
    }
  }
  throw new Error('the last life has no end');
}

const keysOf = (of: Program) =>
  of.flatMap((kinds, round) => kinds.map((_, seat) => `round-${round}/seat-${seat}`));
const straight = (of: Program) =>
  runProgram(memorySteps(), of, { done: [], left: Infinity, turns: [0] });

/** What must hold for any store of steps; `newStore` gives an empty one. */
function laws(newStore: () => Promise<InOneLife>) {
  return fc.asyncProperty(scenario, async (given) => {
    const inOneLife = await newStore();
    const { end, done } = await liveOn(inOneLife, given);
    expect(end).toBe(await straight(given.of));
    expect(done.toSorted()).toEqual(keysOf(given.of).toSorted());
    const after = await liveOn(inOneLife, { ...given, lives: [] });
    expect(after).toEqual({ end, done: [] });
  });
}

async function inJournal(): Promise<{ folder: SessionFolder; inOneLife: InOneLife }> {
  const folder = await newSession();
  const inOneLife: InOneLife = (action) =>
    withJournal(folder, (journal) => action(journalSteps(journal)));
  return { folder, inOneLife };
}

function inMemory(): Promise<InOneLife> {
  const records: JournalRecord[] = [];
  return Promise.resolve((action) => action(memorySteps(records)));
}

/** A journal costs a flush to the disk for each step, so that it has fewer runs. */
const stores = [
  ['a journal', async () => (await inJournal()).inOneLife, 80],
  ['memory', inMemory, 200],
] as const;

test.each(stores)(
  'in %s, over any deaths and any order, a session ends the same and does nothing twice',
  async (_, newStore, numRuns) => {
    const check = await fc.check(laws(newStore), { numRuns });
    expect(fc.defaultReportMessage(check)).toBeUndefined();
  },
);

test('voiding any step has it and all that built on it done once more, and no other', async () => {
  const redone = fc.asyncProperty(scenario, fc.nat(), async (given, pick) => {
    const { folder, inOneLife } = await inJournal();
    const { end } = await liveOn(inOneLife, given);
    const keys = keysOf(given.of);
    const key = keys[pick % keys.length] ?? '';
    const redo = await withJournal(folder, (journal) => voidFrom(journal, [key], 'redo'));
    const [round] = key.split('/');
    expect(redo).toEqual(expect.arrayContaining(keys.filter((other) => other > `${round}/~`)));
    const again = await liveOn(inOneLife, { ...given, lives: [] });
    expect(again.end).toBe(end);
    expect(again.done.toSorted()).toEqual(redo.toSorted());
  });
  const check = await fc.check(redone, { numRuns: 30 });
  expect(fc.defaultReportMessage(check)).toBeUndefined();
});
