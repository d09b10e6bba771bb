// Writes `code-review.md`.
import type { CodeReview } from '../../model/execution.ts';
import { reviewerText } from '../../model/execution-summary.ts';
import type { Task } from '../../model/task.ts';
import { counted, oneLine } from '../../model/wording.ts';
import { block, code, inline } from '../markdown.ts';

/** Writes `code-review.md`, a review for people. */
export function reviewMarkdown(review: CodeReview, tasks: readonly Task[], id: string): string {
  const { model, commit, summary } = review;
  const who = `${inline(reviewerText(review))}${model === null ? '' : ` (${inline(model)})`}`;
  const sections = [
    `# Code review: ${verdictText(review)}`,
    `Session ${code(id)} · reviewed by ${who} · commit ${code(commit.slice(0, 12))}`,
    block(summary),
    `## Findings\n\n${findingsText(review)}`,
    ...(review.criteria.length === 0 ? [] : [`## Criteria\n\n${criteriaText(review, tasks)}`]),
    'This file is generated from code-review.json: edits here change nothing.',
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

type Place = Pick<CodeReview['findings'][number], 'file' | 'line' | 'quote' | 'reference'>;

/** The place of a finding, e.g. `src/cli.js:7`. */
export function locateFinding({ file, line }: Pick<Place, 'file' | 'line'>): string {
  return line === null ? file : `${file}:${line}`;
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

function verdictText({ blocking, findings, criteria, fixed, again = false }: CodeReview): string {
  const unmet = criteria.filter(({ verdict }) => verdict === 'not-met').length;
  const parts = [
    ...(blocking === 0 ? [] : [counted(blocking, 'finding blocks', 'findings block')]),
    ...(unmet === 0 ? [] : [`${counted(unmet, 'criterion', 'criteria')} not met`]),
  ];
  const isClean = findings.length === 0 ? 'no problems found' : 'nothing blocks';
  const verdict = parts.length === 0 ? isClean : parts.join(', ');
  if (!fixed) return verdict;
  return again
    ? `${verdict}, after a round of fixes`
    : `${verdict}; a round of fixes followed, which nobody reviewed`;
}

function findingsText({ findings }: CodeReview): string {
  if (findings.length === 0) return 'Nothing was found.';
  return table(
    ['Severity', 'Where', 'Problem', 'Suggestion'],
    findings.map((finding) => [
      finding.severity,
      [
        ...whereTexts(finding),
        ...(finding.reference === 'failed' ? ['not found there, so it does not block'] : []),
      ].join('<br>'),
      inline(finding.problem),
      inline(finding.suggestion),
    ]),
  );
}

/** The cited place and its quote, as far as they are given. */
function whereTexts(place: Place): readonly string[] {
  const { file, quote } = place;
  return [
    ...(file === '' ? [] : [code(locateFinding(place))]),
    ...(quote.trim() === '' ? [] : [code(quote)]),
  ];
}

function criteriaText({ criteria }: CodeReview, tasks: readonly Task[]): string {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return table(
    ['Task', 'Criterion', 'Verdict', 'Evidence'],
    criteria.map(({ task, criterion, verdict, evidence, ...place }) => [
      inline(task),
      inline(byId.get(task)?.convergence.criteria[criterion] ?? String(criterion + 1)),
      verdict === 'not-met' ? '**not met**' : verdict,
      [...whereTexts(place), inline(evidence)].filter((text) => text !== '').join('<br>'),
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(borderless).join(' | ')} |`)
    .join('\n');
}

/** A cell border also ends a cell inside a code span. */
function borderless(text: string): string {
  return text.replaceAll(/(?<!\\)((?:\\{2})*)\|/g, String.raw`$1\|`);
}
