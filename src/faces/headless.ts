import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { cleanText } from '../model/clean-text.ts';
import { optionLines } from './option-lines.ts';
import { type Line, executionLines, more } from './execution-lines.ts';
import type { Event, EventOf } from '../model/event.ts';
import { counted, oneLine } from '../model/wording.ts';
import type { View } from '../workflow/view.ts';
import {
  activityOf,
  agreementText,
  duration,
  forecastText,
  modelText,
  readablePlan,
  roundCounts,
  shortened,
  taskOfStep,
  usedText,
  whyAgain,
} from './short-forms.ts';

/** Seconds between two lines about an agent that is still at work. */
const calm = 15;
/** The best of the found files, which are named. */
const mostFiles = 5;

/** Calm progress lines for people, pipes and logs. */
export function headlessView(out: Writable, answers: Omit<View, 'show'>): View {
  const show = headlessShow({
    write: (text) => out.write(text),
    label: (text) => styleText('bold', text, { stream: out }),
  });
  return { ...answers, show };
}

/** Prints one event per line, for programs; the answers come from elsewhere. */
export function jsonView(out: Writable, answers: Omit<View, 'show'>): View {
  return {
    ...answers,
    show(event) {
      out.write(`${JSON.stringify(event)}\n`);
    },
  };
}

/** The calm lines for any output; `label` is how the first word of a line looks. */
export function headlessShow(out: {
  readonly write: (text: string) => unknown;
  readonly label: (text: string) => string;
}): View['show'] {
  const activity = new Map<string, { since: number; told: number; doing: string }>();
  const line = (label: string, text: string) => {
    const name = cleanText(label).padEnd(12);
    out.write(`${out.label(name)} ${oneLine(cleanText(text))}\n`);
  };
  return (event) => {
    if (event.type === 'agent.acted') tellActivity(event);
    else if (!event.replayed || shownFromRecord.has(event.type)) {
      for (const [label, text] of linesFor(event)) if (text !== null) line(label, text);
    }
    if (event.type === 'agent.started') {
      const since = performance.now();
      activity.set(event.step, { since, told: since, doing: 'starting' });
    }
    if (event.type === 'agent.answered' || event.type === 'agent.failed')
      activity.delete(event.step);
    if (event.type === 'options.presented' && !event.replayed) {
      for (const text of optionLines(event)) out.write(`${cleanText(text)}\n`);
    }
  };

  function tellActivity(event: EventOf<'agent.acted'>): void {
    const known = activity.get(event.step);
    if (known === undefined) return;
    known.doing = activityOf(event.event) ?? known.doing;
    const now = performance.now();
    if (now - known.told < calm * 1000) return;
    known.told = now;
    const [label, text] = agentLine(event, `${known.doing} (${duration(now - known.since)})`);
    line(label, text ?? '');
  }
}

/** What a resumed session tells again: enough to know where it stands. */
const shownFromRecord: ReadonlySet<Event['type']> = new Set([
  'session.resumed',
  'session.finished',
  'round.finished',
  'decision.made',
]);

/** Which settings a resumed session goes by where that is not plain. */
function settingLines({ kept, changed }: EventOf<'session.resumed'>): readonly Line[] {
  const since = `changed from the next round on: ${changed.join(' ')}`;
  return [
    ['settings', kept.length === 0 ? null : `as at its start: ${kept.join(' ')}`],
    ['settings', changed.length === 0 ? null : since],
  ];
}

function linesFor(event: Event): readonly Line[] {
  switch (event.type) {
    case 'session.started':
      return [
        ['session', event.session],
        ['task', shortened(event.task, 200)],
        ['', agentText(event)],
        ['', event.forecast === undefined ? null : forecastText(event.forecast)],
      ];
    case 'session.resumed':
      return [
        [
          'session',
          `${event.session} resumed, ${counted(event.finished_steps, 'step')} already done`,
        ],
        ['task', shortened(event.task, 200)],
        ['', agentText(event)],
        ...settingLines(event),
      ];
    case 'context.fell': {
      const { provider, ms, reason } = event;
      return [['  search', `${provider} failed after ${duration(ms)}: ${reason}`]];
    }
    case 'context.gathered':
      return contextLines(event);
    case 'context.reranked':
      return [['', rerankedText(event)]];
    case 'round.started': {
      const { round, max_rounds: most, seats } = event;
      return [['discussion', `round ${round} of at most ${most}: ${seats.join(', ')}`]];
    }
    case 'agent.started':
      return [agentLine(event, askedText(event))];
    case 'agent.answered': {
      const took = `${duration(event.duration_ms)}${tokensOf(event)}`;
      return [agentLine(event, `answered in ${took}: ${shortened(event.summary, 160)}`)];
    }
    case 'agent.failed': {
      const took = `${duration(event.duration_ms)} (${event.category})`;
      return [agentLine(event, `failed after ${took}: ${shortened(event.reason, 300)}`)];
    }
    case 'agent.retried': {
      const why = shortened(event.reason, 200);
      return [agentLine(event, `tries again in ${duration(event.delay_ms)}: ${why}`)];
    }
    case 'agent.replaced':
      return [[`  ${event.agent}`, `replaces ${event.instead_of}`]];
    case 'tree.changed':
      return [['  changed', changedText(event)]];
    case 'round.finished':
      return [[`round ${event.round}`, roundText(event)]];
    case 'question.asked':
      return event.questions.map((question) => ['question', question]);
    case 'question.answered':
      return [['answer', answerText(event)]];
    case 'options.presented':
      return [
        ['options', event.uncertainty ?? optionsText(event)],
        ...event.questions.map((text) => ['still open', text] as const),
      ];
    case 'decision.made':
      return [['decision', `${event.decision} (${byWhom(event.by)})`]];
    case 'plan.written':
      return [['plan', writtenText(event)], ...more(event.titles, 110)];
    case 'plan.checked':
      return [['plan check', checkedText(event)], ...more(event.findings)];
    case 'plan.revised': {
      const { version, changes } = event;
      const differs = `${counted(changes.length, 'change')} from the version before`;
      const text = changes.length === 0 ? 'nothing changed' : differs;
      return [[`version ${version}`, text], ...more(changes, 240)];
    }
    case 'plan.edited':
      return [['edited', `${event.task ?? 'plan'} ${event.field}`]];
    case 'plan.approved':
      return [['approved', `by ${byWhom(event.by)}, hash ${event.hash.slice(0, 12)}`]];
    case 'plan.left':
      return [['plan', `not approved: ${event.why}`]];
    case 'warning.raised':
      return [['warning', event.text]];
    case 'session.finished':
      return endLines(event);
    case 'agent.acted':
    case 'phase.entered':
    case 'step.finished':
      return [];
    case 'execution.started':
    case 'task.started':
    case 'check.ran':
    case 'task.changed':
    case 'task.finished':
    case 'task.blocked':
    case 'merge.conflicted':
    case 'execution.finished':
    case 'review.finished':
      return executionLines(event);
  }
}

/** What an agent does is told of the task that it carries out, where it does. */
function agentLine(
  { agent, step }: { readonly agent: string; readonly step: string },
  text: string,
): Line {
  const task = taskOfStep(step);
  return task === null ? [`  ${agent}`, text] : [`  ${task}`, `${agent}: ${text}`];
}

function agentText({
  agent,
  model = null,
}: EventOf<'session.started' | 'session.resumed'>): string | null {
  return agent === undefined ? null : `Agent: ${agent} (${modelText(model)})`;
}

function askedText({ agent, seat, step, kind, model }: EventOf<'agent.started'>): string {
  const why = whyAgain(step);
  const by = kind === 'model' ? ` (${modelText(model)})` : '';
  const asked = why === null ? `asked${by}` : `asked again: ${why}`;
  return agent === seat ? asked : `${asked}, in place of ${seat}`;
}

function contextLines({ files, provider, degraded }: EventOf<'context.gathered'>): readonly Line[] {
  const found = `${counted(files.length, 'file')} by ${provider}${degraded ? ', degraded' : ''}`;
  const shown = files.slice(0, files.length === mostFiles + 1 ? files.length : mostFiles);
  const left = files.length - shown.length;
  return [
    ['context', files.length === 0 ? 'no file matches this task' : found],
    ...more([...shown, ...(left > 0 ? [`and ${left} more`] : [])]),
  ];
}

function rerankedText({ agent, note }: EventOf<'context.reranked'>): string {
  return note === null ? `reordered by ${agent ?? 'nobody'}` : `the order stays: ${note}`;
}

function changedText({ files, agent }: EventOf<'tree.changed'>): string {
  const who = 'changed while agents ran; it is not known who did it';
  return `${files.join(', ')} ${agent === null ? who : `changed by ${agent}`}`;
}

function answerText({ skipped, by }: EventOf<'question.answered'>): string {
  if (skipped) return 'no one to ask: continuing with the best options';
  if (by === 'nobody') return 'no one to ask: the agents go on and state their assumptions';
  return by === 'flags' ? 'given by --feedback' : 'given by the user';
}

function optionsText({ options, agreements, disagreements }: EventOf<'options.presented'>): string {
  return [
    counted(options.length, 'solution'),
    counted(agreements, 'agreement'),
    counted(disagreements, 'disagreement'),
  ].join(', ');
}

function roundText(event: EventOf<'round.finished'>): string {
  const agreement = agreementText(event.recommendation);
  return `score ${event.score.toFixed(2)}, ${agreement}, ${roundCounts(event)}`;
}

function writtenText({ tasks, source }: EventOf<'plan.written'>): string {
  const derived = 'made by rules, without a planning agent';
  return `${counted(tasks, 'task')}, ${source === 'derived' ? derived : `by ${source}`}`;
}

function checkedText({ findings, blocking, warnings }: EventOf<'plan.checked'>): string {
  if (findings.length === 0) return 'nothing found';
  return `${blocking} blocking, ${counted(warnings, 'warning')}`;
}

/** How it ended is told on stderr where it ended badly. */
function endLines(event: EventOf<'session.finished'>): readonly Line[] {
  const { end, exit_code: code, message, summary, plan, tasks, next, by_hand, spent } = event;
  const made = plan === null ? null : `${readablePlan(plan)} (${counted(tasks ?? 0, 'task')})`;
  return [
    [end, code === 0 ? message : null],
    ['summary', summary === null ? null : shortened(summary, 400)],
    ['plan', made],
    ['next', next],
    ['or by hand', by_hand ?? null],
    ['spent', code === 0 ? usedText(spent) : null],
  ];
}

function tokensOf({ tokens }: EventOf<'agent.answered'>): string {
  return tokens === null ? '' : `, ${tokens.input} + ${tokens.output} tokens`;
}

function byWhom(by: string): string {
  return by === 'auto' ? '--auto-yes' : by;
}
