// Finds the session that a person means by a part of its id, and makes the short form of ids.
import { Stopped, wrongUsage } from '../model/failure.ts';
import { listSessionIds, openSessionFolder } from '../store/session-folder.ts';

/** A shorter part would fit too many ids, and soon another one. In characters. */
const shortestPart = 4;

/**
 * The whole id of the session that is meant by it, or by a part of it that no other id has. Throws
 * `usage` for a part that is too short or fits several, else like `openSessionFolder`.
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

/** The last part of an id, where it is enough to find it among all of them; else the whole id. */
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
