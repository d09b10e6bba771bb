// Finds, lists and searches conversations, along with the planning sessions of a project.
import { realpath, stat } from 'node:fs/promises';
import { handOffText } from '../conversation/hand-on.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { sessionIdPattern } from '../model/id-patterns.ts';
import { redactTokens } from '../model/secrets.ts';
import type { History, HistoryTurn } from '../store/history.ts';
import { type SessionHit, withSessionIndex } from '../store/session-index.ts';
import { listSessionIds } from '../store/session-folder.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { withHistory } from './conversation-place.ts';
import { suggestion } from '../model/closest-name.ts';
import { historyFile } from './folders.ts';
import { findSession } from './find-session.ts';
import { listSessions } from './list-sessions.ts';
import type { Workplace } from './workplace.ts';

type Place = Pick<Workplace, 'root' | 'environment'>;

/** The turns of a conversation; empty if it does not exist. */
export async function turnsOf(place: Place, session: string): Promise<readonly HistoryTurn[]> {
  if (!sessionIdPattern.test(session)) return [];
  const project = await realpath(place.root);
  return await ifHistory(place, [], (history) => history.turns({ project, session }));
}

/** Ids are random, so an unknown id of this form was mistyped or belongs to another project. */
const isOurs = (session: string): boolean => /^(?:talk-\d|MCP-)/.test(session);

/**
 * True if this project has no conversation or session of that name yet. Throws `usage` for an unknown id of our
 * own form.
 */
export async function isNewConversation(place: Place, session: string): Promise<boolean> {
  const project = await realpath(place.root);
  const planned = await listSessionIds(place.root);
  const { talks, others } = await ifHistory(place, { talks: [], others: [] }, (history) => ({
    talks: history.conversations(project).map(({ session_id: id }) => id),
    others: history.projectsOf(session),
  }));
  const known = [...talks, ...planned];
  if (known.includes(session)) return false;
  if (!isOurs(session)) return true;
  const [other] = others;
  const why =
    other === undefined
      ? `There is no session ${session} in this project.${suggestion(session, known)}`
      : `Session ${session} is a conversation of ${other}; go on with it there.`;
  throw wrongUsage(`${why} To begin a new conversation, name no session.`);
}

/** A conversation that a plan continues. */
export interface ToldConversation {
  readonly session: string;
  /** Its turns as one text without secrets: the newest in full, older ones summarized. */
  readonly text: string;
  /** The user’s last question. */
  readonly question: string;
}

/** Describes a conversation by its id, or a part of one. Throws `usage` if it has no turns. */
export async function tellConversation(
  place: Place & Pick<Workplace, 'settings'>,
  wanted: string,
): Promise<ToldConversation> {
  const { id } = await findSession(place, wanted).catch((error: unknown) => {
    const isUnknown = error instanceof Stopped && error.failure.reason === 'session-unknown';
    if (isUnknown) return { id: wanted };
    throw error;
  });
  const turns = await turnsOf(place, id);
  const last = turns.at(-1);
  if (last === undefined) {
    throw wrongUsage(
      `--session: there is no conversation ${JSON.stringify(wanted).slice(0, 60)} in this project; conclave sessions lists them.`,
    );
  }
  const tokens = place.settings.conversation.handOffTokens;
  const text = redactTokens(handOffText(turns, { after: 0, tokens }));
  return { session: id, text, question: last.question };
}

/** A search hit in a conversation or a plan. */
export interface ProjectHit extends SessionHit {
  readonly kind: 'conversation' | 'plan';
  /** The number of the turn; null in a plan. */
  readonly turn: number | null;
  /** The role of the speaker; null in a plan. */
  readonly role: 'user' | 'assistant' | null;
}

/** Searches all conversations and plans for words, which have no special syntax; best hits first. */
export async function searchSessions(
  place: Place,
  words: readonly string[],
  most: number,
): Promise<readonly ProjectHit[]> {
  const project = await realpath(place.root);
  // Adds what changed since the last listing to the index.
  await listSessions(place);
  const planned = await withSessionIndex(historyFile(place.environment), async (index) =>
    index.search(place.root, words, most),
  );
  // Both are in one file, so this reports why the index cannot be opened.
  if (planned === null) await withHistory(place.environment, () => null);
  const said = await ifHistory(place, [], (history) => history.search(project, words, most));
  return [
    ...(planned ?? []).map((hit) => ({ ...hit, kind: 'plan' as const, turn: null, role: null })),
    ...said.map((hit) => ({ ...hit, kind: 'conversation' as const })),
  ].slice(0, most);
}

/** Creates nothing if there are no conversations yet. */
async function ifHistory<T>(
  { environment }: Place,
  otherwise: T,
  action: (history: History) => T,
): Promise<T> {
  const file = await nullIfAbsent(stat(historyFile(environment)));
  return file === null ? otherwise : await withHistory(environment, action);
}
