// Shows the plan, the graph of its tasks as SVG, and each task with its checks before and after the work.
import { checksAfter, checksBefore, recordsAt } from '../../model/execution-summary.ts';
import { checkTarget } from '../../model/check.ts';
import type { CheckRun } from '../../model/check-record.ts';
import type { ExecutionResult, TaskEnd, TaskOutcome } from '../../model/execution.ts';
import type { Plan } from '../../model/plan.ts';
import { parallelGroups, tasksInOrder } from '../../model/task-order.ts';
import type { Task } from '../../model/task.ts';
import { counted, duration, listed, proofTexts } from '../../model/wording.ts';

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

interface Planned {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly result: ExecutionResult | null;
}

/** The plan in short, with the graph of its tasks. */
export function planText({ plan, tasks, result }: Planned): Part {
  const decisions = (plan.design_decisions ?? []).map(
    ({ decision, rationale }) => `${decision}: ${rationale}`,
  );
  const proofs = proofTexts(plan);
  return [
    paragraphs(plan.summary),
    graphSvg(tasks, (task) => statusOf(task, outcomeOf(task, result))),
    foldable('Approach', paragraphs(plan.approach)),
    proofs.length === 0 ? null : foldable('Proofs', bulletList(proofs)),
    decisions.length === 0 ? null : foldable('Decisions', bulletList(decisions)),
  ];
}

/** Each task: how it ended, what shows that it is done, what it changed. */
export function tasksText({ tasks, result }: Omit<Planned, 'plan'>): Part {
  const accepted = result?.accepted ?? {};
  return tasksInOrder(tasks).map((task) =>
    taskText(task, { outcome: outcomeOf(task, result), because: accepted[task.id] }),
  );
}

const notFinished = badge('warn', '▸', 'not finished');
const statusBadges: Readonly<Record<TaskEnd | NonNullable<Task['status']>, Markup>> = {
  completed: badge('good', '✓', 'completed'),
  unproven: badge('warn', '?', 'unproven'),
  failed: badge('bad', '✗', 'failed'),
  blocked: badge('warn', '⊘', 'blocked'),
  in_progress: notFinished,
  active: notFinished,
  skipped: badge('quiet', '○', 'skipped'),
  pending: badge('quiet', '○', 'planned'),
};

/** The status that the execution left, or else that of the task's file. */
function statusOf(task: Task, outcome: TaskOutcome | undefined): Markup {
  return statusBadges[outcome?.status ?? task.status ?? 'pending'];
}

function outcomeOf({ id }: Task, result: ExecutionResult | null): TaskOutcome | undefined {
  return result?.tasks.find(({ task }) => task === id);
}

interface EndedTask {
  readonly outcome: TaskOutcome | undefined;
  /** Why the user accepted it although it is unproven. */
  readonly because: string | undefined;
}

function taskText(task: Task, { outcome, because }: EndedTask): Markup {
  const { why = '', note = '' } = outcome ?? {};
  const said = why === '' ? note : why;
  return markup`<article id="task-${task.id}"><h3>${task.id}: ${inlineCode(task.title)}</h3>
<p>${statusOf(task, outcome)}${said === '' ? null : [': ', inlineCode(said)]}<span class="quiet">${factsText(task, outcome)}</span></p>
${because === undefined ? null : markup`<p>${badge('good', '✓', 'accepted by the user')}: ${inlineCode(because)}</p>\n`}<h4>Done when</h4>${criteriaList(task, outcome)}${outcome === undefined ? plannedChecks(task) : outcomeText(outcome)}
${foldable('What was planned', plannedText(task))}</article>\n`;
}

function factsText({ depends_on: needs }: Task, outcome: TaskOutcome | undefined): string {
  const { executor = null, commit = null, fix_rounds: fixes = 0 } = outcome ?? {};
  const facts = [
    ...(needs.length === 0 ? [] : [`after ${listed(needs)}`]),
    ...(executor === null ? [] : [`by ${executor}`]),
    ...(fixes === 0 ? [] : [`${counted(fixes, 'round')} of fixes`]),
    ...(commit === null ? [] : [`commit ${commit.slice(0, 12)}`]),
  ];
  return facts.map((fact) => ` · ${fact}`).join('');
}

function criteriaList({ convergence }: Task, outcome: TaskOutcome | undefined): Part {
  const items = convergence.criteria.map((criterion, at) => {
    const isShown = outcome?.criteria[at];
    if (isShown === undefined) return criterion;
    const verdict = isShown ? badge('good', '✓', 'shown') : badge('warn', '?', 'not shown');
    return [verdict, ': ', inlineCode(criterion)];
  });
  return bulletList(items);
}

function plannedChecks({ checks = [] }: Task): Part {
  const items = checks.map((check) => {
    if (check.kind === 'manual') return check.describes;
    const why = check.describes === undefined ? '' : `: ${check.describes}`;
    return markup`${check.kind}: <code>${checkTarget(check)}</code>${why}`;
  });
  return items.length === 0 ? null : markup`<h4>Checks</h4>${bulletList(items)}`;
}

/** Changes of the task, and each check with its result before the work and after it. */
function outcomeText(outcome: TaskOutcome): Part {
  const { checks, summary, files_modified, out_of_scope } = outcome;
  const [before, after] = [checksBefore(checks), checksAfter(checks)];
  const [all, again] = [recordsAt(checks, 'after', 'all'), recordsAt(checks, 'again')];
  const names = [...new Set([...before, ...after].map(({ check }) => check))];
  const rows = names.map((name) => {
    const last = runIn(after, name);
    return [
      markup`<code>${name}</code>`,
      runText(runIn(before, name)),
      runText(last),
      [
        outputText(last, 'output'),
        outputText(runIn(all, name), 'output with everything that was changed'),
        outputText(runIn(again, name), 'output on the start once more'),
      ],
    ];
  });
  const unnamed = badge('warn', '!', 'not named by the task');
  const files = files_modified.map(
    (file) => markup`<code>${file}</code> ${out_of_scope.includes(file) ? unnamed : null}`,
  );
  return [
    names.length === 0
      ? markup`<p>No check was run.</p>`
      : table(['Check', 'Before the work', 'After it', 'Note'], rows),
    files.length === 0 ? null : markup`<h4>Files changed</h4>${bulletList(files)}`,
    summary === '' ? null : foldable('What its agent said', paragraphs(summary)),
  ];
}

function outputText(run: CheckRun | undefined, title: string): Part {
  const { note = '', output = '' } = run ?? {};
  const folded = output.trim() === '' ? null : foldable(title, markup`<pre>${output}</pre>`);
  return [inlineCode(note), folded];
}

function runIn(runs: readonly CheckRun[], name: string): CheckRun | undefined {
  return runs.find(({ check }) => check === name);
}

function runText(run: CheckRun | undefined): Part {
  if (run === undefined || run.passed === null) return badge('quiet', '·', 'not run');
  const end = run.passed ? badge('good', '✓', 'passed') : badge('bad', '✗', 'failed');
  return markup`<span class="run">${end} ${duration(run.ms)}</span>`;
}

function plannedText({ description, files = [], implementation = [] }: Task): Part {
  const steps = implementation.map((step) => (typeof step === 'string' ? step : step.description));
  const places = files.map(({ action, path }) => markup`${action ?? 'touch'} <code>${path}</code>`);
  return [paragraphs(description), bulletList(places), bulletList(steps)];
}

const node = { width: 216, height: 72, acrossGap: 56, downGap: 18 };
const margin = 4;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Draws the tasks in columns, each with its status; lines lead to it from the tasks it depends on. */
function graphSvg(tasks: readonly Task[], status: (task: Task) => Markup): Markup {
  const groups = parallelGroups(tasks);
  if (groups.length === 0)
    return markup`<p>The tasks wait for each other in a circle, so there is no order to draw.</p>`;
  const [stepX, stepY] = [node.width + node.acrossGap, node.height + node.downGap];
  const places = new Map<string, Place>(
    groups.flatMap((ids, column) =>
      ids.map((id, row) => [id, { x: margin + column * stepX, y: margin + row * stepY }] as const),
    ),
  );
  const width = groups.length * stepX - node.acrossGap + 2 * margin;
  const rows = Math.max(...groups.map((ids) => ids.length));
  const height = rows * stepY - node.downGap + 2 * margin;
  return markup`<div class="scroll" tabindex="0"><svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="The tasks and what each waits for">
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
${tasks.map((task) => linesTo(task, places))}${tasks.map((task) => nodeOf(task, places.get(task.id), status(task)))}</svg></div>`;
}

function linesTo({ id, depends_on: needs }: Task, places: ReadonlyMap<string, Place>): Markup[] {
  const end = places.get(id);
  return needs.flatMap((need) => {
    const start = places.get(need);
    if (start === undefined || end === undefined) return [];
    const [x, y] = [start.x + node.width, start.y + node.height / 2];
    const [toX, toY] = [end.x, end.y + node.height / 2];
    const bend = node.acrossGap / 2;
    return markup`<path d="M${x} ${y}C${x + bend} ${y} ${toX - bend} ${toY} ${toX} ${toY}" marker-end="url(#tip)"/>\n`;
  });
}

function nodeOf({ id, title }: Task, place: Place | undefined, status: Markup): Markup | null {
  if (place === undefined) return null;
  return markup`<foreignObject x="${place.x}" y="${place.y}" width="${node.width}" height="${node.height}"><a class="node" href="#task-${id}">${status} ${id}<br>${title}</a></foreignObject>\n`;
}
