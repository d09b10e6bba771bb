// Carries commits between an owner and the workers of the queue: in rows of the database, or by a git remote.
import { git, type GitTarget } from '../git/git.ts';
import { oneLine } from '../model/wording.ts';
import { LostMachine } from './run-facts.ts';
import type { WorkOrder } from './protocol.ts';
import type { Queue } from './queue.ts';
import { bundlePieces, piecesIn, remoteVariables, type Snapshot } from './travelling-commits.ts';
import type { WorkerPlaces } from './worker-places.ts';

/** Carries commits from an owner to whichever worker takes the order, and work back. */
export interface Carrier {
  /** The largest bundle, in bytes. */
  readonly mostBytes: number;
  /** See `Way`. */
  tips(snapshot: Snapshot): Promise<readonly string[]>;
  send(snapshot: Snapshot, tips: readonly string[]): Promise<void>;
  /** Brings the commit of an order into the places of a worker. */
  bring(order: Pick<WorkOrder, 'repository' | 'commit'>, places: WorkerPlaces): Promise<void>;
  /** Sends the work of a run; returns its ref, or null where it went in pieces. */
  sendWork(order: WorkOrder, commit: string, places: WorkerPlaces): Promise<string | null>;
  /** Removes what was sent, and work under these refs. */
  forget(refs: readonly string[]): Promise<void>;
}

/** The id of an attempt in the queue, which takes UUIDs. */
export function idOf(attempt: string): string {
  return attempt.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const bundleId = ({ repository, commit }: Pick<WorkOrder, 'repository' | 'commit'>) =>
  `${repository}-${commit}`;

/** The pieces of a bundle in rows, up to the first that is missing; git knows if they are whole. */
export async function* readPieces(queue: Queue, id: string): AsyncGenerator<Buffer> {
  for (let at = 0; ; at += 1) {
    const piece = await queue.kept(`${id}/${at}`);
    if (piece === null) return;
    yield piece;
  }
}

/** Carries them in rows of the database: each bundle in pieces, with a row that names the commit it builds on. */
export function byRows(queue: Queue): Carrier {
  /** The newest commit of each repository that this owner has sent. */
  const newest = new Map<string, string>();

  async function keepPieces(id: string, pieces: AsyncIterable<Buffer>): Promise<void> {
    let at = 0;
    for await (const piece of pieces) await queue.keep(`${id}/${at++}`, piece);
  }

  return {
    mostBytes: 100_000_000,
    async tips(snapshot) {
      if ((await queue.kept(bundleId(snapshot))) !== null) return [snapshot.commit];
      const last = newest.get(snapshot.repository);
      return last === undefined ? [] : [last];
    },
    async send(snapshot, tips) {
      await keepPieces(bundleId(snapshot), bundlePieces(snapshot, tips));
      await queue.keep(bundleId(snapshot), tips[0] ?? '');
      newest.set(snapshot.repository, snapshot.commit);
    },
    async bring({ repository, commit }, places) {
      if ((await places.tips(repository)).includes(commit)) return;
      const needs = String((await queue.kept(bundleId({ repository, commit }))) ?? '');
      if (needs !== '') await this.bring({ repository, commit: needs }, places);
      for await (const data of readPieces(queue, bundleId({ repository, commit })))
        await places.append({ repository, commit, data });
      await places.take({ repository, commit });
    },
    async sendWork({ attempt }, _, places) {
      await keepPieces(idOf(attempt), piecesIn(places.bundle(attempt)));
      return null;
    },
    // A bundle stays for a day, as the next run may build on its commits.
    forget: async () => undefined,
  };
}

/** The refs of one owner on a remote begin with the day, so that others see when nobody needs them any longer. */
export const refsOf = (now: Date, owner: string) =>
  `refs/conclave/${now.toISOString().slice(0, 10)}/${owner}`;

/** The time after which what a killed owner left on a remote is removed, in ms. */
const leftMs = 48 * 3_600_000;

/** The longest time for removing from a remote what is no longer needed, in ms. */
const mostForgetMs = 20_000;

/** Carries them by a git remote that owner and workers reach, under refs of this owner. */
export function byRemote(remote: string, { refs, most }: { refs: string; most: number }): Carrier {
  const refOf = (name: string) => `${refs}/${name}`;
  const sent = new Set<string>();
  let place: GitTarget | null = null;
  const push = async (store: GitTarget, words: readonly string[]) =>
    await reach(store, ['push', '--quiet', '--force', remote, ...words], remote);
  /** Lists the refs of the remote as pairs of commit and ref, and removes those that are gone. */
  async function look(store: GitTarget, isGone: (ref: string) => boolean) {
    const said = await reach(store, ['ls-remote', remote], remote);
    const there = said.split('\n').map((line) => line.split('\t'));
    const gone = there.flatMap(([, ref = '']) => (isGone(ref) ? [`:${ref}`] : []));
    if (gone.length > 0) await push(store, gone).catch(() => undefined);
    return there;
  }
  return {
    mostBytes: most,
    async tips({ store, commit }) {
      place = store;
      const there = await look(store, (ref) => Date.now() - Date.parse(dayOf(ref)) > leftMs);
      if (there.some(([, ref]) => ref === refOf(commit))) return [commit];
      return there.flatMap(([tip = '']) => (tip === commit ? [] : [tip]));
    },
    async send({ store, commit }) {
      await push(store, [`${commit}:${refOf(commit)}`]);
      sent.add(refOf(commit));
    },
    async bring({ repository, commit }, places) {
      if ((await places.tips(repository)).includes(commit)) return;
      const source = { from: remote, ref: refOf(commit), isShared: true };
      await places.take({ repository, commit, source });
    },
    async sendWork({ repository, attempt }, commit, places) {
      await push(await places.cache(repository), [`${commit}:${refOf(attempt)}`]);
      return refOf(attempt);
    },
    async forget(others) {
      if (place === null) return;
      const signal = AbortSignal.timeout(mostForgetMs);
      await look({ ...place, signal }, (ref) => sent.has(ref) || others.includes(ref));
    },
  };
}

/** The day in the name of a ref of ours; else empty. */
const dayOf = (ref: string) => /^refs\/conclave\/(\d{4}-\d\d-\d\d)\//.exec(ref)?.[1] ?? '';

/** Runs a git command that reaches a remote. Throws `LostMachine`, with a sentence that never holds its address. */
async function reach(store: GitTarget, words: readonly string[], remote: string) {
  const { root, variables } = store;
  // The folder of a task may be gone by then.
  const away = { root: variables?.['GIT_DIR'] ?? root, signal: store.signal };
  const own = { ...variables, ...remoteVariables, GIT_WORK_TREE: undefined };
  const said = await git({ ...away, variables: own }, words);
  if (said.ok) return said.stdout.toString();
  const why = oneLine(said.reason)
    .replaceAll(remote, '…')
    .replaceAll(/\/\/[^/@\s]*@/g, '//…@');
  throw new LostMachine(`the git remote of the queue cannot be used: ${why}`);
}
