// Tells the result of an execution as a document: its tasks, what speaks against it, its review, its changes.
import type { CheckRun } from '../../model/check-record.ts';
import {
  type Badge,
  type Block,
  type Document,
  type Line,
  type Piece,
  code,
  diffsIn,
  documentOf,
  facts,
  fold,
  item,
  list,
  note as noteOn,
  prose,
  section,
  table,
} from '../../model/document.ts';
import type { CodeReview, ExecutionResult, TaskOutcome } from '../../model/execution.ts';
import {
  checksAfter,
  checksBefore,
  homeChangeText,
  machineTexts,
  notOnBranchText,
  objectionsTo,
  outcomeText,
  recordsAt,
  reviewerText,
  standInTexts,
  statusText,
} from '../../model/execution-summary.ts';
import type { Task } from '../../model/task.ts';
import { counted, duration, listed } from '../../model/wording.ts';
import { type Severity, badge, severityBadge, taskBadges } from './badges.ts';

/** Everything that is told of a result. */
export interface ToldResult {
  readonly result: ExecutionResult;
  readonly review: CodeReview | null;
  readonly tasks?: readonly Task[];
  /** The changes as git writes them; empty where they are not at hand. */
  readonly changes?: string;
}

/** Tells a result in the order in which people decide about it. */
export function resultDocument({ result, review, tasks = [], changes = '' }: ToldResult): Document {
  return documentOf(outcomeText(result), [
    ...resultSections(result),
    review === null ? null : reviewSection(review, tasks),
    section('diff', 'Changes', fileDiffs(changes, review)),
  ]);
}

/** What became of the tasks, what speaks against the result, and what else is known of it. */
export function resultSections(result: ExecutionResult): readonly (Block | null)[] {
  return [
    prose(`${whereText(result)}.`, 'where'),
    tasksSection(result),
    section('against', 'Against applying it', [list(troublesIn(result))]),
    knownSection(result),
  ];
}

/** What became of the tasks, and where the result is. */
export function doneSection(result: ExecutionResult): Block | null {
  return section('done', 'What was done', [
    prose(`${outcomeText(result)}. ${whereText(result)}.`, 'where'),
    tasksList(result),
    list(objectionsTo(result)),
    list(knownTexts(result)),
  ]);
}

function whereText({ branch, applied }: ExecutionResult): string {
  const onBranch =
    branch === null ? 'No file was changed' : `The result is on branch \`${branch}\``;
  // An applied result has lost its branch, unless the text says otherwise.
  return applied === null ? onBranch : `The result was applied: ${applied}`;
}

/** The tasks with how each ended. */
export function tasksSection(result: ExecutionResult): Block | null {
  return section('tasks', `Tasks: ${outcomeText(result)}`, [tasksList(result)]);
}

function tasksList({ tasks, accepted = {} }: ExecutionResult): Block | null {
  return list(tasks.map((outcome) => taskItem(outcome, accepted[outcome.task])));
}

function taskItem(outcome: TaskOutcome, because: string | undefined): Block {
  const { task, title, status, files_modified: files, checks } = outcome;
  const counts = [counted(files.length, 'file'), checksText(checksAfter(checks))];
  const line = [
    taskBadges[status],
    `, ${task}: ${title}`,
    { text: ` · ${counts.filter(Boolean).join(' · ')}`, tone: 'quiet' },
  ] as const;
  const mended = (outcome.mended ?? []).map(({ was, proof: { id, author, argv, content } }) =>
    fold(id, `${id} as ${author} mended it, run by ${argv.join(' ')}`, [
      prose('Before:'),
      code(was),
      prose('Now:'),
      code(content),
    ]),
  );
  return item(line, [list(taskTexts(outcome, because)), ...mended], task);
}

/** What shows that a task is done or why it is not, and why a person accepted it. */
function taskTexts(outcome: TaskOutcome, because?: string): readonly Line[] {
  const { shown = '', why, note = '' } = outcome;
  const accepted = because === undefined ? [] : [`accepted: ${because}`];
  const how = shown === '' ? '' : statusText(outcome);
  return [how, why, note, ...accepted].filter((text) => text !== '');
}

/** Counts passed checks, e.g. `2 of 3 checks passed`; empty if none ran. */
function checksText(checks: readonly Pick<CheckRun, 'passed'>[]): string {
  const run = checks.filter(({ passed }) => passed !== null);
  if (run.length === 0) return '';
  const passed = run.filter((check) => check.passed === true).length;
  return passed === run.length
    ? `${counted(passed, 'check')} passed`
    : `${passed} of ${counted(run.length, 'check')} passed`;
}

/** What speaks against applying a result, except what its review says itself. */
function troublesIn(
  result: Pick<ExecutionResult, 'reviewed_by' | 'broken' | 'objections'>,
): readonly string[] {
  const { reviewed_by: by, broken, objections = [] } = result;
  return [...(broken === undefined ? [] : [broken]), ...(by === undefined ? objections : [])];
}

/** What a reader of a result would not expect: a new fact about results is told here, for every face. */
export function knownSection(result: ExecutionResult): Block | null {
  return section('known', 'What else to know', [list(knownTexts(result))]);
}

function knownTexts(result: ExecutionResult): readonly string[] {
  const { tasks, conflicts, fixed, accepted = {}, home_changes: home = [], carried } = result;
  return [
    ...tasks.flatMap((one) => fileTexts(one, one.task in accepted)),
    ...tasks.flatMap(standInTexts),
    ...machineTexts(tasks),
    ...conflicts.map(conflictText),
    ...(fixed === undefined ? [] : [`an agent fixed what failed on the joined work: ${fixed}`]),
    ...home.map(homeChangeText),
    ...(carried.length === 0
      ? []
      : [`it began with your uncommitted changes, which are not part of it: ${listed(carried)}`]),
    ...(result.not_on_branch === undefined ? [] : [notOnBranchText(result.not_on_branch)]),
  ];
}

/** Tells apart the files that a task left untouched, that came along unnamed, and that stay out. */
function fileTexts(
  { task, out_of_scope: outside, apart, facts: seen }: TaskOutcome,
  isAccepted: boolean,
): readonly string[] {
  const out = isAccepted ? [] : (apart?.files ?? []).map(({ path }) => path);
  const along = outside.filter((path) => !out.includes(path));
  const untouched = seen?.untouched ?? [];
  return [
    ...(untouched.length === 0 ? [] : [`${task} names ${listed(untouched)}, which nobody touched`]),
    ...(along.length === 0
      ? []
      : [`${task} also changed ${listed(along)}, which it does not name`]),
    ...(out.length === 0
      ? []
      : [`what ${task} changed in ${listed(out)} is not part of this, as nobody has accepted it`]),
  ];
}

function conflictText({ task, files, resolved = false }: ExecutionResult['conflicts'][number]) {
  return `${task} conflicted in ${files.join(', ')}${resolved ? '; an agent resolved it' : ''}`;
}

/** Tells how a task ended: the criteria that are shown, each check before and after the work, its files. */
export function outcomeBlocks(
  { convergence }: Pick<Task, 'convergence'>,
  outcome: TaskOutcome,
  because: string | undefined,
): readonly (Block | null)[] {
  const { status, executor, commit, fix_rounds: fixes, files_modified: files } = outcome;
  const criteria = convergence.criteria.map((criterion, at): Line => [
    outcome.criteria[at] === true ? badge('good', '✓', 'shown') : badge('warn', '?', 'not shown'),
    `: ${criterion}`,
  ]);
  const changed = files.map((path): Line => [
    { path, line: null },
    outcome.out_of_scope.includes(path) ? ' ' : '',
    ...(outcome.out_of_scope.includes(path) ? [badge('warn', '!', 'not named by the task')] : []),
  ]);
  return [
    facts([
      ['Status', [taskBadges[status]]],
      ['Done by', executor],
      ['Rounds of fixes', fixes === 0 ? null : String(fixes)],
      ['Commit', commit === null ? null : [{ code: commit.slice(0, 12) }]],
    ]),
    list(taskTexts(outcome, because)),
    section('criteria', 'Done when', [list(criteria)]),
    checksSection(outcome),
    section('changed', 'Files changed', [list(changed)]),
    fold('summary', 'What its agent said', [prose(outcome.summary)]),
  ];
}

/** All checks of all tasks, with all of their output that is kept. */
export function checksBlocks({ tasks, broken = '' }: Pick<ExecutionResult, 'tasks' | 'broken'>) {
  return [
    prose(broken),
    ...tasks.map((outcome) =>
      section(
        outcome.task,
        [taskBadges[outcome.status], `, ${outcome.task}: ${outcome.title}`],
        [list(taskTexts(outcome)), checksSection(outcome)],
      ),
    ),
  ];
}

/** Each check of a task, before the work and after it, with the output that is kept. */
function checksSection({ checks }: Pick<TaskOutcome, 'checks'>): Block | null {
  const moments = [
    ['output before the work', checksBefore(checks)],
    ['output', checksAfter(checks)],
    ['output with everything that was changed', recordsAt(checks, 'after', 'all')],
    ['output on the start once more', recordsAt(checks, 'again')],
  ] as const;
  const [before, after] = [moments[0][1], moments[1][1]];
  const names = [...new Set([...before, ...after].map(({ check }) => check))];
  const items = names.map((name) => {
    const last = runOf(after, name);
    const parts = moments.map(([title, runs]) =>
      fold('', title, [code(runOf(runs, name)?.output ?? '')]),
    );
    const line = [
      { code: name },
      ' before the work ',
      runBadge(runOf(before, name)),
      ', after it ',
      runBadge(last),
      last === undefined || last.ms < 5000 ? '' : ` (${duration(last.ms)})`,
    ];
    return item(line, [prose(last?.note ?? ''), ...parts]);
  });
  return section('checks', 'Checks', [list(items) ?? prose('No check was run.')]);
}

function runOf(runs: readonly CheckRun[], name: string): CheckRun | undefined {
  return runs.find(({ check }) => check === name);
}

function runBadge(run: Pick<CheckRun, 'passed'> | undefined): Badge {
  if (run === undefined || run.passed === null) return badge('quiet', '·', 'not run');
  return run.passed ? badge('good', '✓', 'passed') : badge('bad', '✗', 'failed');
}

/** A code review as a document. */
export function reviewDocument(
  review: CodeReview,
  tasks: readonly Task[],
  session: string,
): Document {
  return documentOf(`Code review: ${verdictText(review)}`, [
    facts([['Session', [{ code: session }]]]),
    ...reviewBlocks(review, tasks),
  ]);
}

/** What a reviewer found in the changes, and how it judged each criterion. */
export function reviewSection(review: CodeReview, tasks: readonly Task[]): Block | null {
  return section('review', `Code review by ${reviewerText(review)}`, reviewBlocks(review, tasks));
}

function reviewBlocks(review: CodeReview, tasks: readonly Task[]): readonly (Block | null)[] {
  const { model, commit, criteria, findings, fixed } = review;
  const order: readonly Severity[] = ['blocking', 'major', 'minor'];
  const worstFirst = order.flatMap((grave) => findings.filter((one) => one.severity === grave));
  const rows = criteria.map(({ task, criterion, verdict, evidence, ...place }): readonly Line[] => [
    task,
    tasks.find(({ id }) => id === task)?.convergence.criteria[criterion] ?? String(criterion + 1),
    [verdictBadges[verdict]],
    [...citedPieces(place), evidence],
  ]);
  return [
    facts([
      ['Reviewed by', `${reviewerText(review)}${model === null ? '' : ` (${model})`}`],
      ['Commit', [{ code: commit.slice(0, 12) }]],
    ]),
    prose(review.summary, 'summary'),
    fixed ? prose(fixNote(review), 'fixed') : null,
    section('findings', 'Findings', [
      list(worstFirst.map(findingItem)) ?? prose([{ text: 'no problems found', tone: 'good' }]),
    ]),
    list(criteria.filter(({ verdict }) => verdict !== 'met').map(unmetLine)),
    fold('criteria', `${counted(rows.length, 'criterion', 'criteria')} judged`, [
      table(['Task', 'Criterion', 'Verdict', 'Evidence'], rows),
    ]),
  ];
}

const verdictBadges = {
  met: badge('good', '✓', 'met'),
  'not-met': badge('bad', '✗', 'not met'),
  unclear: badge('warn', '?', 'unclear'),
} as const;

type Finding = CodeReview['findings'][number];

function unmetLine({
  task,
  criterion,
  verdict,
  evidence,
}: CodeReview['criteria'][number]): Piece[] {
  return [verdictBadges[verdict], `, ${task}, criterion ${criterion + 1}: ${evidence}`];
}

/** A finding with its place and whether that was found there. */
function findingItem(finding: Finding): Block {
  const { severity, problem, suggestion, reference } = finding;
  const doubt = reference === 'failed' ? ' (not found there, so it blocks nothing)' : '';
  return item(
    [severityBadge(severity), ', ', ...citedPieces(finding), `${problem}${doubt}`],
    [list(suggestion === '' ? [] : [`Suggestion: ${suggestion}`])],
  );
}

/** The cited place and its quote, as far as they are given. */
function citedPieces({ file, line, quote }: Pick<Finding, 'file' | 'line' | 'quote'>): Piece[] {
  const pieces: readonly Piece[] = [
    ...(file === '' ? [] : [{ path: file, line }]),
    ...(quote.trim() === '' ? [] : [{ code: quote }]),
  ];
  return pieces.flatMap((piece) => [piece, ' ']);
}

/** Says that a review caused a round of fixes, or followed one. */
function fixNote({ again = false }: Pick<CodeReview, 'again'>): string {
  return again
    ? 'The findings were fixed and reviewed again; this is the second review.'
    : 'The findings were fixed since, and nobody reviewed the fixes; these are from before that.';
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

/** The changes of each file in a git diff, with what its reviewer found on its lines. */
export function fileDiffs(changes: string, review: CodeReview | null = null): readonly Block[] {
  return diffsIn(changes, (path) => notesOn(path, review));
}

function notesOn(path: string, review: CodeReview | null): readonly Block[] {
  if (review === null) return [];
  const { findings, criteria } = review;
  const by = ` (${reviewerText(review)})`;
  return [
    ...findings.map((one) => ({
      ...one,
      text: [severityBadge(one.severity), `, ${one.problem} ${one.suggestion}${by}`],
    })),
    ...criteria
      .filter(({ verdict }) => verdict !== 'met')
      .map((one) => ({ ...one, text: [unmetLine(one), by].flat() })),
  ].flatMap(({ file, line, reference, text }) =>
    file === path && line !== null && reference !== 'failed' ? [noteOn(line, text)] : [],
  );
}
