// Watches the work tree during a turn and restores it; removes a conversation that the user names.
import { realpath, rm } from 'node:fs/promises';
import { treeWatch } from '../agents/tree-watch.ts';
import type { Permission } from '../agents/permission.ts';
import { noChanges, type TreeFacts, type Turn } from '../conversation/turn-request.ts';
import { compareFingerprints } from '../git/fingerprint.ts';
import { noBase, openRepository, plainRepository } from '../git/open-repository.ts';
import { type Restored, type UndoTrees, openUndoTrees } from '../git/undo.ts';
import { wrongUsage } from '../model/failure.ts';
import { listed } from '../model/wording.ts';
import { sha256Of } from '../store/digest.ts';
import type { HistoryTurn } from '../store/history.ts';
import { neverAborted } from '../model/signal.ts';
import { lockSession } from '../store/lock.ts';
import { guardWrite } from '../store/system-error.ts';
import { conversationPlace, lockPlace, withHistory } from './conversation-place.ts';
import type { Workplace } from './workplace.ts';

export interface TreeLook {
  readonly root: string;
  readonly tool: HistoryTurn['tool'];
  readonly permission: Permission;
  /** The folder of the conversation’s files, for a temporary index. */
  readonly folder: string;
  /** The id of the conversation. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Watches the user’s repository during a turn that works in it, and finds what the turn changed. */
export async function watchTurn(look: TreeLook): Promise<Pick<Turn, 'watch' | 'look'>> {
  const { root, signal } = look;
  // Nothing is read from it, so it needs no base.
  const repository = await openRepository({ root, base: noBase, snapshots: null, signal });
  return { watch: treeWatch(repository), look: (turn) => lookAtTree(look, turn) };
}

/** Remembers the state of the work tree; the returned function reports what has changed since. */
async function lookAtTree(look: TreeLook, turn: number): Promise<() => Promise<TreeFacts>> {
  const trees = await openUndoTrees(look);
  return trees === null ? await lookAtFiles(look) : await lookAtCommits(look, { turn, trees });
}

async function lookAtCommits(
  look: TreeLook,
  { turn, trees }: { readonly turn: number; readonly trees: UndoTrees },
): Promise<() => Promise<TreeFacts>> {
  const [first, last] = await namesOf(look, turn);
  const messageOf = (when: string) => `Conclave: ${when} turn ${turn} of ${look.name}`;
  const before = await trees.see();
  return async () => {
    const after = await trees.tree();
    if (after === before.tree) return noChanges;
    const undo = await trees.keep(before, { name: first, message: messageOf('before') });
    const changed = { ...before, tree: after };
    await trees.keep(changed, { name: last, message: messageOf('after') });
    const { files, stat } = await trees.compare({ before: before.tree, after });
    return { files_changed: [...files], diff_stat: stat, undo, notes: notesOn(look, files) };
  };
}

async function lookAtFiles(look: TreeLook): Promise<() => Promise<TreeFacts>> {
  const { root, signal } = look;
  const repository = plainRepository({ root, base: noBase, folders: null, signal });
  const before = await repository.fingerprint(signal);
  return async () => {
    const files = compareFingerprints(before, await repository.fingerprint(signal));
    const notes = look.permission === 'read-only' ? [] : ['without git, nothing can be undone'];
    return { ...noChanges, files_changed: [...files], notes: [...notes, ...notesOn(look, files)] };
  };
}

function notesOn({ permission }: TreeLook, files: readonly string[]): readonly string[] {
  return permission === 'read-only' && files.length > 0
    ? [`${listed(files)} changed meanwhile, although the agent may only read`]
    : [];
}

/** Restores the work tree to its state before a turn. Throws `usage` if that is impossible. */
export async function undoTurn(look: TreeLook, turn: number): Promise<Restored> {
  const trees = await openUndoTrees(look);
  const [first, last] = await namesOf(look, turn);
  const [before, after] = [await trees?.find(first), await trees?.find(last)];
  if (trees === null || typeof before !== 'string' || typeof after !== 'string') {
    throw wrongUsage(`Turn ${turn} of ${look.name} changed no file that can be brought back.`);
  }
  const restored = await trees.restore({ before, after });
  await Promise.all([trees.remove(first), trees.remove(last)]);
  return restored;
}

/** Deletes the work trees that were kept for a conversation. */
export async function forgetTrees(
  look: Pick<TreeLook, 'root' | 'folder' | 'name' | 'signal'>,
): Promise<void> {
  const trees = await openUndoTrees(look);
  await trees?.removeAll(await folderOf(look));
}

/** Conversations with the same name in two projects of one repository have separate folders. */
async function folderOf({ root, name }: Pick<TreeLook, 'root' | 'name'>): Promise<string> {
  return `${sha256Of(await realpath(root)).slice(0, 8)}/${name}`;
}

async function namesOf(look: TreeLook, turn: number): Promise<readonly [string, string]> {
  const start = `${await folderOf(look)}/${turn}`;
  return [`${start}-before`, `${start}-after`];
}

/** Removes a conversation with its files and the kept work trees. Throws `session-busy`. */
export async function removeConversation(
  { root: folder, environment }: Pick<Workplace, 'root' | 'environment'>,
  session: string,
): Promise<void> {
  const root = await realpath(folder);
  const key = { project: root, session };
  await withHistory(environment, async (history) => {
    const files = await conversationPlace({ environment }, key);
    const { path } = files;
    const lock = await lockSession(...lockPlace(files));
    try {
      await forgetTrees({ root, folder: path, name: session, signal: neverAborted });
      history.remove(key);
      await guardWrite(path, () => rm(path, { recursive: true, force: true }));
    } finally {
      await lock.release();
    }
  });
}
