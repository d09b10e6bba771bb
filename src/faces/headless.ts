// Shows calm progress lines for people, pipes and logs, or one JSON event per line.
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { cleanText } from '../model/clean-text.ts';
import type { Event, EventOf } from '../model/event.ts';
import { unratedText } from '../model/synthesis.ts';
import { duration, oneLine } from '../model/wording.ts';
import { opinionText } from '../phases/opinions.ts';
import type { Answers, View } from '../workflow/view-port.ts';
import { type Line, agentLine, linesOf } from './event-lines.ts';
import { activityOf, replayText, shorten } from './short-forms.ts';

/** The time between two lines about an agent that is still working, in seconds. */
const pause = 15;

/** Shows calm progress lines for people, pipes and logs. */
export function headlessView(out: Writable, answers: Answers): View {
  const show = headlessShow({
    write: (text) => out.write(text),
    label: (text) => styleText('bold', text, { stream: out }),
    tellsOptions: true,
  });
  return { ...answers, show };
}

/** Prints one event per line, for programs; the answers come from elsewhere. */
export function jsonView(out: Writable, answers: Answers): View {
  return { ...answers, show: (event) => out.write(`${JSON.stringify(event)}\n`) };
}

/** Shows the calm lines on any output; `label` formats the first word of a line. */
export function headlessShow(out: {
  readonly write: (text: string) => unknown;
  readonly label: (text: string) => string;
  /** True where no form will show the options. */
  readonly tellsOptions?: boolean;
}): View['show'] {
  const running = new Map<string, { since: number; reportedAt: number; doing: string }>();
  const print = ([label, text]: Line) => {
    const name = cleanText(label).padEnd(12);
    out.write(`${out.label(name)} ${oneLine(cleanText(text))}\n`);
  };
  const printActivity = (event: EventOf<'agent.acted'>) => {
    const agent = running.get(event.step);
    if (agent === undefined) return;
    agent.doing = activityOf(event.event) ?? agent.doing;
    const now = performance.now();
    if (now - agent.reportedAt < pause * 1000) return;
    agent.reportedAt = now;
    print(agentLine(event, `${agent.doing} (${duration(now - agent.since)})`));
  };
  const before = { rounds: 0, calls: 0 };
  const printBefore = () => {
    const { rounds, calls } = before;
    if (rounds + calls > 0) print(['so far', replayText(rounds, calls)]);
    Object.assign(before, { rounds: 0, calls: 0 });
  };
  return (event) => {
    if (event.replayed && event.type === 'round.finished') before.rounds += 1;
    if (event.replayed && event.type === 'agent.answered') before.calls += 1;
    if (!event.replayed || event.type === 'session.finished') printBefore();
    if (event.type === 'agent.acted') return printActivity(event);
    if (event.replayed && !shownFromRecord.has(event.type)) return;
    for (const line of linesOf(event)) print(line);
    if (event.type === 'options.presented' && out.tellsOptions === true)
      for (const text of event.options.flatMap(optionTexts)) print(['', shorten(text, 240)]);
    if (event.type === 'agent.started') {
      const now = performance.now();
      running.set(event.step, { since: now, reportedAt: now, doing: 'starting' });
    }
    if (event.type === 'agent.answered' || event.type === 'agent.failed') {
      running.delete(event.step);
    }
  };
}

/** The recorded events that a resumed session shows: enough to know its state. */
const shownFromRecord: ReadonlySet<Event['type']> = new Set([
  'session.resumed',
  'session.finished',
  'plan.judged',
  'decision.made',
]);

/** Says what an option is, who is for it or against it and why, and what the check did not find in it. */
function optionTexts(option: EventOf<'options.presented'>['options'][number]): readonly string[] {
  const { number, name, summary, opinions, failed, feasibility, effort, risk } = option;
  const rating =
    unratedText(option, option.draft) ??
    `feasibility ${feasibility.toFixed(2)} · effort ${effort} · risk ${risk}`;
  return [
    `${number}. ${name}`,
    `from ${option.source_cli.join(', ')} · ${rating}`,
    summary,
    ...opinions.flatMap((one) => [opinionText(one), ...one.replies]),
    ...failed.map((text) => `check failed: ${text}`),
  ];
}
