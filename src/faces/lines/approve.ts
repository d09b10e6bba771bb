import { type PlanVerdict, rejectedText } from '../../model/decision.ts';
import { findingText, blockingIn } from '../../model/finding.ts';
import { commentOf } from '../../model/plan-edit.ts';
import { oneLine, sentence } from '../../model/wording.ts';
import { changeText } from '../../phases/planning/editing/plan-changes.ts';
import { taskMarkdown } from '../../phases/planning/plan-text.ts';
import type { PlanOnDesk, View } from '../../workflow/view.ts';
import { type Dialog, choose, gather } from './reader.ts';

/** Shows the plan as it is on disk, and asks what to do with it. */
export async function approveByLines(
  lines: Dialog,
  { seen, canRevise, rejected }: Parameters<View['approve']>[0],
  signal: AbortSignal,
): Promise<PlanVerdict> {
  const ways = waysOf(seen, canRevise);
  const ids = seen.tasks.map(({ id }) => id);
  const was = rejected === null ? [] : [sentence(`It was ${rejectedText(rejected)}`)];
  lines.say('', ...planLines(seen), ...was, '', 'What now?', ...ways.map(([, is]) => is));
  if (ids.length > 0) lines.say('  the id of a task: read all of it');
  const [first = 'leave', ...others] = [...ways.map(([word]) => word), ...ids];
  for (;;) {
    const typed = await choose(lines, { prompt: 'Plan', words: [first, ...others] }, signal);
    const task = seen.tasks.find(({ id }) => id === typed);
    if (task !== undefined) {
      lines.say('', ...taskMarkdown(task).replaceAll('**', '').split('\n'), '');
      continue;
    }
    if (typed === 'approve') return { kind: 'approve', by: 'user', hash: seen.hash };
    if (typed === 'reject') {
      const why = (await lines.reader.ask('Why? Leave empty to give no reason: ', signal)).trim();
      return { kind: 'reject', why, by: 'user' };
    }
    if (typed === 'leave') return { kind: 'leave', why: whyLeft(seen) };
    const [comment, ...more] = await gather(lines, commentPrompts, signal);
    if (comment === undefined) continue;
    const comments = [comment, ...more].map((text) => commentOf(text, ids));
    return { kind: 'revise', comments, by: 'user' };
  }
}

/** What blocks the plan, if something does. */
function whyLeft({ findings }: PlanOnDesk): string {
  const blocking = blockingIn({ findings })[0];
  return blocking?.message ?? 'left by the user';
}

const commentPrompts = {
  first: 'What should be different? Begin with the id of a task if it is about one: ',
  more: 'What else? Leave empty to send it to the planner: ',
};

/** The words that may be typed, the recommended one first, each with what it does. */
function waysOf({ plan, findings }: PlanOnDesk, canRevise: boolean): readonly [string, string][] {
  const isBlocked = plan === null || blockingIn({ findings }).length > 0;
  return [
    ...(isBlocked ? [] : [way('approve', 'approve it as it stands (Enter does the same)')]),
    ...(canRevise && plan !== null
      ? [way('comment', 'say what should be different; the planner makes a new version')]
      : []),
    way('leave', 'leave it as it is, to be edited or approved later'),
    way('reject', 'reject it and say why; withdraws an approval'),
  ];
}

function way(word: string, does: string): [string, string] {
  return [word, `  ${word}: ${does}`];
}

/** A plan with its tasks, what changed in it and what the plan check found. */
export function planLines(seen: PlanOnDesk): readonly string[] {
  const { plan, tasks, findings, version, changes } = seen;
  return [
    `Plan, version ${version}: ${oneLine(plan?.summary ?? 'it cannot be read')}`,
    ...tasks.map(({ id, title, depends_on: after }) => {
      const order = after.length === 0 ? '' : `, after ${after.join(', ')}`;
      return `  ${id}: ${oneLine(title)}${order}`;
    }),
    ...(changes.length === 0
      ? []
      : ['What changed:', ...changes.map((change) => `  ${changeText(change)}`)]),
    findings.length === 0 ? 'The plan check found nothing.' : 'The plan check found:',
    ...findings.map((finding) => `  ${finding.severity}, ${oneLine(findingText(finding))}`),
  ];
}
