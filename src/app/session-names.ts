// Finds the session that a person means by a part of its id, and makes short forms of ids.
import { Stopped, wrongUsage } from '../model/failure.ts';
import { listSessionIds, openSessionFolder } from '../store/session-folder.ts';

/** The shortest part of an id, in characters; a shorter one would fit too many ids, now or soon. */
const shortestPart = 4;

/**
 * The whole id that is given, or of which a part is given that no other id contains. Throws `usage` for a part
 * that is too short or fits several, otherwise like `openSessionFolder`.
 */
export async function wholeSessionId(root: string, wanted: string): Promise<string> {
  try {
    return (await openSessionFolder(root, wanted)).id;
  } catch (error) {
    if (!(error instanceof Stopped) || error.failure.reason !== 'session-unknown') throw error;
    return await idWithPart(root, wanted, error);
  }
}

async function idWithPart(root: string, part: string, unknown: Stopped): Promise<string> {
  const ids = await listSessionIds(root);
  const found = ids.filter((id) => id.toLowerCase().includes(part.toLowerCase()));
  const [first, second] = found;
  if (first === undefined) throw unknown;
  if (part.length < shortestPart) {
    throw wrongUsage(
      `"${part}" is too short for a part of a session id; give at least ${shortestPart} characters.`,
    );
  }
  if (second === undefined) return first;
  const shown = found.slice(0, 5).join(', ');
  const more = found.length > 5 ? ` and ${found.length - 5} more` : '';
  throw wrongUsage(`"${part}" fits several sessions: ${shown}${more}. Type more of the id.`);
}

/** The last part of an id if it identifies the session among all of them; otherwise the whole id. */
export function shortSessionIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const all = ids.join('\n').toLowerCase();
  return new Map(
    ids.map((id) => {
      const end = id.slice(id.lastIndexOf('-') + 1);
      const lower = end.toLowerCase();
      const isUnique = all.indexOf(lower) === all.lastIndexOf(lower);
      return [id, end.length >= shortestPart && isUnique ? end : id];
    }),
  );
}
