// Finds what is unclear or thin in the votes of an answer, so that it is asked for again.
import type { Repository } from '../../git/repository.ts';
import type { Examination, Proposal, ProposedSolution } from '../../model/proposal.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { checkClaims, plannedFiles } from './check-references.ts';
import { whyNotCounting } from './reasons.ts';
import { citesRemark } from './remarks.ts';

interface VoteFaults<T> {
  /** See `Question`. */
  faultsOf(answer: T, agent: string): readonly string[];
  withoutUnclear(answer: T): T;
}

/** Checks the recommendation of a proposal: one of its solutions, or none. */
export const recommendation: VoteFaults<Proposal> = {
  faultsOf({ recommended, solutions }) {
    if (recommended === null || solutionNamed(recommended, solutions) !== null) return [];
    const names = solutions.map(({ name }) => JSON.stringify(name)).join(', ');
    return [
      `/recommended is ${JSON.stringify(recommended)}, which names none of its solutions: give one of ${names}, or null`,
    ];
  },
  withoutUnclear: (answer) => ({ ...answer, recommended: null }),
};

/** Finds a solution by its name, or as the only one whose name contains the text or is contained in it. */
export function solutionNamed(
  text: string,
  solutions: readonly ProposedSolution[],
): ProposedSolution | null {
  const wanted = foldName(text);
  if (wanted === '') return null;
  const same = solutions.find(({ name }) => foldName(name) === wanted);
  const [only = null, second] = solutions.filter(
    ({ name }) => foldName(name).includes(wanted) || wanted.includes(foldName(name)),
  );
  return same ?? (second === undefined ? only : null);
}

/** Reduces a name to its letters and digits in lower case, by which names are compared. */
function foldName(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Checks the labels of an examination: its votes must use shown labels, and its revision one of its author’s. */
export function examinationFaults(
  labels: ReadonlyMap<string, string>,
  ownOf: (agent: string) => readonly string[],
): VoteFaults<Examination> {
  const shown = [...labels.keys()].join(', ');
  const isShown = ({ solution }: { readonly solution: string }) => labels.has(solution);
  const faultAt = (pointer: string, label: string) =>
    `${pointer} is "${label}", a label that no solution has: they are ${shown}`;
  return {
    faultsOf({ stances, preferred, adopt = [], revision }, agent) {
      if (stances.length === 0) return ['/stances is empty: take a stance on each solution'];
      const faults = (field: string, entries: readonly { readonly solution: string }[]) =>
        entries.flatMap((entry, at) =>
          isShown(entry) ? [] : [faultAt(`/${field}/${at}/solution`, entry.solution)],
        );
      return [
        ...faults('stances', stances),
        ...(preferred === null || labels.has(preferred) ? [] : [faultAt('/preferred', preferred)]),
        ...faults('adopt', adopt),
        ...(revision === null ? [] : revisionFaults(revision, ownOf(agent))),
      ];
    },
    withoutUnclear: ({ stances, preferred, adopt, ...answer }) => ({
      ...answer,
      stances: stances.filter(isShown),
      preferred: preferred !== null && labels.has(preferred) ? preferred : null,
      ...(adopt !== undefined && { adopt: adopt.filter(isShown) }),
      revision: null,
    }),
  };
}

function revisionFaults(
  { revises }: NonNullable<Examination['revision']>,
  own: readonly string[],
): readonly string[] {
  if (own.length === 0 ? revises === null : own.includes(revises ?? '')) return [];
  const wanted =
    own.length === 0
      ? 'none is yours, so give null'
      : `name the solution of yours whose place it takes (${own.join(', ')})`;
  return [`/revision/revises is ${JSON.stringify(revises)}: ${wanted}`];
}

/**
 * Asks for better words for stances that are not votes but could change the outcome as such: what the agent
 * opposes, and what it would build. An author need not say why it would build its own solution.
 */
export async function findWishes(
  answer: Examination,
  agent: string,
  { previous, repository }: { readonly previous: Synthesis; readonly repository: Repository },
): Promise<readonly string[]> {
  const { solutions, remarks } = previous;
  const planned = plannedFiles(answer, previous);
  const wishes = answer.stances.map(async ({ solution: label, evidence: claims, ...held }, at) => {
    const { stance } = held;
    const text = solutions.find((one) => one.label === label);
    const canDecide = stance === 'oppose' || (stance === 'support' && answer.preferred === label);
    if (text === undefined || !canDecide || citesRemark(held, text.id, remarks)) return [];
    if (stance === 'support' && claims.length === 0 && text.source_cli.includes(agent)) return [];
    const evidence = await checkClaims({ repository, agent, claims, planned });
    const others = solutions.filter((one) => one !== text);
    const reason = whyNotCounting({ ...held, evidence }, text, others);
    if (reason === null) return [];
    const failed = evidence.filter(({ status }) => status === 'failed');
    const places = failed.map(({ path, line }) => `${path}:${line}`).join(', ');
    const where = places === '' ? '' : ` (a program did not find the quote at ${places})`;
    return `/stances/${at}: "${stance}" of ${label} is no vote, as ${reason}${where}. Say what in it you checked, with its place, or say "unsure".`;
  });
  return (await Promise.all(wishes)).flat();
}
