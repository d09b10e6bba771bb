// Says if a saved session is the user's own, and has it adopted if a person agrees.
import { trackedDigest } from '../git/tracked.ts';
import { formatVersion } from '../model/id-patterns.ts';
import { neverAborted } from '../model/signal.ts';
import { sha256Of } from '../store/digest.ts';
import {
  type JournalRecord,
  openJournal,
  readJournal,
  foreignEnd,
  whyForeign,
} from '../store/journal.ts';
import { withLock } from '../store/lock.ts';
import type { Origin } from '../store/seal.ts';
import { openSessionFolder, type SessionFolder } from '../store/session-folder.ts';
import { insideEnd, isInsideAgent, refuseAgents, sessionKey } from './inside-agent.ts';
import type { Workplace } from './workplace.ts';

type Place = Pick<Workplace, 'root' | 'environment'>;

/** The facts that show whose session it is. */
export interface Ownership {
  /** The user’s key; null if none can be stored. */
  readonly key: Buffer | null;
  /** Digest of the files in its folder that git tracks; null if there are none. */
  readonly tracked: string | null;
  /** True inside an agent’s run of the user, where nobody answers for the user. */
  readonly inside: boolean;
}

/** Looks up the user’s key, and which files of a session git tracks. */
export async function lookUpOwner(folder: SessionFolder, place: Place): Promise<Ownership> {
  const { root, environment } = place;
  const [key, tracked] = await Promise.all([
    sessionKey(environment),
    trackedDigest({ root, signal: neverAborted }, folder.relative),
  ]);
  return { key, tracked, inside: isInsideAgent(environment, key) };
}

/** A clause on why a session is not known to be the user’s own; null if it is. */
export function foreignness(
  { origin, records }: { readonly origin: Origin; readonly records: readonly JournalRecord[] },
  { key, tracked, inside }: Ownership,
): string | null {
  if (inside) return withinAgent;
  if (origin === 'foreign') return whyForeign(key);
  if (tracked === null) return null;
  if (records.some((one) => one.type === 'noted' && one.adopted === tracked)) return null;
  return 'git tracks its files, so it may be the work of anyone who can commit here';
}

const withinAgent = 'this runs inside an agent, where nobody can decide for you';

/** Throws `session-untrusted` if a session is not the user’s own, and `usage` inside an agent’s run. */
export function refuseForeign(session: {
  readonly folder: Pick<SessionFolder, 'id'>;
  readonly foreign: string | null;
}): void {
  if (session.foreign === withinAgent) throw insideEnd();
  if (session.foreign !== null) throw foreignEnd(session.folder.id, session.foreign);
}

/** Looks up the owner of a session that must be the user’s own. Throws `session-untrusted`. */
export async function requireOwn(id: string, place: Place): Promise<Ownership> {
  const folder = await openSessionFolder(place.root, id);
  const owner = await lookUpOwner(folder, place);
  const journal = await readJournal(folder, owner.key);
  refuseForeign({ folder, foreign: foreignness(journal, owner) });
  return owner;
}

/** Makes a session in its current state the user’s own: the seal of this record covers all earlier records. */
export async function adoptSession(folder: SessionFolder, place: Place, now: Date): Promise<void> {
  await refuseAgents(place.environment);
  const { key, tracked } = await lookUpOwner(folder, place);
  if (key === null) throw foreignEnd(folder.id, whyForeign(key));
  await withLock(folder, async () => {
    const journal = await openJournal(folder, { key, adopts: true });
    const head = { v: formatVersion, at: now.toISOString(), type: 'noted' } as const;
    const text = 'Adopted: the user looked at what it would run, and trusts it as it is.';
    try {
      await journal.append({ ...head, text, adopted: tracked ?? sha256Of('') }, { flush: true });
    } finally {
      await journal.close();
    }
  });
}
