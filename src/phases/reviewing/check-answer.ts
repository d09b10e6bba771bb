// Checks what a review cites, and says what it means for the result and for each task.
import type { CheckRecord } from '../../model/check-record.ts';
import type { CodeReview, ReviewAnswer, TaskOutcome } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { diffByFile } from '../../prompts/review-prompt.ts';
import { type CitedFiles, findCitedFiles } from '../discussion/check-references.ts';
import { findQuote } from '../discussion/quote.ts';
import { judgeAgain } from '../execution/judge.ts';
import { criterionText, locateFinding } from './review-text.ts';

/** The change against which an answer is checked. */
export interface ReviewedChange {
  readonly tasks: readonly Task[];
  readonly diff: string;
  /** The tasks that the reviewer itself carried out. */
  readonly own?: readonly string[];
  /** The text of a file at the reviewed commit; null if there is no such text file. */
  readAt(path: string): Promise<string | null>;
}

type Checked = Pick<CodeReview, 'summary' | 'findings' | 'criteria' | 'blocking'>;
type Finding = CodeReview['findings'][number];
type Verdict = CodeReview['criteria'][number];

/**
 * Completes a review: every quote is looked up at the reviewed commit, each criterion of each task gets one
 * verdict, and the worst findings come first. What cites something missing neither blocks nor proves anything.
 */
export async function checkAnswer(answer: ReviewAnswer, change: ReviewedChange): Promise<Checked> {
  const changed = new Set(diffByFile(change.diff).map(({ path }) => path));
  const files = findCitedFiles({
    read: (path) => change.readAt(path),
    // A review may also cite a file that the change has deleted.
    exists: async (path) => changed.has(path) || (await change.readAt(path)) !== null,
    files: () => Promise.resolve([...changed]),
  });
  const [found, verdicts] = await Promise.all([
    Promise.all(answer.findings.map((one) => lookUp(one, files))),
    Promise.all(answer.criteria.map(async (one) => weigh(await lookUp(one, files), change))),
  ]);
  const findings = found.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
  return {
    summary: answer.summary,
    findings,
    criteria: change.tasks.flatMap((task) => verdictsFor(task, verdicts)),
    blocking: findings.filter(blocks).length,
  };
}

const rank: Readonly<Record<Finding['severity'], number>> = { blocking: 0, major: 1, minor: 2 };

/** Looks a cited place up at the reviewed commit, and corrects its path and line. */
async function lookUp<T extends Pick<Finding, 'file' | 'line' | 'quote'>>(
  place: T,
  files: CitedFiles,
): Promise<T & Pick<Finding, 'reference'>> {
  const { quote, line } = place;
  if (place.file === '' && quote.trim() === '') return { ...place, reference: 'none' };
  const cited = await files.find(place.file);
  if (cited.kind === 'refused') return { ...place, reference: 'failed' };
  const placed = { ...place, file: cited.path };
  if (cited.kind === 'missing') return { ...placed, reference: 'failed' };
  if (quote.trim() === '') return { ...placed, reference: 'none' };
  const file = await files.text(cited.path);
  const found = file === null ? null : findQuote({ file, quote, line: line ?? 1 });
  if (found === null || found.found === 'nowhere') return { ...placed, reference: 'failed' };
  const isThere = found.found === 'near' || line === null;
  return { ...placed, line: found.line, reference: isThere ? 'verified' : 'moved' };
}

/**
 * Makes `met` unclear if its quote was not found, or if the reviewer did the task itself. `not-met` stays,
 * because it is often about something missing.
 */
function weigh(verdict: Verdict, { own = [] }: ReviewedChange): Verdict {
  if (verdict.verdict !== 'met') return verdict;
  const isFound = verdict.reference === 'verified' || verdict.reference === 'moved';
  const why = own.includes(verdict.task)
    ? 'judged by who did it'
    : isFound
      ? null
      : verdict.quote.trim() === ''
        ? 'nothing is quoted'
        : 'its quote was not found';
  if (why === null) return verdict;
  const evidence = `${verdict.evidence} (${why}, so this does not count)`.trim();
  return { ...verdict, verdict: 'unclear', evidence };
}

/** Picks the worst of several verdicts on one criterion; without a verdict, it is unclear. */
function verdictsFor({ id, convergence }: Task, verdicts: readonly Verdict[]): readonly Verdict[] {
  return convergence.criteria.map((_text, index) => {
    const about = verdicts.filter(({ task, criterion }) => task === id && criterion === index);
    const [worst] = about.toSorted((a, b) => doubt[b.verdict] - doubt[a.verdict]);
    return worst ?? { task: id, criterion: index, verdict: 'unclear', ...nowhere };
  });
}

const doubt: Readonly<Record<Verdict['verdict'], number>> = { met: 0, unclear: 1, 'not-met': 2 };

const nowhere = { file: '', line: null, quote: '', evidence: '', reference: 'none' } as const;

/** True if an answer is a review: it judged a criterion, or found something that blocks. */
export function isReview({ criteria, blocking }: Pick<Checked, 'criteria' | 'blocking'>): boolean {
  return (
    blocking > 0 || criteria.length === 0 || criteria.some(({ verdict }) => verdict !== 'unclear')
  );
}

/** True if a finding prevents merging the change. */
export function blocks({ severity, reference }: Finding): boolean {
  return severity === 'blocking' && reference !== 'failed';
}

/** Lists the reasons against merging a reviewed result, one sentence each, the worst first. */
export function objectionsIn({ findings, criteria }: CodeReview): string[] {
  return [
    ...findings.filter(blocks).map((finding) => `${locateFinding(finding)}: ${finding.problem}`),
    ...criteria.filter(({ verdict }) => verdict === 'not-met').map(criterionText),
  ];
}

/**
 * The verdicts on the criteria of a task as records of checks. `met` counts only if nothing that blocks was
 * found in a file that the task changed.
 */
function verdictRecords(
  { criteria, findings, commit }: CodeReview,
  { task, files_modified: files }: TaskOutcome,
): readonly CheckRecord[] {
  const isClean = !findings.some((one) => blocks(one) && files.includes(one.file));
  const passed = { met: isClean ? true : null, unclear: null, 'not-met': false } as const;
  return criteria.flatMap(({ task: id, criterion, verdict, evidence }): CheckRecord[] => {
    if (id !== task) return [];
    const check = `criterion ${criterion + 1}, as its reviewer sees it`;
    const run = { check, criterion, passed: passed[verdict], note: evidence, output: '', ms: 0 };
    const where = { moment: 'joined', tree: 'joined', round: 0, commit } as const;
    return [{ ...run, kind: 'review', ...where, tasks: [id] }];
  });
}

/** Judges the tasks again, with the verdicts of their reviewer. */
export function withVerdicts(
  review: CodeReview,
  outcomes: readonly TaskOutcome[],
  { tasks, rechecks }: { readonly tasks: readonly Task[]; readonly rechecks: boolean },
): TaskOutcome[] {
  return outcomes.map((outcome) => {
    const task = tasks.find(({ id }) => id === outcome.task);
    const records = verdictRecords(review, outcome);
    return task === undefined ? outcome : judgeAgain(outcome, { task, records, rechecks });
  });
}
