import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { cleanText } from '../model/clean-text.ts';
import type { Event } from '../model/event.ts';
import { counted, oneLine } from '../model/wording.ts';
import type { View } from '../workflow/view.ts';
import { activityOf, whyAgain } from './activity.ts';
import { agreementText, duration, shortened } from './short-forms.ts';

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

/** The same lines for any output; `label` is how the first word of a line looks. */
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
    else if (!event.replayed || shownFromRecord.has(event.type)) tell(event, line);
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

  function tellActivity(event: Extract<Event, { type: 'agent.acted' }>): void {
    const known = activity.get(event.step);
    if (known === undefined) return;
    known.doing = activityOf(event.event) ?? known.doing;
    const now = performance.now();
    if (now - known.told < calm * 1000) return;
    known.told = now;
    line(`  ${event.agent}`, `${known.doing} (${duration(now - known.since)})`);
  }
}

/** What a resumed session tells again: enough to know where it stands. */
const shownFromRecord: ReadonlySet<Event['type']> = new Set([
  'session.resumed',
  'session.finished',
  'round.finished',
  'decision.made',
]);

type Line = (label: string, text: string) => void;

function tell(event: Event, line: Line): void {
  switch (event.type) {
    case 'session.started':
      line('session', event.session);
      line('task', shortened(event.task, 200));
      return;
    case 'session.resumed':
      line(
        'session',
        `${event.session} resumed, ${counted(event.finished_steps, 'step')} already done`,
      );
      line('task', shortened(event.task, 200));
      return;
    case 'context.fell':
      line('  search', `${event.provider} failed after ${duration(event.ms)}: ${event.reason}`);
      return;
    case 'context.gathered':
      tellContext(event, line);
      return;
    case 'context.reranked':
      line('', reranked(event));
      return;
    case 'round.started':
      line(
        'discussion',
        `round ${event.round} of at most ${event.max_rounds}: ${event.seats.join(', ')}`,
      );
      return;
    case 'agent.started':
      line(`  ${event.agent}`, askedText(event));
      return;
    case 'agent.answered':
      line(
        `  ${event.agent}`,
        `answered in ${duration(event.duration_ms)}${tokensOf(event)}: ${shortened(event.summary, 160)}`,
      );
      return;
    case 'agent.failed':
      line(
        `  ${event.agent}`,
        `failed after ${duration(event.duration_ms)} (${event.category}): ${shortened(event.reason, 300)}`,
      );
      return;
    case 'agent.retried':
      line(
        `  ${event.agent}`,
        `tries again in ${duration(event.delay_ms)}: ${shortened(event.reason, 200)}`,
      );
      return;
    case 'agent.replaced':
      line(`  ${event.agent}`, `replaces ${event.instead_of}`);
      return;
    case 'tree.changed':
      line(
        '  changed',
        `${event.files.join(', ')} ${event.agent === null ? 'changed while agents ran; it is not known who did it' : `changed by ${event.agent}`}`,
      );
      return;
    case 'round.finished':
      tellRound(event, line);
      return;
    case 'question.asked':
      for (const question of event.questions) line('question', question);
      return;
    case 'question.answered':
      line(
        'answer',
        event.skipped
          ? 'no one to ask: continuing with the best options'
          : event.by === 'flags'
            ? 'given by --feedback'
            : 'given by the user',
      );
      return;
    case 'options.presented':
      line(
        'options',
        event.uncertainty ??
          `${counted(event.options.length, 'solution')}, ${counted(event.agreements, 'agreement')}, ${counted(event.disagreements, 'disagreement')}`,
      );
      return;
    case 'decision.made':
      line('decision', `${event.decision} (${byWhom(event.by)})`);
      return;
    case 'plan.written':
      line(
        'plan',
        `${counted(event.tasks, 'task')}, ${event.source === 'derived' ? 'made by rules, without a planning agent' : `by ${event.source}`}`,
      );
      for (const title of event.titles) line('', shortened(title, 110));
      return;
    case 'plan.checked':
      line(
        'plan check',
        event.findings.length === 0
          ? 'nothing found'
          : `${event.blocking} blocking, ${counted(event.warnings, 'warning')}`,
      );
      for (const finding of event.findings) line('', finding);
      return;
    case 'plan.revised':
      line(
        `version ${event.version}`,
        event.changes.length === 0
          ? 'nothing changed'
          : `${counted(event.changes.length, 'change')} from the version before`,
      );
      for (const change of event.changes) line('', shortened(change, 240));
      return;
    case 'plan.edited':
      line('edited', `${event.task ?? 'plan'} ${event.field}`);
      return;
    case 'plan.approved':
      line('approved', `by ${byWhom(event.by)}, hash ${event.hash.slice(0, 12)}`);
      return;
    case 'plan.left':
      line('plan', `not approved: ${event.why}`);
      return;
    case 'warning.raised':
      line('warning', event.text);
      return;
    case 'session.finished':
      tellEnd(event, line);
      return;
    case 'agent.acted':
    case 'phase.entered':
    case 'step.finished':
      return;
  }
}

function askedText({ agent, seat, step }: Extract<Event, { type: 'agent.started' }>): string {
  const why = whyAgain(step);
  const asked = why === null ? 'asked' : `asked again: ${why}`;
  return agent === seat ? asked : `${asked}, in place of ${seat}`;
}

function tellContext(event: Extract<Event, { type: 'context.gathered' }>, line: Line): void {
  const { files, provider, degraded } = event;
  const found = `${counted(files.length, 'file')} by ${provider}${degraded ? ', degraded' : ''}`;
  line('context', files.length === 0 ? 'no file matches this task' : found);
  const shown = files.slice(0, files.length === mostFiles + 1 ? files.length : mostFiles);
  for (const file of shown) line('', file);
  if (shown.length < files.length) line('', `and ${files.length - shown.length} more`);
}

function reranked({ agent, note }: Extract<Event, { type: 'context.reranked' }>): string {
  return note === null ? `reordered by ${agent ?? 'nobody'}` : `the order stays: ${note}`;
}

function tellRound(event: Extract<Event, { type: 'round.finished' }>, line: Line): void {
  const parts = [
    `score ${event.score.toFixed(2)}`,
    agreementText(event.recommendation),
    counted(event.solutions, 'solution'),
    counted(event.agreements, 'agreement'),
    counted(event.disagreements, 'disagreement'),
    `${counted(event.failed_references, 'reference')} failed the check`,
  ];
  line(`round ${event.round}`, parts.join(', '));
}

/** How it ended stands on stderr where it ended badly. */
function tellEnd(event: Extract<Event, { type: 'session.finished' }>, line: Line): void {
  if (event.exit_code === 0) line(event.end, event.message);
  if (event.summary !== null) line('summary', shortened(event.summary, 400));
  if (event.plan !== null) line('plan', `${event.plan} (${counted(event.tasks ?? 0, 'task')})`);
}

function tokensOf({ tokens }: Extract<Event, { type: 'agent.answered' }>): string {
  return tokens === null ? '' : `, ${tokens.input} + ${tokens.output} tokens`;
}

function byWhom(by: string): string {
  return by === 'auto' ? '--auto-yes' : by;
}

type Options = Extract<Event, { type: 'options.presented' }>;

/** The options side by side for reading: what each is, who stands behind it, what it touches. */
export function optionLines({ options }: Options): readonly string[] {
  return options.flatMap((option) => [
    '',
    `  ${option.number}. ${shortened(option.name, 90)}`,
    `     from ${option.source_cli.join(', ')} · ${ratingsOf(option)}`,
    `     ${shortened(option.summary, 240)}`,
    ...option.pros.slice(0, 3).map((pro) => `     + ${shortened(pro, 110)}`),
    ...option.cons.slice(0, 3).map((con) => `     - ${shortened(con, 110)}`),
    ...option.affected.slice(0, 8).map((place) => `     ${shortened(place, 110)}`),
    ...(option.affected.length > 8 ? [`     and ${option.affected.length - 8} more`] : []),
    ...(option.number === options.length ? [''] : []),
  ]);
}

function ratingsOf({ draft, feasibility, effort, risk }: Options['options'][number]): string {
  if (draft) return 'a draft by rules, which nobody rated';
  return `feasibility ${feasibility.toFixed(2)} · effort ${effort} · risk ${risk}`;
}
