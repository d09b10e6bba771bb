// Lays out what git ignores and tests load, such as node_modules, so that they can read it and not change it.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readlink, realpath, symlink, writeFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mount } from '../../agents/process/confinement.ts';
import { submodulesAt } from '../../context/package/set-up-tools.ts';
import { isInside } from '../../git/disk.ts';
import { listUncommitted } from '../../git/made-files.ts';
import { removeFolder } from '../../store/remove-folder.ts';
import { nullIfAbsent } from '../../store/system-error.ts';

const names = new Set([
  ...'node_modules .venv venv vendor .yarn .pnp.cjs bower_components deps Pods'.split(' '),
  ...'__pypackages__ .bundle elm-stuff'.split(' '),
]);

/** Folders that tools write to among dependencies: they begin empty. */
const written = new Set(['.cache', '.vite', '.vite-temp', '.vitest']);

/** The most entries that are mounted one by one, as bubblewrap takes a second for 500 and eight for 1,500; more are one mount. */
const mostMounts = 700;

/** Finds the dependencies that the user has and a copy lacks, relative to the top; without a copy, all of them. */
export async function findDependencies(
  top: string,
  {
    copy,
    more = [],
    signal,
  }: {
    readonly copy: string | null;
    /** Further paths that the user wants in each work tree. */
    readonly more?: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<readonly string[]> {
  const { ignored } = await listUncommitted(top, signal);
  const all = [...ignored.map((path) => path.replace(/\/$/, '')), ...names];
  const wanted = all.filter(
    (path) =>
      path.split('/').some((name) => names.has(name)) || existsSync(join(top, path, 'pyvenv.cfg')),
  );
  const found = new Set([...wanted, ...more, ...(await submodulesAt(top))]);
  const there = [...found].filter((path) => existsSync(join(top, path)));
  if (copy === null) return there;
  const entries = await Promise.all(
    there.map((path) => readdir(join(copy, path)).catch(() => null)),
  );
  return there.filter((path, at) => entries[at]?.length === 0 || !existsSync(join(copy, path)));
}

/**
 * Makes a folder for each folder of dependencies, in `folder`, which is emptied first. Its entries are mounts that
 * can only be read; links are made again as links, because a mount would follow them. Returns all mounts.
 */
export async function layDependencies(
  paths: readonly string[],
  place: LayingPlace & { readonly folder: string },
): Promise<readonly Mount[]> {
  const { top, folder, isShown } = place;
  await removeFolder(folder);
  const mounts: Mount[] = [];
  for (const [number, path] of paths.entries()) {
    const at = join(top, path);
    const from = await realpath(at);
    if (!isInside(top, from) && !isShown(from)) continue;
    const isFolder = (await stat(from)).isDirectory();
    if (!isFolder || (await readdir(from)).length > mostMounts) {
      mounts.push({ from, at });
      continue;
    }
    const to = join(folder, String(number));
    await mkdir(to, { recursive: true });
    mounts.push(
      { from: to, at, isWritable: true },
      ...(await layEntries({ from, at, to }, { ...place, within: from })),
    );
  }
  return mounts;
}

interface LayingPlace {
  /** The top of the repository; absolute. */
  readonly top: string;
  /** True for a path outside of the repository that may be seen. */
  readonly isShown: (path: string) => boolean;
}

/** A folder of the user, the path at which it is seen, and ours in its place. */
interface Laying {
  readonly from: string;
  readonly at: string;
  readonly to: string;
}

async function layEntries(
  { from, at, to }: Laying,
  place: LayingPlace & { readonly within: string },
): Promise<readonly Mount[]> {
  const mounts: Mount[] = [];
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const { name } = entry;
    const inside = { from: join(from, name), at: join(at, name), to: join(to, name) };
    const mount = { from: inside.from, at: inside.at };
    if (entry.isSymbolicLink()) {
      const real = await nullIfAbsent(realpath(inside.from));
      const leadsOut = real !== null && !isInside(place.top, real) && !isInside(place.within, real);
      await symlink(leadsOut ? real : await readlink(inside.from), inside.to);
      if (leadsOut && place.isShown(real)) mounts.push({ from: real, at: real });
    } else if (entry.isDirectory()) {
      await mkdir(inside.to);
      // Most entries of these are links.
      if (/^(?:@.*|\.?bin)$/.test(name)) {
        mounts.push(...(await layEntries(inside, place)));
      } else if (!written.has(name)) mounts.push(mount);
    } else if (entry.isFile()) {
      await writeFile(inside.to, '');
      mounts.push(mount);
    }
  }
  return mounts;
}
