import type { Check } from '../../model/check.ts';
import type { CheckRun, ExecutionResult, TaskOutcome } from '../../model/execution.ts';
import type { Plan } from '../../model/plan.ts';
import { tasksInOrder } from '../../model/task-order.ts';
import type { Task } from '../../model/task.ts';
import { counted, listed } from '../../model/wording.ts';
import { duration } from '../short-forms.ts';
import { graphSvg, standingOf } from './graph.ts';
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
  return [
    paragraphs(plan.summary),
    graphSvg(tasks, (task) => standingOf(task, outcomeOf(task, result))),
    foldable('Approach', { body: paragraphs(plan.approach) }),
    decisions.length === 0 ? null : foldable('Decisions', { body: bulletList(decisions) }),
  ];
}

/** Each task: how it ended, what shows that it is done, what it changed. */
export function tasksText({ tasks, result }: Omit<Planned, 'plan'>): Part {
  return tasksInOrder(tasks).map((task) => taskText(task, outcomeOf(task, result)));
}

function outcomeOf({ id }: Task, result: ExecutionResult | null): TaskOutcome | undefined {
  return result?.tasks.find(({ task }) => task === id);
}

function taskText(task: Task, outcome: TaskOutcome | undefined): Markup {
  const { tone, mark, word } = standingOf(task, outcome);
  const steps = (task.implementation ?? []).map((step) =>
    typeof step === 'string' ? step : step.description,
  );
  const why = outcome === undefined || outcome.why === '' ? null : [': ', inlineCode(outcome.why)];
  const checks = outcome === undefined ? plannedChecks(task) : checksTable(outcome);
  return markup`<article id="task-${task.id}"><h3>${task.id}: ${inlineCode(task.title)}</h3>
<p>${badge(tone, mark, word)}${why}${factsText(task, outcome)}</p>
<h4>Done when</h4>${criteriaList(task, outcome)}${checks}${outcome === undefined ? null : workText(outcome)}
${foldable('What was planned', { body: [paragraphs(task.description), plannedFiles(task), bulletList(steps)] })}</article>\n`;
}

function factsText({ depends_on: needs }: Task, outcome: TaskOutcome | undefined): Part {
  const { executor = null, commit = null, fix_rounds: fixes = 0 } = outcome ?? {};
  const facts: readonly Part[] = [
    ...(needs.length === 0 ? [] : [` · after ${listed(needs)}`]),
    ...(executor === null ? [] : [` · by ${executor}`]),
    ...(fixes === 0 ? [] : [` · ${counted(fixes, 'round')} of fixes`]),
    ...(commit === null ? [] : [markup` · commit <code>${commit.slice(0, 12)}</code>`]),
  ];
  return markup`<span class="quiet">${facts}</span>`;
}

function criteriaList({ convergence }: Task, outcome: TaskOutcome | undefined): Markup {
  const items = convergence.criteria.map((criterion, at) => {
    const isShown = outcome?.criteria[at];
    if (isShown === undefined) return markup`<li>${inlineCode(criterion)}</li>`;
    const shown = isShown ? badge('good', '✓', 'shown') : badge('warn', '?', 'not shown');
    return markup`<li>${shown}: ${inlineCode(criterion)}</li>`;
  });
  return markup`<ul>${items}</ul>`;
}

function plannedChecks({ checks = [] }: Task): Part {
  if (checks.length === 0) return null;
  return markup`<h4>Checks</h4><ul>${checks.map((check) => markup`<li>${check.kind}: <code>${objectOf(check)}</code></li>`)}</ul>`;
}

function objectOf(check: Check): string {
  if (check.kind === 'command') return check.argv.join(' ');
  return check.kind === 'manual' ? check.describes : check.path;
}

/** A check stands in one row with how it went before the work and after it. */
function checksTable({ before, after }: TaskOutcome): Part {
  const names = [...new Set([...before, ...after].map(({ check }) => check))];
  if (names.length === 0) return markup`<p class="quiet">No check was run.</p>`;
  const rows = names.map((name) => {
    const last = runOf(name, after);
    return [
      markup`<code>${name}</code>`,
      runText(runOf(name, before)),
      runText(last),
      noteOf(last),
    ];
  });
  const head = ['Check', 'Before the work', 'After it', 'Note'].map((column) => ({ name: column }));
  return table(head, rows);
}

function runOf(name: string, runs: readonly CheckRun[]): CheckRun | undefined {
  return runs.find(({ check }) => check === name);
}

function runText(run: CheckRun | undefined): Part {
  if (run === undefined || run.passed === null) return badge('quiet', '·', 'not run');
  const end = run.passed ? badge('good', '✓', 'passed') : badge('bad', '✗', 'failed');
  return markup`${end} <span class="quiet">${duration(run.ms)}</span>`;
}

function noteOf(run: CheckRun | undefined): Part {
  if (run === undefined) return null;
  const output =
    run.output.trim() === ''
      ? null
      : foldable('output', { body: markup`<pre>${run.output}</pre>` });
  return [inlineCode(run.note), output];
}

function workText({ summary, files_modified: files, out_of_scope: outside }: TaskOutcome): Part {
  const others = new Set(outside);
  const items = files.map(
    (file) =>
      markup`<li><code>${file}</code>${others.has(file) ? markup` ${badge('warn', '!', 'not named by the task')}` : null}</li>`,
  );
  return [
    files.length === 0 ? null : markup`<h4>Files changed</h4><ul>${items}</ul>`,
    summary === '' ? null : foldable('What its agent said', { body: paragraphs(summary) }),
  ];
}

function plannedFiles({ files = [] }: Task): Part {
  if (files.length === 0) return null;
  return markup`<ul>${files.map(({ action, path }) => markup`<li>${action ?? 'touch'} <code>${path}</code></li>`)}</ul>`;
}
