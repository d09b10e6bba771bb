// Shows the outcome of an execution, and what the code review found.
import type { CodeReview, ExecutionResult } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { counted } from '../../model/wording.ts';
import {
  executionText,
  countTasks,
  homeChangeText,
  outcomeText,
  notOnBranchText,
  reviewerText,
  standInTexts,
} from '../../model/execution-summary.ts';
import {
  conflictFact,
  doubtOf,
  fixNote,
  locationOf,
  troublesIn,
  worstFirst,
} from '../execution-words.ts';
import { verdictBadge } from './discussion-section.ts';
import {
  type Markup,
  type Part,
  badge,
  bulletList,
  foldable,
  inlineCode,
  markup,
  paragraphs,
  table,
} from './markup.ts';

/** The result of the execution: how the tasks ended, obstacles, changed files. */
export function resultText(result: ExecutionResult): Part {
  const { tasks, conflicts, completionSummary: summary, carried, keyOutputs } = result;
  const text = executionText(countTasks(tasks));
  const problems = [
    ...troublesIn(result),
    ...Object.entries(result.accepted ?? {}).map(
      ([task, because]) => `${task} was accepted by the user: ${because}`,
    ),
    ...tasks.flatMap(standInTexts),
    ...tasks.flatMap(({ task, status, why }) =>
      status === 'completed' ? [] : `${task} ${status}${why === '' ? '' : `: ${why}`}`,
    ),
    ...conflicts.map(conflictFact),
    ...(result.home_changes ?? []).map(homeChangeText),
    ...(carried.length === 0
      ? []
      : [
          `It began with uncommitted changes of the work tree, which are not part of its branch: ${carried.join(', ')}`,
        ]),
    ...(result.not_on_branch === undefined ? [] : [notOnBranchText(result.not_on_branch)]),
  ];
  const files = keyOutputs.map((file) => markup`<code>${file}</code>`);
  return markup`<p>${outcomeText(result)}.</p>${summary === text ? null : paragraphs(summary)}
${bulletList(problems)}${foldable(`${counted(files.length, 'file')} changed`, bulletList(files))}`;
}

type Finding = CodeReview['findings'][number];

export const severityBadges: Readonly<Record<Finding['severity'], Markup>> = {
  blocking: badge('bad', '✗', 'blocking'),
  major: badge('warn', '!', 'major'),
  minor: badge('quiet', '·', 'minor'),
};

const criterionBadges: Readonly<Record<CodeReview['criteria'][number]['verdict'], Markup>> = {
  met: badge('good', '✓', 'met'),
  'not-met': badge('bad', '✗', 'not met'),
  unclear: badge('warn', '?', 'unclear'),
};

/** The reviewer’s findings in the changes, and its verdict on each criterion. */
export function codeReviewText(review: CodeReview, tasks: readonly Task[]): Part {
  const { model, commit, fixed, criteria, blocking } = review;
  const findings = worstFirst(review);
  const rows = criteria.map(({ task, criterion, verdict, evidence, ...place }) => {
    const text = tasks.find(({ id }) => id === task)?.convergence.criteria[criterion];
    return [
      task,
      inlineCode(text ?? `criterion ${criterion + 1}`),
      criterionBadges[verdict],
      inlineCode(place.file === '' ? evidence : `${locationOf(place)} ${evidence}`),
    ];
  });
  const judged = table(['Task', 'Criterion', 'Verdict', 'Evidence'], rows);
  const who = reviewerText(review);
  const by = model === null ? who : `${who} (${model})`;
  return markup`<p class="quiet">By ${by}, of commit ${commit.slice(0, 12)}.</p>${paragraphs(review.summary)}
<p>${counted(findings.length, 'finding')}, ${blocking} of them blocking.${fixed ? ` ${fixNote(review)}` : ''}</p>
${findings.map(findingText)}<h4>${counted(rows.length, 'criterion', 'criteria')} judged</h4>${judged}`;
}

function findingText(finding: Finding): Markup {
  const { severity, quote, problem, suggestion, reference } = finding;
  const doubt = doubtOf(finding);
  const checked =
    reference === 'none' ? null : [' · reference ', verdictBadge[reference], ` ${doubt}`];
  return markup`<div class="claim"><p>${severityBadges[severity]} <code>${locationOf(finding)}</code>${checked}</p>
<p class="lines">${inlineCode(problem)}</p>${quote === '' ? null : markup`<pre>${quote}</pre>`}
${suggestion === '' ? null : markup`<p class="lines">Suggestion: ${inlineCode(suggestion)}</p>`}</div>\n`;
}
