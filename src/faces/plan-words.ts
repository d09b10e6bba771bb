// Says in a few words what became of a plan: written, checked, read by others.
import type { EventOf } from '../model/event.ts';
import { readingText } from '../model/reading-summary.ts';
import { counted, listed } from '../model/wording.ts';
import { priceText, shorten } from './short-forms.ts';

/** The number of tasks of a plan, and its author. */
export function planWrittenText({ tasks, source }: EventOf<'plan.written'>): string {
  const by = source === 'derived' ? 'rule-based, without a planning agent' : `by ${source}`;
  return `${counted(tasks, 'task')}, ${by}`;
}

export function planCheckText({ findings, blocking, warnings }: EventOf<'plan.checked'>): string {
  if (findings.length === 0) return 'no problems';
  return `${blocking} blocking, ${counted(warnings, 'warning')}`;
}

export function planShownText({ readers }: EventOf<'plan.shown'>): string {
  return `${listed(readers)} ${readers.length === 1 ? 'reads' : 'read'} the plan`;
}

/** The notes on a reading of a plan, and what became of each finding. */
export function readingTexts({ findings, notes, unread }: EventOf<'plan.read'>): readonly string[] {
  const lines = findings.map((finding) => {
    const reply = finding.reply === '' ? '' : ` (${finding.fate}: ${shorten(finding.reply, 160)})`;
    const lack = finding.evidence_found === false ? '; its evidence was not found' : '';
    return `${finding.agent}, ${finding.severity}: ${shorten(finding.problem, 240)}${lack}${reply}`;
  });
  const others = notes.filter((note) => note !== unread);
  return [...others.map((note) => shorten(note, 300)), ...lines];
}

/** The readers of a plan with their cost, and what became of their findings. */
export function planReadText({ readers, unread, findings }: EventOf<'plan.read'>): string {
  if (readers.length === 0) return `not read by others: ${unread}`;
  const who = readers.map(({ agent, tokens, cost_usd }) => {
    const used = priceText({ tokens: tokens ?? 0, cost_usd: cost_usd ?? 0 });
    return used === '' ? agent : `${agent} (${used})`;
  });
  return `${readingText(findings)} by ${listed(who)}`;
}

/** Says which agent replaces which; the failed agent has its own line with the reason. */
export function replacementText({
  seat,
  instead_of: before,
  reason,
}: EventOf<'agent.replaced'>): string {
  return seat === before ? `replaces ${before}` : `replaces ${before}: ${shorten(reason, 200)}`;
}
