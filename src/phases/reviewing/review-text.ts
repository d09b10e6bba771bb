// Writes `code-review.md`.
import type { CodeReview } from '../../model/execution.ts';
import { placeText, prose } from '../../model/document.ts';
import type { Task } from '../../model/task.ts';
import { oneLine } from '../../model/wording.ts';
import { markdownOf } from '../documents/markdown.ts';
import { reviewDocument } from '../documents/result-document.ts';

/** Writes `code-review.md`, a review for people. */
export function reviewMarkdown(review: CodeReview, tasks: readonly Task[], id: string): string {
  const { title, blocks } = reviewDocument(review, tasks, id);
  const note = prose('This file is generated from code-review.json: edits here change nothing.');
  return `# ${title}\n\n${markdownOf([...blocks, note])}\n`;
}

/** A verdict on a criterion in one clause. */
export function criterionText({
  task,
  criterion,
  verdict,
  evidence,
}: CodeReview['criteria'][number]): string {
  const how = { met: 'is met', 'not-met': 'is not met', unclear: 'is unclear' }[verdict];
  const why = evidence.trim() === '' ? '' : `: ${oneLine(evidence)}`;
  return `${task}: criterion ${criterion + 1} ${how}${why}`;
}

/** The place of a finding, e.g. `src/cli.js:7`. */
export function locateFinding({
  file,
  line,
}: Pick<CodeReview['findings'][number], 'file' | 'line'>): string {
  return placeText({ path: file, line });
}
