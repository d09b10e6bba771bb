// Writes what a session did as the text of a pull request.
import type { CodeReview, ExecutionResult } from '../../model/execution.ts';
import {
  checksAfter,
  outcomeText,
  reviewerText,
  standInTexts,
  statusText,
} from '../../model/execution-summary.ts';
import type { Plan } from '../../model/plan.ts';
import { listed, oneLine, proofTexts, titleOf } from '../../model/wording.ts';
import {
  checksText,
  conflictFact,
  doubtOf,
  fixNote,
  locationOf,
  worstFirst,
} from '../execution-words.ts';

interface Published {
  readonly task: string;
  readonly plan: Plan | null;
  readonly result: ExecutionResult;
  readonly review: CodeReview | null;
  /** Why it should not be merged yet. */
  readonly objections: readonly string[];
}

/** The title in one line, and the body in Markdown. */
export function pullRequestText(published: Published): {
  readonly title: string;
  readonly body: string;
} {
  const { task, plan, result, review, objections } = published;
  const parts = [
    plan === null ? task : `${plan.summary}\n\n${plan.approach}`,
    section(
      'Before it is merged',
      objections.map((text) => `- ${oneLine(text)}`),
    ),
    section(
      'Tests that somebody else wrote before the work',
      proofTexts(plan ?? {}).map((text) => `- ${oneLine(text)}`),
    ),
    section(
      `Tasks: ${outcomeText(result)}`,
      result.tasks.map((one) => taskLine(one, result.accepted?.[one.task])),
    ),
    review === null ? '' : section(`Code review by ${reviewerText(review)}`, reviewLines(review)),
    section(
      'What else to know',
      factsOf(result).map((text) => `- ${oneLine(text)}`),
    ),
    'Planned and carried out with Conclave.',
  ];
  const body = parts.filter((part) => part !== '').join('\n\n');
  return { title: titleOf(task), body: `${body}\n` };
}

/** What a reader of the changes would not expect: unnamed files, stand-ins, conflicts that an agent resolved. */
function factsOf({ tasks, conflicts, fixed, accepted }: ExecutionResult): readonly string[] {
  return [
    ...tasks.flatMap((one) => unnamedTexts(one, accepted?.[one.task] !== undefined)),
    ...tasks.flatMap(standInTexts),
    ...conflicts.filter(({ resolved }) => resolved).map(conflictFact),
    ...(fixed === undefined ? [] : [`an agent fixed what failed on the joined work: ${fixed}`]),
  ];
}

/** Tells the unnamed files that came along apart from those that stay out until a person accepts the task. */
function unnamedTexts(
  { task, out_of_scope: outside, apart }: ExecutionResult['tasks'][number],
  isAccepted: boolean,
): readonly string[] {
  const out = isAccepted ? [] : (apart?.files ?? []).map(({ path }) => path);
  const along = outside.filter((path) => !out.includes(path));
  return [
    ...(along.length === 0
      ? []
      : [`${task} also changed ${listed(along)}, which it does not name`]),
    ...(out.length === 0
      ? []
      : [`what ${task} changed in ${listed(out)} is not part of this, as nobody has accepted it`]),
  ];
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${oneLine(title)}\n\n${lines.join('\n')}`;
}

function taskLine(
  { task, title, why, checks, ...end }: ExecutionResult['tasks'][number],
  because: string | undefined,
): string {
  const accepted = because === undefined ? '' : `accepted by hand: ${oneLine(because)}`;
  const facts = [statusText(end), checksText(checksAfter(checks)), oneLine(why), accepted].filter(
    (text) => text !== '',
  );
  return `- **${task}** ${oneLine(title)}: ${facts.join(', ')}`;
}

function reviewLines(review: CodeReview): readonly string[] {
  const found = worstFirst(review).map(
    (one) =>
      `- ${one.severity}, \`${locationOf(one)}\`: ${[oneLine(one.problem), doubtOf(one)].filter(Boolean).join(' ')}`,
  );
  const unmet = review.criteria.filter(({ verdict }) => verdict !== 'met');
  return [
    oneLine(review.summary),
    ...(review.fixed ? [fixNote(review)] : []),
    ...(found.length + unmet.length === 0 ? [] : ['']),
    ...found,
    ...unmet.map(
      ({ task, criterion, verdict, evidence }) =>
        `- ${task}, criterion ${criterion + 1}: ${verdict}. ${oneLine(evidence)}`,
    ),
  ];
}
