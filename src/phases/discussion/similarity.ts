import { isTest, kindOf } from '../../context/file-kinds.ts';
import { nameOfPath } from '../../git/paths.ts';
import type { SolutionTask } from '../../model/proposal.ts';
import type { AffectedFile, Solution } from '../../model/synthesis.ts';
import { compareTexts } from '../../model/wording.ts';
import { topicWords } from '../topic-words.ts';

/** What of a solution is compared: a proposed one has it, and a joined one too. */
export interface Comparable extends Pick<
  Solution,
  'name' | 'summary' | 'implementation_plan' | 'dependencies'
> {
  readonly affected_files: readonly Pick<AffectedFile, 'file' | 'action' | 'status'>[];
}

/**
 * How alike solutions of one round are, from 0 to 1: the cosine between weighted bags of the
 * words that they state (the name counts double; summary, approach, tasks, key points, new
 * packages and names of new files once) and of the files that they touch. A word or file weighs
 * the less, the more solutions of the round have it: what all share is the task, not the idea.
 * Files whose reference failed do not count.
 */
export function similarityIn(
  round: readonly Comparable[],
): (a: Comparable, b: Comparable) => number {
  const bags = new Map(round.map((solution) => [solution, bagOf(solution)]));
  const having = new Map<string, number>();
  for (const bag of bags.values()) {
    for (const word of bag.keys()) having.set(word, (having.get(word) ?? 0) + 1);
  }
  const rarity = (word: string) => Math.log(1 + round.length / (having.get(word) ?? 1));
  const weighted = (solution: Comparable) => {
    const bag = bags.get(solution) ?? bagOf(solution);
    return new Map([...bag].map(([word, count]) => [word, count * rarity(word)]));
  };
  return (a, b) => cosine(weighted(a), weighted(b));
}

/**
 * How much of what two solutions change is the same, from 0 to 1: the part of the files that both
 * change in the same manner, among those that either changes. Tests follow from the rest and do
 * not count, unless there is nothing else. For solutions whose sentences are made from a template.
 */
export function changesInCommon(a: Comparable, b: Comparable): number {
  const [ours, theirs] = [changesOf(a), changesOf(b)];
  const both = [...ours].filter((change) => theirs.has(change)).length;
  return both === 0 ? 0 : both / (ours.size + theirs.size - both);
}

/**
 * The part of the existing code that both change, among what either changes, from 0 to 1; 1 where
 * neither changes any. Tests and documents follow from the rest, and new files have any name.
 */
export function codeInCommon(a: Comparable, b: Comparable): number {
  const [ours, theirs] = [existingCode(a), existingCode(b)];
  if (ours.size === 0 || theirs.size === 0) return 1;
  const both = [...ours].filter((file) => theirs.has(file)).length;
  return both / (ours.size + theirs.size - both);
}

function existingCode({ affected_files: files }: Comparable): ReadonlySet<string> {
  const changed = files.filter(
    ({ file, action, status }) =>
      status !== 'failed' && action !== 'create' && kindOf(file) === 'source',
  );
  return new Set(changed.map(({ file }) => file));
}

function changesOf({ affected_files: files }: Comparable): ReadonlySet<string> {
  const sound = files.filter(({ status }) => status !== 'failed');
  const own = sound.filter(({ file }) => !isTest(file));
  return new Set((own.length > 0 ? own : sound).map(({ file, action }) => `${action} ${file}`));
}

/** The files that a solution touches; references that failed the check do not count. */
export function touched({ affected_files: files }: Comparable): ReadonlySet<string> {
  return new Set(files.filter(({ status }) => status !== 'failed').map(({ file }) => file));
}

type Bag = ReadonlyMap<string, number>;

function bagOf(solution: Comparable): Bag {
  const { name, summary, implementation_plan: plan, dependencies } = solution;
  const texts = [
    name,
    name,
    summary,
    plan.approach,
    ...plan.tasks.flatMap((task) => [task.name, task.key_point ?? '', ...newNames(task)]),
    ...dependencies.external,
  ];
  const counts = new Map<string, number>();
  for (const word of texts.flatMap(topicWords)) counts.set(word, (counts.get(word) ?? 0) + 1);
  // The tenth mention of a word says less than the first.
  const bag = new Map([...counts].map(([word, count]) => [word, Math.sqrt(count)]));
  for (const file of touched(solution)) bag.set(`file ${file}`, 1);
  return bag;
}

function newNames({ files }: SolutionTask): readonly string[] {
  return files.filter(({ action }) => action === 'create').map(({ file }) => nameOfPath(file));
}

function cosine(a: Bag, b: Bag): number {
  const [norm, otherNorm] = [normOf(a), normOf(b)];
  if (norm === 0 || otherNorm === 0) return 0;
  // Sorted, because sums of fractions depend on their order in the last digit.
  const words = [...a.keys()].filter((word) => b.has(word)).toSorted(compareTexts);
  const product = words.reduce((sum, word) => sum + (a.get(word) ?? 0) * (b.get(word) ?? 0), 0);
  return Math.min(1, product / (norm * otherNorm));
}

function normOf(bag: Bag): number {
  const squares = [...bag.values()].map((value) => value * value).toSorted((a, b) => a - b);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0));
}
