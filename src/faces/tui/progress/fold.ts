// Folds an event into the progress: tasks in execution, and notes in the words of the plain lines.
import type { Event, EventOf } from '../../../model/event.ts';
import { type Phase, phases } from '../../../model/phase.ts';
import { parallelGroups } from '../../../model/task-order.ts';
import { type Line, linesOf, roundLines } from '../../event-lines.ts';
import { taskOfStep } from '../../short-forms.ts';
import { marks, type Tone } from '../theme.ts';
import { stopPanes, withStartedTask, withReplacement, withRun, withSeats } from './panes.ts';
import { isAtWork, noProgress, type Note, type Progress, type TaskProgress } from './progress.ts';
import { flowOf, steps } from '../../../model/steps.ts';

/** Folds an event into the screens. Pure; live and replayed events have the same effects. */
export function foldEvent(progress: Progress, event: Event): Progress {
  const isCall = event.type === 'agent.answered' || event.type === 'agent.failed';
  const replayed = event.replayed ? (progress.replayed ?? 0) + Number(isCall) : null;
  const changed = withResult(foldChange(progress, event), event);
  const next = changed.replayed === replayed ? changed : { ...changed, replayed };
  const notes = notesOf(event, 'step' in event ? flowOf(event.step) : next.group, progress);
  return notes.length === 0
    ? next
    : { ...next, notes: [...next.notes, ...notes].slice(-mostNotes) };
}

/** The most notes that are kept; the oldest are dropped first. */
const mostNotes = 500;

function foldChange(progress: Progress, event: Event): Progress {
  switch (event.type) {
    case 'session.started':
    case 'session.resumed': {
      const { session, task, budget } = event;
      // A resumed session replays its record, and so shows again what it showed before.
      return { ...noProgress, session, task, budget, startedAt: Date.parse(event.at) };
    }
    case 'phase.entered': {
      const { phase } = event;
      const group = keepAgents.has(phase) ? progress.group : null;
      return { ...progress, phase, group, facts: phase === 'plan-review' ? progress.facts : [] };
    }
    case 'context.gathered':
      return { ...progress, files: event.files };
    case 'round.started': {
      const others = progress.rounds.filter(({ opened }) => opened.round !== event.round);
      const rounds = [...others, { opened: event, result: null }];
      return withSeats({ ...progress, rounds }, event);
    }
    case 'round.finished': {
      const rounds = progress.rounds.map((one) =>
        one.opened.round === event.round ? { ...one, result: event } : one,
      );
      return { ...progress, rounds };
    }
    case 'agent.started':
    case 'agent.answered':
      return withRun(withTaskRun(progress, event), event);
    case 'agent.acted':
    case 'agent.failed':
    case 'agent.retried':
    case 'login.needed':
      return withRun(progress, event);
    case 'agent.replaced':
      return withReplacement(progress, event);
    case 'plan.judged':
      return { ...progress, critique: event };
    case 'plan.written':
      return { ...progress, facts: [] };
    case 'plan.approved':
      return { ...progress, isApprovedNow: !event.replayed };
    case 'execution.started':
      return withExecution(progress, event);
    case 'task.started': {
      const { task, executor } = event;
      const next = withStartedTask(progress, event);
      return withTask(next, task, { ...untouched, executor, state: 'running' });
    }
    case 'check.ran':
      return withCheck(progress, event);
    case 'task.changed':
      return withTask(progress, event.task, { diff: event.diff });
    case 'task.finished':
      return withTask(progress, event.task, { state: event.status, why: event.why });
    case 'task.blocked':
      return withTask(progress, event.task, { state: 'blocked', why: `it needs ${event.by}` });
    case 'review.finished':
      return { ...progress, review: event };
    case 'page.opened':
    case 'page.answered':
      return { ...progress, page: event };
    case 'usage.counted':
      return { ...progress, spent: event.spent };
    case 'session.finished': {
      const { spent } = event;
      return { ...stoppedTasks(progress), panes: stopPanes(progress.panes), spent, end: event };
    }
    case 'context.fell':
    case 'tree.changed':
    case 'question.asked':
    case 'question.answered':
    case 'answer.awaited':
    case 'input.refused':
    case 'options.presented':
    case 'decision.made':
    case 'plan.revised':
    case 'plan.edited':
    case 'plan.left':
    case 'plan.checked':
    case 'plan.shown':
    case 'plan.read':
    case 'proof.written':
    case 'proof.skipped':
    case 'merge.conflicted':
    case 'execution.finished':
    case 'warning.raised':
    case 'step.finished':
      return progress;
  }
}

/** Phases in which the agents of the previous phase stay on the screen. */
const keepAgents: ReadonlySet<Phase> = new Set([
  'discussion',
  'options',
  'decision',
  'plan-review',
]);

/** The results of the phase so far, for its headline: the first line of each of these events. */
function withResult(progress: Progress, event: Event): Progress {
  const [line] = results.has(event.type) ? linesOf(event) : [];
  if (line === undefined) return progress;
  const title = phases.find(({ name }) => name === progress.phase)?.label;
  const fact = line[0] === title ? line[1] : line.join(': ');
  return { ...progress, facts: [...progress.facts, fact] };
}

const results: ReadonlySet<Event['type']> = new Set([
  'context.gathered',
  'plan.judged',
  'proof.written',
  'proof.skipped',
  'plan.written',
  'plan.checked',
  'plan.shown',
  'plan.read',
  'review.finished',
]);

/** The session once the execution of its tasks begins. */
function withExecution(progress: Progress, event: EventOf<'execution.started'>): Progress {
  const { number, jobs, tasks } = event;
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const inOrder = parallelGroups(tasks)
    .flat()
    .flatMap((id) => byId.get(id) ?? []);
  return {
    ...progress,
    execution: { number, jobs, tasks: inOrder.map((task) => ({ ...task, ...untouched })) },
    review: null,
    group: steps.execution(number).group,
  };
}

/** A task that nobody has worked on yet. */
const untouched = {
  state: 'waiting',
  why: '',
  before: [],
  after: [],
  all: [],
  again: [],
  joined: [],
  diff: '',
} as const satisfies Partial<TaskProgress>;

/** The tasks after an agent started or ended a part of one. */
function withTaskRun(
  progress: Progress,
  { type, step, agent: executor }: EventOf<'agent.started' | 'agent.answered'>,
): Progress {
  const id = taskOfStep(step);
  const state = type === 'agent.started' ? 'running' : 'checking';
  const isGoingOn = progress.execution?.tasks.some((task) => task.id === id && isAtWork(task));
  return isGoingOn === true ? withTask(progress, id, { state, executor }) : progress;
}

/** Adds the run of a check; one that runs again, after a fix, replaces its earlier run. */
function withCheck(progress: Progress, event: EventOf<'check.ran'>): Progress {
  const { task, when } = event;
  const checks = progress.execution?.tasks.find(({ id }) => id === task)?.[when] ?? [];
  const at = checks.findIndex(({ check }) => check === event.check);
  return withTask(progress, task, { [when]: at < 0 ? [...checks, event] : checks.with(at, event) });
}

/** The tasks once no agent runs: those in progress start again when the session is resumed. */
function stoppedTasks(progress: Progress): Progress {
  const atWork = progress.execution?.tasks.filter(isAtWork) ?? [];
  return atWork.reduce((now, { id }) => withTask(now, id, { state: 'waiting' }), progress);
}

function withTask(progress: Progress, id: string | null, change: Partial<TaskProgress>): Progress {
  const { execution } = progress;
  if (execution === null) return progress;
  const tasks = execution.tasks.map((task) => (task.id === id ? { ...task, ...change } : task));
  return { ...progress, execution: { ...execution, tasks } };
}

/** Writes an event as notes, in the words of the plain lines. */
function notesOf(event: Event, group: string | null, before: Progress): readonly Note[] {
  // An answer or a failure implies that an agent was asked, even in the record.
  if (event.type === 'session.finished' || event.type === 'agent.started') return [];
  const tone = toneOf(event);
  return historyLines(event, before).map(([label, text]) => {
    if (label === '') return { group, tone: 'quiet', text, isMore: true };
    const subject = label.startsWith(' ') ? label.trim() : `${label}:`;
    return { group, tone, text: `${markOf(tone)} ${subject} ${text}` };
  });
}

/** The plain lines with the results of a round, and without the files, which are listed separately. */
function historyLines(event: Event, { rounds }: Progress): readonly Line[] {
  const lines = linesOf(event);
  if (event.type === 'context.gathered') return lines.slice(0, 1);
  if (event.type !== 'round.finished') return lines;
  const last = rounds.find(({ opened }) => opened.round === event.round - 1)?.result;
  return [...lines, ...roundLines(event, last?.score)];
}

function markOf(tone: Tone): string {
  if (tone === 'bad') return marks.failed;
  return tone === 'warn' ? marks.warning : marks.bullet;
}

/** The look of a note; a warning stays visible as long as its agents do. */
function toneOf(event: Event): Tone {
  if (event.type === 'tree.changed' && event.agent !== null) return 'bad';
  if (event.type === 'task.finished' && event.status === 'failed') return 'bad';
  // A missing program is shown in its pane; here it would hide more important notes.
  if (event.type === 'agent.failed') return event.category === 'not-installed' ? 'plain' : 'bad';
  return isWarning(event) ? 'warn' : 'plain';
}

function isWarning(event: Event): boolean {
  if (event.type === 'context.gathered') return event.reason !== null;
  if (event.type === 'plan.judged') return event.verdict !== 'sound';
  if (event.type === 'review.finished') {
    return event.blocking > 0 || (event.unmet ?? []).length > 0;
  }
  if (event.type === 'task.finished') {
    return event.status !== 'completed' || event.out_of_scope.length > 0;
  }
  return warnings.has(event.type);
}

const warnings: ReadonlySet<Event['type']> = new Set([
  'agent.retried',
  'login.needed',
  'agent.replaced',
  'context.fell',
  'tree.changed',
  'warning.raised',
  'plan.left',
  'task.blocked',
  'merge.conflicted',
]);
