// Lists the sessions of a repository, from the index in the user's data folder if that is up to date.
import { eachLimited } from '../store/each-limited.ts';
import { lookAtSessions, type SessionLook } from '../store/session-folder.ts';
import { type SessionIndex, withSessionIndex } from '../store/session-index.ts';
import { historyFile } from './folders.ts';
import type { SavedSession } from './read-session.ts';
import type { Workplace } from './workplace.ts';

/** Lists every saved session, the latest first. Without a usable index, each is read from its folder. */
export async function listSessions({
  root,
  environment,
}: Pick<Workplace, 'root' | 'environment'>): Promise<readonly SavedSession[]> {
  // The folders are looked at before any is read, so that a session that changes in between is read again next time.
  const looks = await lookAtSessions(root);
  if (looks.length === 0) return [];
  const indexed = await withSessionIndex(
    historyFile(environment),
    async (index) => await listIndexed({ root, looks, index }),
  );
  if (indexed !== null) return indexed;
  const { readSession } = await import('./read-session.ts');
  return await eachLimited(looks, ({ id }) => readSession(root, id));
}

interface Listing {
  readonly root: string;
  readonly looks: readonly SessionLook[];
  readonly index: SessionIndex;
}

async function listIndexed({ root, looks, index }: Listing): Promise<readonly SavedSession[]> {
  const known = index.read(root);
  const stale = looks.filter(({ id, stamp }) => stamp === null || known.get(id)?.stamp !== stamp);
  const read = await readStale(root, stale);
  const changed = read.flatMap(({ entry }) => entry ?? []);
  const there = new Set(looks.map(({ id }) => id));
  const isGone = (id: string) => !there.has(id);
  if (changed.length > 0 || [...known.keys()].some(isGone))
    index.update(root, { ids: [...there], changed });
  const anew = new Map(read.map(({ session }) => [session.id, session]));
  return looks.map(
    ({ id }) => anew.get(id) ?? { id, state: known.get(id)?.state ?? null, fault: null },
  );
}

/** Reads the sessions that changed since they were indexed. Mostly there are none, and nothing more is loaded. */
async function readStale(root: string, stale: readonly SessionLook[]) {
  if (stale.length === 0) return [];
  const { readToIndex } = await import('./index-session.ts');
  return await eachLimited(stale, (look) => readToIndex(root, look));
}
