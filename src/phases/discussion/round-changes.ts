import { isDeepStrictEqual } from 'node:util';
import type { HeldStance, Solution, Synthesis } from '../../model/synthesis.ts';
import type { Draft } from './draft.ts';
import { touched } from './similarity.ts';

/**
 * Whether a round brought something that another round could build on: a new solution, a
 * revision that changes files or tasks, a claim that holds and was not there before, a stance
 * that changed, or another solution that an agent would now build. A first opposition is a change, as its author has not answered it; a first
 * support or doubt without evidence leaves nothing to answer.
 */
export function broughtInsight(before: readonly Draft[], after: readonly Draft[]): boolean {
  return (
    wasRevised(before, after) ||
    addsKey(before.flatMap(soundClaims), after.flatMap(soundClaims)) ||
    after.some((draft) => stanceChanged(beforeOf(before, draft)?.stances ?? [], draft.stances)) ||
    after.some((draft) => addsKey(beforeOf(before, draft)?.preferred_by ?? [], draft.preferred_by))
  );
}

/** Whether a solution is new, or touches other files or has other tasks than before. */
export function wasRevised(before: readonly Draft[], after: readonly Draft[]): boolean {
  return after.some((draft) => {
    const known = beforeOf(before, draft);
    return known === undefined || contentOf(known) !== contentOf(draft);
  });
}

function beforeOf(before: readonly Draft[], draft: Draft): Draft | undefined {
  return before.find(({ id }) => id !== null && id === draft.id);
}

function contentOf(draft: Draft): string {
  const tasks = draft.implementation_plan.tasks.map(({ name, key_point: keyPoint }) =>
    [name, keyPoint ?? ''].map(folded),
  );
  return JSON.stringify([[...touched(draft)].toSorted(), tasks]);
}

function soundClaims(draft: Draft): readonly string[] {
  return [...draft.claims, ...draft.stances.flatMap(({ evidence }) => evidence)]
    .filter(({ status }) => status === 'verified' || status === 'moved')
    .map(({ path, found_line: found, line, quote }) =>
      JSON.stringify([path, found ?? line, folded(quote)]),
    );
}

function addsKey(before: readonly string[], after: readonly string[]): boolean {
  const known = new Set(before);
  return after.some((key) => !known.has(key));
}

function stanceChanged(before: readonly HeldStance[], after: readonly HeldStance[]): boolean {
  const known = new Map(before.map(({ agent, stance }) => [agent, stance]));
  return after.some(({ agent, stance }) => {
    const earlier = known.get(agent);
    return earlier === undefined ? stance === 'oppose' : earlier !== stance;
  });
}

function folded(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

/** Names of solutions, each list in the order of its round. */
export interface ChangedSolutions {
  readonly new_solutions: string[];
  readonly revised_solutions: string[];
  readonly dropped_solutions: string[];
}

/** What became of the solutions since the round before; in a first round nothing is new. */
export function changedSolutions(
  before: Pick<Synthesis, 'solutions'> | null,
  { solutions }: Pick<Synthesis, 'solutions'>,
): ChangedSolutions {
  if (before === null) return { new_solutions: [], revised_solutions: [], dropped_solutions: [] };
  const known = new Map(before.solutions.map((one) => [one.id, one]));
  const left = new Set(solutions.map(({ id }) => id));
  return {
    new_solutions: namesOf(solutions.filter(({ id }) => !known.has(id))),
    revised_solutions: namesOf(solutions.filter((one) => isRevised(known.get(one.id), one))),
    dropped_solutions: namesOf(before.solutions.filter(({ id }) => !left.has(id))),
  };
}

function isRevised(before: Solution | undefined, now: Solution): boolean {
  return (
    before !== undefined &&
    !(
      before.name === now.name &&
      before.summary === now.summary &&
      isDeepStrictEqual(before.implementation_plan, now.implementation_plan)
    )
  );
}

function namesOf(solutions: readonly Solution[]): string[] {
  return solutions.map(({ name }) => name);
}
