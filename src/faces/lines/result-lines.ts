// Shows the result of an execution as lines: its tasks, their checks, and what the review found.
import {
  checksAfter,
  outcomeText,
  reviewerText,
  standInTexts,
  statusText,
} from '../../model/execution-summary.ts';
import { counted, oneLine } from '../../model/wording.ts';
import { criterionText } from '../../phases/reviewing/review-text.ts';
import type { ApplyQuestion } from '../../workflow/view-port.ts';
import {
  checksText,
  doubtOf,
  fixNote,
  locationOf,
  troublesIn,
  worstFirst,
} from '../execution-words.ts';

/** Shows the tasks of a result with their checks, its conflicts, and what the review found. */
export function resultLines({
  result,
  review,
}: Pick<ApplyQuestion, 'result' | 'review'>): readonly string[] {
  const findings = review === null ? [] : worstFirst(review);
  return [
    `${outcomeText(result)}.`,
    ...troublesIn(result).map((text) => `  ! ${oneLine(text)}`),
    ...result.tasks.flatMap(
      ({ task, title, status, shown, why, note = '', files_modified: files, checks }) => [
        `  ${task} ${oneLine(title)}: ${[statusText({ status, shown }), oneLine(why), oneLine(note)].filter(Boolean).join(', ')}`,
        `    ${[`${counted(files.length, 'file')} changed`, checksText(checksAfter(checks))].filter(Boolean).join(', ')}`,
      ],
    ),
    ...result.tasks.flatMap(standInTexts).map((text) => `  ${text}`),
    ...result.conflicts.map(({ task, files }) => `  ${task}: conflict in ${files.join(', ')}`),
    ...(review === null
      ? []
      : [`Code review by ${reviewerText(review)}: ${oneLine(review.summary)}`]),
    ...(review?.fixed === true ? [`  ${fixNote(review)}`] : []),
    ...(review?.criteria ?? []).flatMap((one) =>
      one.verdict === 'not-met' ? `  ${criterionText(one)}` : [],
    ),
    ...findings.flatMap((finding) => [
      `  ${[`${finding.severity},`, locationOf(finding), doubtOf(finding)].filter(Boolean).join(' ')}: ${oneLine(finding.problem)}`,
      `    ${oneLine(finding.suggestion)}`,
    ]),
  ];
}
