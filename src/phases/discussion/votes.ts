import type { Examination, ProposedSolution, Proposal } from '../../model/proposal.ts';

/** Which solution an agent would build, and what had to be assumed to say so. */
export interface Vote<T> {
  readonly choice: T | null;
  readonly notes: readonly string[];
}

/** Who gives its own solution less than this does not stand behind it. */
export const leastFeasibility = 0.5;

/**
 * The solution that a proposal recommends, by its name. Where the answer names none of its
 * solutions, the first counts, as the question asks to put it there, unless its own author gives
 * it less than an even chance. A null is an answer: the agent would build none of them.
 */
export function recommendedIn({
  agent,
  proposal,
}: {
  readonly agent: string;
  readonly proposal: Pick<Proposal, 'recommended' | 'solutions'>;
}): Vote<ProposedSolution> {
  const { recommended, solutions } = proposal;
  if (recommended === null) return { choice: null, notes: [] };
  const named = recommended === undefined ? null : solutionNamed(recommended, solutions);
  if (named !== null) return { choice: named, notes: [] };
  const [first, second] = solutions;
  if (first === undefined) return { choice: null, notes: [] };
  const said =
    recommended === undefined
      ? `${agent} did not say which solution it would build`
      : `${agent} recommended “${recommended}”, which is none of its solutions`;
  if (first.feasibility < leastFeasibility) {
    return { choice: null, notes: [`${said}, and doubts its first one: it recommends none.`] };
  }
  const assumed = `${said}; its first one, “${first.name}”, counts as recommended.`;
  return { choice: first, notes: second === undefined ? [] : [assumed] };
}

/**
 * The label that an examination prefers. Where it does not say, the only solution that it
 * supports counts.
 */
export function preferredIn({ preferred, stances }: Examination): string | null {
  if (preferred !== undefined) return preferred;
  const supported = stances.filter(({ stance }) => stance === 'support');
  const [only, second] = new Set(supported.map(({ solution }) => solution));
  return only === undefined || second !== undefined ? null : only;
}

/** Names are compared without case, white space and punctuation; a part of one name is enough. */
function solutionNamed(
  text: string,
  solutions: readonly ProposedSolution[],
): ProposedSolution | null {
  const wanted = folded(text);
  const same = solutions.find(({ name }) => folded(name) === wanted);
  if (same !== undefined || wanted === '') return same ?? null;
  const [only, second] = solutions.filter(
    ({ name }) => folded(name).includes(wanted) || wanted.includes(folded(name)),
  );
  return only === undefined || second !== undefined ? null : only;
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
