// Shows a plan as lines: its tasks, its changes, and what the plan check and its readers found.
import { findingText } from '../../model/finding.ts';
import type { PlanReading } from '../../model/plan-reading.ts';
import { readingText } from '../../model/reading-summary.ts';
import { listed, oneLine } from '../../model/wording.ts';
import { changeText } from '../../phases/planning/editing/plan-changes.ts';
import type { PlanOnDesk } from '../../workflow/view-port.ts';

/** Shows a plan with its tasks, what changed in it and what the plan check found. */
export function planLines(seen: PlanOnDesk): readonly string[] {
  const { plan, tasks, findings, version, changes, reading } = seen;
  return [
    `Plan, version ${version}: ${oneLine(plan?.summary ?? 'it cannot be read')}`,
    ...tasks.map(({ id, title, depends_on: after }) => {
      const order = after.length === 0 ? '' : `, after ${after.join(', ')}`;
      return `  ${id}: ${oneLine(title)}${order}`;
    }),
    ...(changes.length === 0
      ? []
      : ['What changed:', ...changes.map((change) => `  ${changeText(change)}`)]),
    findings.length === 0 ? 'The plan check found no problems.' : 'The plan check found:',
    ...findings.map((finding) => `  ${finding.severity}, ${oneLine(findingText(finding))}`),
    ...(reading === null ? [] : readingLines(reading)),
  ];
}

/** Shows the readers of the plan, and what became of each finding. */
function readingLines({ readers, unread, findings }: PlanReading): readonly string[] {
  if (readers.length === 0) return [`Not yet read by others: ${oneLine(unread)}`];
  const who = listed(readers.map(({ agent }) => agent));
  return [
    `Read by ${who}: ${readingText(findings)}${findings.length === 0 ? '.' : ':'}`,
    ...findings.flatMap(({ agent, severity, fate, task, problem, suggestion, reply }) => [
      `  ${agent}, ${severity}, ${fate}: ${task === null ? '' : `${task}: `}${oneLine(problem)}`,
      `    suggestion: ${oneLine(suggestion)}`,
      ...(reply === '' ? [] : [`    reply: ${oneLine(reply)}`]),
    ]),
  ];
}
