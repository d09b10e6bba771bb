import type { Base } from '../model/context.ts';
import { lookAt, readPlainFile, textOf, withoutLinks } from './disk.ts';
import { gitFingerprint, plainFingerprint } from './fingerprint.ts';
import type { GitFolders } from './git-folders.ts';
import { plainPath } from './paths.ts';
import type { Repository } from './repository.ts';
import { nothingLeftOut, walk } from './walk.ts';

/** Where there is no commit, and nothing that was changed since. */
export const noBase: Base = { commit: null, dirty: {} };

/**
 * A repository that is read from the disk as it is now: there is no git, or there may have been none
 * when the base was taken. `folders` is null without git.
 */
export function plainRepository(parts: {
  readonly root: string;
  readonly base: Base;
  readonly folders: GitFolders | null;
  readonly signal: AbortSignal;
}): Repository {
  const { root, base, folders, signal } = parts;
  let leftOut = nothingLeftOut;
  const files = async (): Promise<readonly string[]> => {
    const { files: found, ...rest } = await walk(root, { signal });
    leftOut = rest;
    return found;
  };
  return {
    root,
    git: folders !== null,
    base,
    files,
    leftOut: () => leftOut,
    async read(path) {
      const file = await placeOf(root, path);
      const content = file === null ? null : await readPlainFile(root, file);
      return content === null ? null : textOf(content);
    },
    async exists(path) {
      const file = await placeOf(root, path);
      return file !== null && (await lookAt(root, file)).kind === 'file';
    },
    log: async () => null,
    fingerprint(during) {
      const place = { root, signal: during };
      return folders === null ? plainFingerprint(place) : gitFingerprint(place, folders);
    },
  };
}

async function placeOf(root: string, path: string): Promise<string | null> {
  const plain = plainPath(path);
  const target = plain === null ? null : await withoutLinks(root, plain);
  return target === null ? null : plainPath(target);
}
