// Estimates the tokens of a file or a folder.
import { openRepository } from '../git/open-repository.ts';
import { tokensOf } from '../model/text-size.ts';
import { eachLimited } from '../store/each-limited.ts';
import { findNamed, type Naming, readNamed } from './conversation-context.ts';

/** The largest size of a file, in bytes. */
const most = 4 * 1024 * 1024;

/**
 * Counts the tokens of a file, or of a folder without the files that git ignores. Throws `usage` for a file
 * that is not text or too large.
 */
export async function countTokens(
  path: string,
  { signal, ...naming }: Naming & { readonly signal: AbortSignal },
): Promise<{ readonly path: string; readonly tokens: number; readonly files?: number }> {
  const found = await findNamed(path, naming);
  const { real: root, isFolder } = found;
  if (!isFolder) return { path, tokens: tokensOf(await readNamed(found, { ...naming, most })) };
  const repository = await openRepository({ root, base: null, snapshots: null, signal });
  const counts = await eachLimited(await repository.files(), async (file) =>
    tokensOf((await repository.read(file)) ?? ''),
  );
  return { path, tokens: counts.reduce((sum, count) => sum + count, 0), files: counts.length };
}
