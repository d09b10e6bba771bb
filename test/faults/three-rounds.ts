import { randomInt } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Ended, type Rig, ended } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import {
  type VendorScript,
  configureVendors,
  formatterSolution,
  listSolution,
  stances,
} from '../helpers/vendors.ts';

export const isShort = process.env['CONCLAVE_FAULTS'] === 'short';

/** How many trials a battery runs: all of them, or one of so many with `CONCLAVE_FAULTS=short`. */
export function trials(all: number, oneOf = 30): number {
  return isShort ? Math.max(1, Math.round(all / oneOf)) : all;
}

/** A piece of a battery, with its share of the moments. */
interface Piece {
  readonly piece: number;
  readonly of: number;
  readonly count: number;
}

/** Cuts a battery into pieces that each fit into the time of a test, also on a busy machine. */
export function pieces(all: number, most: number): readonly Piece[] {
  const count = trials(all);
  const of = Math.ceil(count / most);
  const upTo = (piece: number) => Math.round((count * piece) / of);
  return Array.from({ length: of }, (_, at) => {
    return { piece: at + 1, of, count: upTo(at + 1) - upTo(at) };
  });
}

/**
 * Kills at moments spread over `within` ms, so many times; returns the faults of the first that has
 * some. The moments are random; `CONCLAVE_SEED` brings those of an earlier run back.
 */
export async function killings(
  { count, within, piece = 1, of = 1 }: Partial<Piece> & { count: number; within: number },
  faultsAfter: (at: number, trial: number) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const seed = Number(process.env['CONCLAVE_SEED'] ?? randomInt(2 ** 31));
  console.log(`${count} kills within ${Math.round(within)} ms, CONCLAVE_SEED=${seed}`);
  const random = randomFrom(seed);
  for (let trial = 0; trial < count; trial += 1) {
    const part = (piece - 1 + (trial + random()) / count) / of;
    const at = Math.round(within * part);
    const faults = await faultsAfter(at, trial);
    if (faults.length > 0) return faults.map((fault) => `killed after ${at} ms: ${fault}`);
  }
  return [];
}

/** Numbers from 0 to 1 that follow from the seed, by the generator mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Starts the program and kills it after so many ms; what it had printed by then comes back. */
export async function killed(rig: Rig, args: readonly string[], at: number): Promise<Ended> {
  const child = rig.start(...args);
  const end = ended(child);
  await wait(at);
  child.kill('SIGKILL');
  return await end;
}

/** How long the program takes with these words, in ms. */
export async function timeOf(rig: Rig, args: readonly string[]): Promise<number> {
  const start = performance.now();
  const { code, stderr } = await rig.conclave(...args);
  const unexpected = stderr.replaceAll(/^conclave: Not enforced: .*\n/gm, '');
  expect({ code, unexpected }).toEqual({ code: 0, unexpected: '' });
  return performance.now() - start;
}

export const vendors = ['alpha', 'beta', 'gamma'];

/** A repository with three vendors that argue for three rounds and then plan. */
export async function threeRounds(): Promise<Rig> {
  const rig = await todoRig();
  configureVendors(rig, {
    alpha: vendor('support', [listSolution()]),
    beta: vendor('oppose', [formatterSolution()]),
    gamma: vendor('unsure', [listSolution({ name: 'Print JSON in the list command' })]),
  });
  return rig;
}

function vendor(kind: 'support' | 'oppose' | 'unsure', solutions: unknown[]): VendorScript {
  const opinion = (round: number) => ({
    answer: stances(
      { A: kind, B: 'unsure', C: 'unsure' },
      {
        revision: listSolution({
          name: `Thought ${round} of ${kind}`,
          technical_concerns: [`concern ${round} ${kind}`],
        }),
      },
    ),
    delay_ms: 60,
  });
  return {
    propose: { answer: { solutions, questions: [] }, delay_ms: 60 },
    'examine-2': opinion(2),
    'examine-3': opinion(3),
    plan: { answer: { ...planAnswer, plan: settledPlan }, delay_ms: 60 },
  };
}

/** The plan takes these files over from the solution that was not chosen. */
const formatterChoice = {
  decision: 'The formats go into src/format.js, and src/cli.js chooses one.',
  rationale: 'listTodos stays short.',
};

/** The overview of a plan that refuses whatever was objected in three rounds. */
const settledPlan = {
  summary: 'Print the todos as JSON on request.',
  approach: 'Read the flag in listTodos.',
  design_decisions: [
    formatterChoice,
    {
      decision: 'The objections are refused.',
      rationale: 'src/commands/list.js:4 is the only place that prints.',
      answers: Array.from({ length: 60 }, (_, index) => `O${index + 1}`),
    },
  ],
};

/** What a planning agent answers for the todo project, whichever solution was chosen. */
export const planAnswer = {
  phase: 'planning',
  plan: {
    summary: 'Print the todos as JSON on request.',
    approach: 'Read the flag in listTodos.',
    design_decisions: [formatterChoice],
  },
  tasks: [
    {
      id: 'TASK-001',
      source: { original_id: 'T1' },
      title: 'Print JSON from listTodos',
      description: 'Read --json from args in listTodos and print JSON.stringify(todos).',
      depends_on: [],
      files: [{ path: 'src/commands/list.js', action: 'modify', change: 'Branch on the flag.' }],
      convergence: { criteria: ['`todo list --json` prints an array that JSON.parse reads'] },
      test: { commands: ['node --test'] },
    },
    {
      id: 'TASK-003',
      title: 'Choose the format in the command line',
      description: 'Put the formatters into src/format.js and choose one by flag in src/cli.js.',
      depends_on: ['TASK-001'],
      files: [
        { path: 'src/format.js', action: 'create', change: 'One function for each format.' },
        { path: 'src/cli.js', action: 'modify', change: 'Hand the format to listTodos.' },
      ],
      convergence: { criteria: ['src/format.js exports formatText and formatJson'] },
      test: { commands: ['node --test'] },
    },
    {
      id: 'TASK-002',
      source: { original_id: 'T2' },
      title: 'Test the JSON output',
      description: 'Parse the printed JSON in test/list.test.js.',
      depends_on: ['TASK-001'],
      files: [{ path: 'test/list.test.js', action: 'modify', change: 'Add a test.' }],
      convergence: { criteria: ['node --test passes with a test of the --json output'] },
      test: { commands: ['node --test'] },
    },
  ],
};

/** Processes that were started for this rig and still live, by their HOME. */
export function survivors(rig: Rig): readonly number[] {
  const own = `HOME=${rig.home}\0`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => environmentOf(pid).includes(own));
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch (error) {
    // It ended between the two looks, or is no longer ours to read.
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}

/** Temporary files that were left in the newest session. */
export function leftOvers(rig: Rig): readonly string[] {
  const names = readdirSync(join(rig.repo, '.workflow'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.tmp'));
}
