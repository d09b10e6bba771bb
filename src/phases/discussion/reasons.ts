// Decides if the words of a stance make it a vote.
import { wordsNamed } from '../../context/cited-places.ts';
import { wordsIn } from '../../context/search/terms.ts';
import { nameOfPath } from '../../git/paths.ts';
import type { HeldStance, Solution } from '../../model/synthesis.ts';
import { oneLine } from '../../model/wording.ts';
import { saySame } from '../topic-words.ts';

/** The parts of a solution that a reason can name. */
export type NamedSolution = Pick<
  Solution,
  'name' | 'summary' | 'implementation_plan' | 'affected_files' | 'claims'
>;

/**
 * Says in a clause why the words of a stance do not make it a vote; null if they do. They do if the check found
 * its evidence, or if a reason names something particular to the solution. If half or more of the evidence
 * failed, it never carries a support.
 */
export function whyNotCounting(
  held: Pick<HeldStance, 'stance' | 'reasons' | 'changes' | 'evidence'>,
  solution: NamedSolution,
  others: readonly NamedSolution[],
): string | null {
  const { stance, reasons, changes = [], evidence } = held;
  const failed = evidence.filter(({ status }) => status === 'failed').length;
  const isRefuted = failed > 0 && 2 * failed >= evidence.length;
  if (isRefuted && stance === 'support') return 'its evidence failed the check';
  if (failed < evidence.length) return null;
  const names = particularNames(solution, others);
  const isTelling = [...reasons, ...changes].some(
    (reason) =>
      // Repeating the solution’s own words is not a reason.
      ![solution.name, solution.summary].some((text) => saySame(reason, text)) &&
      namesOneOf(reason, names),
  );
  return isTelling ? null : 'no reason names anything of it, and no evidence was found';
}

/** Names of a solution that at least one other solution does not share; all its names if there are no others. */
function particularNames(
  solution: NamedSolution,
  others: readonly NamedSolution[],
): ReadonlySet<string> {
  const shared = others.map(namesIn);
  const own = [...namesIn(solution)];
  return new Set(
    own.filter((name) => shared.length === 0 || shared.some((theirs) => !theirs.has(name))),
  );
}

/** The names of files, tasks and symbols, in lower case. */
function namesIn(solution: NamedSolution): ReadonlySet<string> {
  const { name, summary, implementation_plan: plan, affected_files: files, claims } = solution;
  const texts = [
    name,
    summary,
    plan.approach,
    ...plan.tasks.flatMap((task) => [task.name, task.key_point ?? '']),
    ...claims.map(({ quote }) => quote),
  ];
  const paths = [
    ...files.filter(({ status }) => status !== 'failed').map(({ file }) => file),
    ...plan.tasks.flatMap((task) => task.files.map(({ file }) => file)),
  ];
  const names = [
    ...paths,
    ...paths.map(nameOfPath),
    ...plan.tasks.flatMap((task) => [task.id, task.name]),
    ...texts.flatMap((text) => wordsNamed(text.slice(0, longestText))),
  ];
  return new Set(names.map((one) => one.toLowerCase()).filter((one) => one.length > 1));
}

/** The longest text that is searched, in characters, so that the time stays bounded. */
const longestText = 10_000;

function namesOneOf(reason: string, names: ReadonlySet<string>): boolean {
  const text = reason.slice(0, longestText).toLowerCase();
  return [...names].some((name) => standsIn(name, text));
}

/** True if the text contains the name as a word of its own: `T1` is not in `T10`. */
function standsIn(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const around = [text[at - 1] ?? ' ', text[at + name.length] ?? ' '];
    if (!around.some((letter) => /[a-z0-9_$]/.test(letter))) return true;
  }
  return false;
}

/** True if a text has too few words to give a reason. */
export function isBareVerdict(text: string): boolean {
  return wordsIn(text).length < fewestWords;
}

const fewestWords = 4;

/** The first meaningful reason for a stance, on one line; null if no agent gives one. */
export function reasonFor(
  stance: HeldStance['stance'],
  stances: readonly HeldStance[],
): string | null {
  const reasons = stances.filter((held) => held.stance === stance).flatMap((held) => held.reasons);
  const first = reasons.find((text) => !isBareVerdict(text));
  return first === undefined ? null : oneLine(first);
}
