// Shortens durations and lines, and says in a few words what an agent does.
import type { AgentEvent } from '../model/agent-event.ts';
import type { Bill, WindowUse } from '../model/bill.ts';
import type { EventOf, Forecast } from '../model/event.ts';
import { clockTime, counted, listed, oneLine } from '../model/wording.ts';
import type { AnotherRound } from '../phases/present-options.ts';
import type { Try } from '../model/step.ts';
import { parseStep } from '../model/steps.ts';

/** The file of a plan that is for people. */
export function readablePlanFile(planFile: string): string {
  return planFile.replace(/plan\.json$/, 'plan.md');
}

/** Writes token counts: `, 900 + 80 tokens`; empty if they are unknown. */
export function tokensText(tokens: EventOf<'agent.answered'>['tokens']): string {
  return tokens === null
    ? ''
    : `, ${tokens.estimated === true ? 'about ' : ''}${tokens.input} + ${tokens.output} tokens`;
}

/** Writes the bill of a session: `5 agent runs, 48k tokens, $0.31 · 4 min 7 s (you 3:13)`. */
export function usageText(bill: Bill): string {
  return [amountText(bill), timeText(bill)].filter(Boolean).join(' · ');
}

/** Writes the amounts of a bill: `5 agent runs, 48k tokens, $0.31`. */
export function amountText(bill: Bill): string {
  return [
    counted(bill.agent_runs, 'agent run'),
    ...priceTexts(amountsIn(bill)),
    ...(bill.windows ?? []).map(windowText),
    ...(bill.estimated === true ? ['tokens in part estimated'] : []),
  ].join(', ');
}

/** Says how long a session took, and how much of it was waiting for a person: `4 min 7 s (you 3:13)`. */
export function timeText(bill: Pick<Bill, 'since_start_ms' | 'waiting_ms'>): string {
  const { since_start_ms: running, waiting_ms: waiting } = bill;
  const all = running + waiting;
  if (all === 0) return '';
  return waiting < 1000 ? clockTime(all) : `${clockTime(all)} (you ${digitalTime(waiting)})`;
}

/** Writes a time with colons: `0:40`, `3:13`, `26:02:40`. */
function digitalTime(ms: number): string {
  const whole = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const parts = hours === 0 ? [minutes, whole % 60] : [hours, minutes, whole % 60];
  return parts.map((part, at) => (at === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':');
}

export function amountsIn({ input_tokens, output_tokens, cost_usd }: Bill): Forecast {
  return { tokens: input_tokens + output_tokens, cost_usd };
}

/** Says what was used of a plan’s window: `about 6 % of your 5-hour window (codex)`. */
export function windowText({ agent, name, moved, resets_at }: WindowUse): string {
  if (resets_at === null) return `at least ${moved ?? 0} ${name} (${agent})`;
  const percent = Math.round((moved ?? 0) * 100);
  const share = percent === 0 ? 'less than 1 %' : `about ${percent} %`;
  return moved === null
    ? `of your ${name} (${agent}) not known yet`
    : `${share} of your ${name} (${agent})`;
}

export function planUnknownText(names: readonly string[]): string {
  return `what a session uses of the plan of ${listed(names)} is not known yet`;
}

/** Says the probable usage of a session: `earlier sessions here used about 48k tokens, $0.31`. */
export function forecastText({ windows = [], ...forecast }: Forecast): string {
  const used = [...priceTexts(forecast), ...windows.map(windowText)];
  return `earlier sessions here used about ${used.join(', ').replaceAll(', about ', ', ')}`;
}

/** Writes the tokens and the price, if they are known: `12k tokens, $0.31`. */
export function priceText(used: Forecast): string {
  return priceTexts(used).join(', ');
}

/** Writes a price for a column; `-` if no agent reported one. */
export function costText(usd: number): string {
  return usd === 0 ? '-' : `$${usd.toFixed(2)}`;
}

/** The tokens and the price as separate texts. */
export function priceTexts({ tokens, cost_usd }: Forecast): readonly string[] {
  return [
    ...(tokens === 0 ? [] : [`${tokens < 1000 ? tokens : `${Math.round(tokens / 1000)}k`} tokens`]),
    ...(cost_usd === 0 ? [] : [`$${cost_usd.toFixed(2)}`]),
  ];
}

/** Says in one line what an earlier run of a session did: `3 rounds, 12 calls, resumed`. */
export function replayText(rounds: number, calls: number): string {
  return [
    ...(rounds === 0 ? [] : [counted(rounds, 'round')]),
    ...(calls === 0 ? [] : [counted(calls, 'call')]),
    'resumed',
  ].join(', ');
}

/** Describes another round in a sentence: its number, and what the last one used. */
export function anotherRoundText({ number, most, tokens, costUsd }: AnotherRound): string {
  const left = most - number;
  const which =
    left < 0
      ? `All ${counted(most, 'round')} are done; this would be one more`
      : `This would be round ${number} of at most ${most}`;
  const used = priceTexts({ tokens: tokens ?? 0, cost_usd: costUsd ?? 0 });
  const cost = used.length === 0 ? '' : ` The last round used about ${used.join(', ')}.`;
  return `${which}.${cost}`;
}

/** Describes a search that did not help: `Search found no file for this task`. */
export function fallText({
  provider,
  reason,
}: Pick<EventOf<'context.fell'>, 'provider' | 'reason'>): string {
  const who = provider === 'search' ? 'Search' : `Search by ${provider}`;
  return /^(?:found|took) /.test(reason) ? `${who} ${reason}` : `${who} failed: ${reason}`;
}

export function modelText(model: string | null): string {
  return model === null ? 'default model' : `model: ${model}`;
}

export function shorten(text: string, most: number): string {
  const line = oneLine(text);
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** Writes the time from a moment to `now` (ms), in its largest unit: `40 s`, `5 min`, `3 h`, `12 d`. */
export function ago(moment: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(moment)) / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.floor(seconds / 3600)} h`
    : `${Math.floor(seconds / 86_400)} d`;
}

/** Writes a moment by the clock of this machine, e.g. `2026-11-26 09:30 (5 min ago)`. */
export function momentText(moment: string, now: number): string {
  // A format of `Intl` takes as long to load as half of Node.
  const at = new Date(moment);
  const parts = [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()];
  const [month, day, hour, minute] = parts.map((part) => String(part).padStart(2, '0'));
  return `${at.getFullYear()}-${month}-${day} ${hour}:${minute} (${ago(moment, now)} ago)`;
}

export function roundCounts(event: EventOf<'round.finished'>): string {
  return [
    counted(event.solutions, 'solution'),
    counted(event.agreements, 'agreement'),
    counted(event.disagreements, 'disagreement'),
    `${counted(event.failed_references, 'reference')} failed the check`,
  ].join(', ');
}

/** Says in a few words what an agent is doing; null if the event does not say. */
export function activityOf(event: AgentEvent): string | null {
  switch (event.type) {
    case 'thinking':
      return 'thinking';
    case 'message':
      return 'writing its answer';
    case 'tool_call':
      return event.output === undefined ? `using ${event.name}` : null;
    case 'file_read':
      return `reading ${event.path}`;
    case 'file_change':
      return `changing ${event.path}`;
    case 'command':
      return event.command === '' ? null : `running ${shorten(event.command, 60)}`;
    case 'retrying':
      return `retrying: ${shorten(event.reason, 60)}`;
    case 'cancelled':
      return 'cancelled';
    case 'started':
      return event.machine === undefined ? null : `on ${event.machine}`;
    case 'approval_needed':
    case 'usage':
    case 'warning':
    case 'error':
    case 'completed':
    case 'unknown':
      return null;
  }
}

/** The words for the machine of a run; empty for this one. */
export function tellPlace({ machine }: { readonly machine?: string }): string {
  return machine === undefined ? '' : ` on ${machine}`;
}

/** The plan’s task that a step of an agent executes, or null. */
export function taskOfStep(step: string): string | null {
  const known = parseStep(step);
  return known === null || known.call === null || known.isJoin ? null : known.task;
}

/** Why an agent is asked again, by the name of the step; null for its first try. */
function retryReason(step: string): string | null {
  const known = parseStep(step);
  if (known?.kind !== 'work') return known?.call?.again ?? null;
  return tryReasons[known.attempt] ?? known.call.again;
}

/** Says that an agent is asked and, by the name of the step, why; a new question does not count as again. */
export function askText(step: string): string {
  const why = retryReason(step);
  if (why === null) return 'asked';
  const known = parseStep(step);
  const prompt = known?.kind === 'work' && known.attempt === '' ? known.call?.prompt : undefined;
  const isFirst = prompt !== undefined && firstAsked.has(prompt);
  return isFirst ? `asked ${why}` : `asked again: ${why}`;
}

/** Prompts of calls that precede others or go to another agent, so that they are not asked again. */
const firstAsked: ReadonlySet<string> = new Set(['compare', 'plan-reply']);

const tryReasons: Readonly<Record<Try, string | null>> = {
  '': null,
  retry: 'the first try failed',
  repair: 'a part of its answer was missing or could not be used',
  'full-repair': 'a part of its answer was missing or could not be used',
};
