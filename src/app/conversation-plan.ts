// Gives a conversation the planning session it continues, and a planning session its conversation.
import type { ProjectFact } from '../model/context.ts';
import type { SessionStart } from '../workflow/recorded.ts';
import { openSessionFolder, listSessionIds } from '../store/session-folder.ts';

/** The longest text of a plan, in characters; a longer one is cut. */
const longestPlan = 60_000;

/** The task, the decision and the plan with its tasks; empty if the id does not belong to a planning session. */
export async function planBackground(root: string, session: string): Promise<string> {
  if (!(await listSessionIds(root)).includes(session)) return '';
  const { readSession } = await import('./read-session.ts');
  const { state } = await readSession(root, session);
  if (state === null) return '';
  const { planText } = await import('./index-session.ts');
  const text = await planText(await openSessionFolder(root, session), state);
  const isLong = text.length > longestPlan;
  const shown = isLong ? `${text.slice(0, longestPlan)}\n[The rest of the plan is cut.]` : text;
  return `The planning session ${session} came before this conversation.\n\n${shown}`;
}

/** The project’s own texts and the previous conversation, which agents are given besides the code. */
export function conversationFacts(
  { facts = [] }: { readonly facts?: readonly ProjectFact[] },
  { conversation }: Pick<SessionStart, 'conversation'>,
): readonly ProjectFact[] {
  if (conversation === undefined) return facts;
  const { session, text } = conversation;
  return [...facts, { source: session, text, kind: 'conversation' }];
}
