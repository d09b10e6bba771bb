// Writes what a session did as the text of a pull request.
import type { CodeReview, ExecutionResult } from '../../model/execution.ts';
import {
  checksAfter,
  countTasks,
  executionText,
  reviewerText,
  statusText,
} from '../../model/execution-summary.ts';
import type { Plan } from '../../model/plan.ts';
import { oneLine, titleOf } from '../../model/wording.ts';
import { checksText, doubtOf, locationOf, worstFirst } from '../execution-words.ts';

interface Published {
  readonly session: string;
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
  const { session, task, plan, result, review, objections } = published;
  const parts = [
    plan === null ? task : `${plan.summary}\n\n${plan.approach}`,
    section(
      'Before it is merged',
      objections.map((text) => `- ${oneLine(text)}`),
    ),
    section(
      `Tasks: ${executionText(countTasks(result.tasks))}`,
      result.tasks.map((one) => taskLine(one, result.accepted?.[one.task])),
    ),
    review === null ? '' : section(`Code review by ${reviewerText(review)}`, reviewLines(review)),
    `Planned and carried out with Conclave, session \`${session}\`.`,
  ];
  const body = parts.filter((part) => part !== '').join('\n\n');
  return { title: titleOf(task), body: `${body}\n` };
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
    ...(found.length + unmet.length === 0 ? [] : ['']),
    ...found,
    ...unmet.map(
      ({ task, criterion, verdict, evidence }) =>
        `- ${task}, criterion ${criterion + 1}: ${verdict}. ${oneLine(evidence)}`,
    ),
  ];
}
