// Checks what a review cites, completes its verdicts, and turns them into records of checks.
import { linesOf } from '../../context/file-tree.ts';
import { pathsIn } from '../../context/cited-places.ts';
import type { CheckRecord } from '../../model/check-record.ts';
import type { CodeReview, ReviewAnswer, TaskOutcome } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { diffByFile } from '../../prompts/review-prompt.ts';
import { type CitedFiles, findCitedFiles } from '../discussion/check-references.ts';
import { findQuote } from '../discussion/quote.ts';

/** The change against which an answer is checked. */
export interface ReviewedChange {
  readonly tasks: readonly Task[];
  readonly diff: string;
  /** The text of a file at the reviewed commit; null if there is no such text file. */
  readAt(path: string): Promise<string | null>;
}

type Checked = Pick<CodeReview, 'summary' | 'findings' | 'criteria' | 'blocking'>;

/**
 * Completes a review: every reference is looked up at the reviewed commit, each criterion of each task gets one
 * verdict, and the worst findings come first. A finding that cites something missing does not block.
 */
export async function checkAnswer(answer: ReviewAnswer, change: ReviewedChange): Promise<Checked> {
  const changed = new Set(diffByFile(change.diff).map(({ path }) => path));
  const files = findCitedFiles({
    read: (path) => change.readAt(path),
    // A review may also cite a file that the change has deleted.
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

/** True if a finding prevents merging the change. */
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
 * Makes `met` unclear if its evidence is not in the commit. `not-met` stays, because it often cites something
 * missing.
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

/** Picks the worst of several verdicts on one criterion; without a verdict, it is unclear. */
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
 * The verdicts on the criteria of a task as records of checks. `met` counts only if nothing that blocks was
 * found in a file that the task changed.
 */
export function verdictRecords(
  { criteria, findings, commit }: CodeReview,
  { task, files_modified: files }: TaskOutcome,
): readonly CheckRecord[] {
  const isClean = !findings.some((one) => blocks(one) && files.includes(one.file));
  const passed = { met: isClean ? true : null, unclear: null, 'not-met': false } as const;
  return criteria.flatMap(({ task: id, criterion, verdict, evidence }): CheckRecord[] => {
    if (id !== task) return [];
    const check = `criterion ${criterion + 1}, as its reviewer sees it`;
    const run = {
      check,
      kind: 'review',
      criterion,
      passed: passed[verdict],
      note: evidence,
    } as const;
    const where = { moment: 'joined', tree: 'joined', round: 0, commit } as const;
    return [{ ...run, output: '', ms: 0, ...where, tasks: [id] }];
  });
}
