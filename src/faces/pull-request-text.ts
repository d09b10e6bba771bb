// Writes what a session did as the text of a pull request.
import { list, prose, section } from '../model/document.ts';
import type { CodeReview, ExecutionResult } from '../model/execution.ts';
import type { Plan } from '../model/plan.ts';
import { titleOf } from '../model/wording.ts';
import { proofSection } from '../phases/documents/proof-section.ts';
import { markdownOf } from '../phases/documents/markdown.ts';
import { knownSection, reviewSection, tasksSection } from '../phases/documents/result-document.ts';

interface Published {
  readonly task: string;
  readonly plan: Plan | null;
  readonly result: ExecutionResult;
  readonly review: CodeReview | null;
  /** Why it should not be merged yet. */
  readonly objections: readonly string[];
}

/** The title in one line, and the body in Markdown. */
export function pullRequestText({ task, plan, result, review, objections }: Published): {
  readonly title: string;
  readonly body: string;
} {
  const body = markdownOf([
    prose(plan === null ? task : `${plan.summary}\n\n${plan.approach}`),
    section('', 'Before it is merged', [list(objections)]),
    plan === null ? null : proofSection(plan),
    tasksSection(result),
    review === null ? null : reviewSection(review, []),
    knownSection(result),
    prose('Planned and carried out with Conclave.'),
  ]);
  return { title: titleOf(task), body: `${body}\n` };
}
