import type { CodeReview } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { counted } from '../../model/wording.ts';
import { placeOf, worstFirst } from '../execution-words.ts';
import {
  type Markup,
  type Part,
  badge,
  foldable,
  inlineCode,
  markup,
  paragraphs,
  table,
} from './markup.ts';
import { verdictBadge } from './claims.ts';

/** What the reviewer found in the changes, and what it says of each criterion. */
export function codeReviewText(review: CodeReview, tasks: readonly Task[]): Part {
  const { reviewer, model, commit, fixed, criteria, blocking } = review;
  const findings = worstFirst(review);
  const textOf = (task: string, criterion: number) =>
    tasks.find(({ id }) => id === task)?.convergence.criteria[criterion] ??
    `criterion ${criterion + 1}`;
  const rows = criteria.map(({ task, criterion, verdict, evidence }) => [
    task,
    inlineCode(textOf(task, criterion)),
    criterionBadges[verdict],
    inlineCode(evidence),
  ]);
  const head = ['Task', 'Criterion', 'Verdict', 'Evidence'].map((name) => ({ name }));
  const by = `By ${reviewer}${model === null ? '' : ` (${model})`}, of commit ${commit.slice(0, 12)}.`;
  return markup`<p class="quiet">${by}</p>${paragraphs(review.summary)}
<p>${counted(findings.length, 'finding')}, ${blocking} of them blocking.${fixed ? ' A round of fixes followed.' : ''}</p>
${findings.map(findingText)}${rows.length === 0 ? null : foldable(`${counted(rows.length, 'criterion', 'criteria')} judged`, { body: table(head, rows), open: rows.length <= 12 })}`;
}

type Finding = CodeReview['findings'][number];

const severityBadges: Readonly<Record<Finding['severity'], Markup>> = {
  blocking: badge('bad', '✗', 'blocking'),
  major: badge('warn', '!', 'major'),
  minor: badge('quiet', '·', 'minor'),
};

const criterionBadges: Readonly<Record<CodeReview['criteria'][number]['verdict'], Markup>> = {
  met: badge('good', '✓', 'met'),
  'not-met': badge('bad', '✗', 'not met'),
  unclear: badge('warn', '?', 'unclear'),
};

function findingText(finding: Finding): Markup {
  const { severity, quote, problem, suggestion, reference } = finding;
  const checked = reference === 'none' ? null : markup` · reference ${verdictBadge[reference]}`;
  return markup`<div class="claim"><p>${severityBadges[severity]} <code>${placeOf(finding)}</code>${checked}</p>
<p class="lines">${inlineCode(problem)}</p>${quote === '' ? null : markup`<pre>${quote}</pre>`}
${suggestion === '' ? null : markup`<p class="lines">Suggestion: ${inlineCode(suggestion)}</p>`}</div>\n`;
}
