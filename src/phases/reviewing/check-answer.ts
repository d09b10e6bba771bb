// Checks what a review cites, completes its verdicts, and finds the unproven tasks that it completes.
import { linesOf } from '../../context/file-tree.ts';
import { pathsIn } from '../../context/cited-places.ts';
import type { CodeReview, ReviewAnswer, TaskOutcome } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { diffByFile } from '../../prompts/review-prompt.ts';
import { type CitedFiles, findCitedFiles } from '../discussion/check-references.ts';
import { findQuote } from '../discussion/quote.ts';

/** An answer is checked against this. */
export interface ReviewedChange {
  readonly tasks: readonly Task[];
  readonly diff: string;
  /** The text of a file at the reviewed commit; null where there is no such text file. */
  readAt(path: string): Promise<string | null>;
}

type Checked = Pick<CodeReview, 'summary' | 'findings' | 'criteria' | 'blocking'>;

/**
 * A review with every reference looked up at the reviewed commit and one verdict for each criterion
 * of each task, the worst findings first. What cites something that is not there does not block.
 */
export async function checkAnswer(answer: ReviewAnswer, change: ReviewedChange): Promise<Checked> {
  const changed = new Set(diffByFile(change.diff).map(({ path }) => path));
  const files = findCitedFiles({
    read: (path) => change.readAt(path),
    // A file that the change has deleted can be spoken of, too.
    exists: async (path) => changed.has(path) || (await change.readAt(path)) !== null,
    files: () => Promise.resolve([...changed]),
  });
  const checked = await Promise.all(
    answer.findings.map((finding) => resolveReference(finding, files)),
  );
  const findings = checked.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
  const verdicts = await Promise.all(
    answer.criteria.map((one) => resolveEvidence(one, files, change)),
  );
  return {
    summary: answer.summary,
    findings,
    criteria: change.tasks.flatMap((task) => verdictsFor(task, verdicts)),
    blocking: findings.filter(blocks).length,
  };
}

type Finding = CodeReview['findings'][number];

/** True where a finding keeps the change from being merged. */
export function blocks({ severity, reference }: Finding): boolean {
  return severity === 'blocking' && reference !== 'failed';
}

const rank: Readonly<Record<Finding['severity'], number>> = { blocking: 0, major: 1, minor: 2 };

async function resolveReference(
  finding: ReviewAnswer['findings'][number],
  files: CitedFiles,
): Promise<Finding> {
  const cited = await files.find(finding.file);
  if (cited.kind === 'refused') return { ...finding, reference: 'failed' };
  const { path } = cited;
  const { line } = finding;
  const placed = { ...finding, file: path };
  if (cited.kind === 'missing') return { ...placed, reference: 'failed' };
  if (finding.quote.trim() === '') return { ...placed, reference: 'none' };
  const text = await files.text(path);
  const found =
    text === null ? null : findQuote({ file: text, quote: finding.quote, line: line ?? 1 });
  if (found === null || found.found === 'nowhere') return { ...placed, reference: 'failed' };
  const isThere = found.found === 'near' || line === null;
  return { ...placed, line: found.line, reference: isThere ? 'verified' : 'moved' };
}

/**
 * `met` on a place that is not in the commit shows nothing. `not-met` stands: what is missing is
 * often cited as such.
 */
async function resolveEvidence(
  verdict: Verdict,
  files: CitedFiles,
  change: ReviewedChange,
): Promise<Verdict> {
  if (verdict.verdict !== 'met') return verdict;
  for (const { path, line } of pathsIn(verdict.evidence)) {
    if (line === null) continue;
    const cited = await files.find(path);
    const text = cited.kind === 'refused' ? null : await change.readAt(cited.path);
    const isThere = text === null ? cited.kind === 'file' : linesOf(text) + 1 >= line;
    if (isThere) continue;
    const evidence = `${verdict.evidence} (${path}:${line} is not in the commit, so this does not count)`;
    return { ...verdict, verdict: 'unclear', evidence };
  }
  return verdict;
}

type Verdict = ReviewAnswer['criteria'][number];

/** Of several verdicts on one criterion the worst counts; of none, it is unclear. */
function verdictsFor(
  { id, convergence }: Task,
  criteria: ReviewAnswer['criteria'],
): ReviewAnswer['criteria'] {
  return convergence.criteria.map((_text, index) => {
    const own = criteria.filter(({ task, criterion }) => task === id && criterion === index);
    const [worst] = own.toSorted((a, b) => doubt[b.verdict] - doubt[a.verdict]);
    return worst ?? { task: id, criterion: index, verdict: 'unclear', evidence: '' };
  });
}

const doubt: Readonly<Record<ReviewAnswer['criteria'][number]['verdict'], number>> = {
  met: 0,
  unclear: 1,
  'not-met': 2,
};

/**
 * Outcomes after a review: a task that nothing had proven is completed where the review finds each
 * of its criteria met and nothing that blocks in a file that it changed.
 */
export function acceptUnproven(
  review: CodeReview,
  outcomes: readonly TaskOutcome[],
): TaskOutcome[] {
  return outcomes.map((outcome) =>
    outcome.status === 'unproven' && !isRefuted(outcome) && isAccepted(review, outcome)
      ? { ...outcome, status: 'completed', why: '', criteria: outcome.criteria.map(() => true) }
      : outcome,
  );
}

/** A check that its own changes made pass is no matter of opinion. */
function isRefuted({ rerun = [] }: TaskOutcome): boolean {
  return rerun.some(({ passed }) => passed === false);
}

function isAccepted({ criteria, findings }: CodeReview, outcome: TaskOutcome): boolean {
  const own = criteria.filter(({ task }) => task === outcome.task);
  const areMet = own.length > 0 && own.every(({ verdict }) => verdict === 'met');
  return (
    areMet && !findings.some((one) => blocks(one) && outcome.files_modified.includes(one.file))
  );
}
