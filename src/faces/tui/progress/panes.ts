// Folds an event into the panes of agents.
import { duration } from '../../../model/wording.ts';
import type { AgentEvent, AgentEventOf } from '../../../model/agent-event.ts';
import type { EventOf } from '../../../model/event.ts';
import { activityOf, askText, tellPlace, taskOfStep } from '../../short-forms.ts';
import { diffTone } from '../theme.ts';
import { addSpending, isOpen, noSpending, type Pane, type Progress } from './progress.ts';
import {
  closeTail,
  emptyTail,
  type PaneTail,
  withLine,
  withMessage,
  withOutput,
  withPiece,
} from './tail.ts';
import { flowOf, steps } from '../../../model/steps.ts';

type AgentRun = EventOf<
  | 'agent.started'
  | 'agent.acted'
  | 'agent.answered'
  | 'agent.failed'
  | 'agent.retried'
  | 'login.needed'
>;

/** The panes after an agent run started, did something or ended. */
export function withRun(progress: Progress, event: AgentRun): Progress {
  const { step, agent, seat } = event;
  const group = flowOf(step);
  const who = { group, task: taskOfStep(step), agent, seat };
  return withPane({ ...progress, group }, who, (pane) => foldEvent(pane, event));
}

function withPane(
  progress: Progress,
  who: Pick<Pane, 'group' | 'task' | 'agent' | 'seat'>,
  change: (pane: Pane) => Pane,
): Progress {
  const { panes } = progress;
  const { group, task, agent } = who;
  const at = panes.findIndex(
    (one) => one.agent === agent && one.task === task && one.group === group,
  );
  const pane = change(panes[at] ?? newPane(who));
  return { ...progress, panes: at < 0 ? [...panes, pane] : panes.with(at, pane) };
}

/** The panes of a round before its agents are asked. */
export function withSeats(progress: Progress, event: EventOf<'round.started'>): Progress {
  const { group } = steps.round(event.round);
  return event.seats.reduce<Progress>(
    (now, agent) => withPane(now, { group, task: null, agent, seat: agent }, (pane) => pane),
    { ...progress, group },
  );
}

/** The panes once a task has started, before its agent is asked. */
export function withStartedTask(progress: Progress, event: EventOf<'task.started'>): Progress {
  const { execution } = progress;
  if (execution === null) return progress;
  const { task, executor: agent } = event;
  const { group } = steps.execution(execution.number);
  const who = { group, task, agent, seat: agent };
  return withPane(progress, who, (pane) => pane);
}

/** The panes after another agent took the seat of one that failed. */
export function withReplacement(progress: Progress, event: EventOf<'agent.replaced'>): Progress {
  const { agent, seat, instead_of: before, reason } = event;
  // If the agent runs two tasks, this finds the one in which it failed.
  const replaced = progress.panes.findLast(
    (one) =>
      one.agent === before &&
      one.seat === seat &&
      (one.task === null || (one.state === 'failed' && one.replacedBy === null)),
  );
  if (replaced === undefined) return progress;
  const { group, task } = replaced;
  const panes = progress.panes.map((one) =>
    one === replaced ? { ...one, replacedBy: agent } : one,
  );
  return withPane({ ...progress, panes }, { group, task, agent, seat }, (pane) => ({
    ...pane,
    tail: withLine(pane.tail, `→ replaces ${before}: ${reason}`, 'warn'),
  }));
}

/** The panes once no agent runs. */
export function stopPanes(panes: readonly Pane[]): readonly Pane[] {
  return panes.map((pane) =>
    isOpen(pane) ? { ...pane, ...atRest, state: 'stopped', doing: 'stopped' } : pane,
  );
}

const atRest = { since: null, until: null, login: null } as const;

function newPane(who: Pick<Pane, 'group' | 'task' | 'agent' | 'seat'>): Pane {
  return {
    ...who,
    ...atRest,
    key: [who.group, who.task, who.agent].filter((part) => part !== null).join('/'),
    kind: null,
    model: null,
    state: 'expected',
    doing: 'starting',
    durationMs: null,
    settled: noSpending,
    running: noSpending,
    tail: emptyTail,
    replacedBy: null,
  };
}

function foldEvent(pane: Pane, event: AgentRun): Pane {
  switch (event.type) {
    case 'agent.acted':
      return foldAction(pane, event.event);
    case 'agent.started':
      return foldStart(pane, event);
    case 'agent.retried': {
      const since = Date.parse(event.at);
      const until = since + event.delay_ms;
      const tail = withLine(pane.tail, `… tries again in ${duration(event.delay_ms)}`, 'warn');
      return { ...pane, state: 'waiting', doing: event.reason, since, until, tail };
    }
    case 'login.needed': {
      const { agent, login } = event;
      const told = `! ${agent} is not logged in: l runs "${login}" and asks it again, s goes on without it`;
      const tail = withLine(pane.tail, told, 'warn');
      const doing = 'not logged in: l logs it in, s skips it';
      return {
        ...pane,
        state: 'waiting',
        doing,
        since: Date.parse(event.at),
        until: null,
        login,
        tail,
      };
    }
    case 'agent.answered': {
      const told = `✓ answered in ${duration(event.duration_ms)}${tellPlace(event)}: ${event.summary}`;
      const tail = withLine(pane.tail, told, 'good');
      return { ...foldEnd(pane, event), state: 'answered', doing: event.summary, tail };
    }
    case 'agent.failed': {
      const { category, reason, duration_ms: ms } = event;
      const tail = withLine(
        pane.tail,
        `✗ failed after ${duration(ms)} (${category}): ${reason}`,
        'bad',
      );
      return { ...foldEnd(pane, event), state: 'failed', doing: `${category}: ${reason}`, tail };
    }
  }
}

function foldStart(pane: Pane, { kind, model, at, step }: EventOf<'agent.started'>): Pane {
  const words = askText(step);
  const again = `— ${words === 'asked' ? 'asked again' : words} —`;
  return {
    ...pane,
    kind,
    model: model ?? pane.model,
    state: 'running',
    doing: kind === 'analyst' ? 'reading the repository' : 'starting',
    since: Date.parse(at),
    until: null,
    login: null,
    running: noSpending,
    tail: pane.durationMs === null ? pane.tail : withLine(pane.tail, again, 'quiet'),
  };
}

function foldEnd(pane: Pane, event: EventOf<'agent.answered' | 'agent.failed'>): Pane {
  const { tokens, cost_usd: costUsd, kind, model, duration_ms: ms } = event;
  // The total at the end of a run replaces what the run reported before.
  const used = { input: tokens?.input ?? 0, output: tokens?.output ?? 0, costUsd };
  return {
    ...pane,
    ...atRest,
    kind,
    model: model ?? pane.model,
    durationMs: (pane.durationMs ?? 0) + ms,
    settled: addSpending(pane.settled, used),
    running: noSpending,
  };
}

/** A pane after its agent did something. */
function foldAction(pane: Pane, event: AgentEvent): Pane {
  if (event.type === 'started') {
    return { ...pane, model: event.model ?? pane.model, doing: activityOf(event) ?? pane.doing };
  }
  if (event.type === 'usage') {
    const { inputTokens: input, outputTokens: output, costUsd } = event;
    const share = { input, output, costUsd };
    return { ...pane, running: addSpending(pane.running, share) };
  }
  return { ...pane, doing: activityOf(event) ?? pane.doing, tail: tailAfter(pane.tail, event) };
}

function tailAfter(tail: PaneTail, event: AgentEvent): PaneTail {
  switch (event.type) {
    case 'message':
      return event.partial ? withPiece(tail, event.content) : withMessage(tail, event.content);
    case 'thinking':
      return withLine(tail, event.content, 'quiet');
    case 'tool_call':
      return event.output === undefined
        ? withDiff(withLine(tail, `› ${event.name} ${event.detail}`, 'accent'), event)
        : withOutput(tail, event.output);
    case 'file_read':
      return withLine(tail, `› read ${event.path}`, 'accent');
    case 'file_change':
      return withDiff(
        withLine(tail, `› ${changes[event.change ?? 'change']} ${event.path}`, 'warn'),
        event,
      );
    case 'command':
      return command(tail, event);
    case 'approval_needed':
      return withLine(tail, `! ${event.tool ?? 'a tool'} denied: ${event.description}`, 'warn');
    case 'cancelled':
      return withLine(tail, `✗ cancelled ${event.what ?? ''}`, 'warn');
    case 'retrying':
      return withLine(tail, `… retrying: ${event.reason}`, 'warn');
    case 'warning':
      return withLine(tail, `! ${event.message}`, 'warn');
    case 'error':
      return withLine(tail, `✗ ${event.category}: ${event.message}`, 'bad');
    case 'unknown':
      return withLine(tail, event.line, 'quiet');
    case 'started':
    case 'usage':
    case 'completed':
      return closeTail(tail);
  }
}

// A command is reported when it starts and again when it ends.
function command(
  tail: PaneTail,
  { command: line, exitCode: code, output: text = '' }: AgentEventOf<'command'>,
): PaneTail {
  const isTold = tail.open === '' && tail.lines.at(-1)?.text.endsWith(` ${line}`) === true;
  const begun = line === '' || isTold ? tail : withLine(tail, `$ ${line}`, 'accent');
  const put = withOutput(begun, text);
  return code === null || code === 0 ? put : withLine(put, `ended with exit code ${code}`, 'warn');
}

const changes = { add: 'added', change: 'changed', delete: 'deleted' } as const;

function withDiff(tail: PaneTail, { diff: text = '' }: { readonly diff?: string | undefined }) {
  return withOutput(tail, text, diffTone);
}
