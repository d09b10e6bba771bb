import type { Claim } from '../../src/model/proposal.ts';
import type { ReferenceStatus } from '../../src/model/synthesis.ts';
import { type SourceLine, plantKinds, sourceLines } from './plant-kinds.ts';
import { dice } from './seeded-dice.ts';

export interface SourceFile {
  readonly path: string;
  readonly content: string;
}

/** A claim of which it is known what the check has to say. */
export interface Plant {
  /** Whether the agent that wrote it would have been right, if only about. */
  readonly genuine: boolean;
  readonly expected: ReferenceStatus;
  readonly claim: Claim;
}

export interface Planted {
  /** The repository to check against: some of the files are withheld as deleted. */
  readonly files: readonly SourceFile[];
  /** Paths that the solution creates. */
  readonly planned: readonly string[];
  readonly plants: readonly Plant[];
}

/**
 * Makes `count` claims about a repository, true and false ones in turn, of every kind in
 * `plant-kinds.ts`. Each false one is proven false without the code under test: its quote is not
 * in the file even with all white space taken out. The same seed gives the same plants.
 */
export function plantReferences({
  files,
  count,
  seed,
}: {
  readonly files: readonly SourceFile[];
  readonly count: number;
  readonly seed: number;
}): Planted {
  const random = dice(seed);
  const shuffled = random.shuffled(files);
  const deleted = shuffled.slice(0, Math.ceil(files.length / 20));
  const kept = shuffled.slice(deleted.length);
  const planned = Array.from({ length: 5 }, (_, index) => `src/planned/new-part-${index + 1}.ts`);
  const soil = { files: kept, deleted, planned, random };
  const lines = sourceLines(kept);
  const plants: Plant[] = [];
  // A kind may not fit a line (a number to change, say); then another line is tried.
  for (let turn = 0; plants.length < count; turn += 1) {
    if (turn > count * 200) throw new Error('the files are too small to plant references in');
    const kind = plantKinds[plants.length % plantKinds.length];
    const claim = kind?.plant(random.pick(lines) satisfies SourceLine, soil) ?? null;
    if (kind === undefined || claim === null) continue;
    plants.push({ genuine: kind.genuine, expected: kind.expected, claim });
  }
  return { files: kept, planned, plants };
}

/** How a check did on plants, as shares from 0 to 1. */
export interface PlantRates {
  /** False references that were found. */
  readonly found: number;
  /** True references that were accused. */
  readonly accused: number;
  /** References with exactly the expected status. */
  readonly exact: number;
}

/** Compares the statuses that a check gave, in the order of the plants, with the expected ones. */
export function plantRates(
  plants: readonly Plant[],
  statuses: readonly ReferenceStatus[],
): PlantRates {
  const checked = plants.map((plant, index) => ({ plant, status: statuses[index] ?? 'failed' }));
  const failed = (genuine: boolean) =>
    share(
      checked.filter(({ plant }) => plant.genuine === genuine),
      ({ status }) => status === 'failed',
    );
  return {
    found: failed(false),
    accused: failed(true),
    exact: share(checked, ({ plant, status }) => plant.expected === status),
  };
}

/** The files as the part of a repository that references are checked against. */
export function repositoryOf(files: readonly SourceFile[]) {
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  return {
    files: async () => [...contents.keys()],
    read: async (path: string) => contents.get(path) ?? null,
    exists: async (path: string) => contents.has(path),
  };
}

function share<T>(all: readonly T[], holds: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(holds).length / all.length;
}
