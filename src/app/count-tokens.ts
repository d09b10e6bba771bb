// Estimates the tokens of files and folders.
import { readPlainFile, textOf } from '../git/disk.ts';
import { openRepository } from '../git/open-repository.ts';
import { tokensOf } from '../model/text-size.ts';
import { eachLimited } from '../store/each-limited.ts';
import { findNamed, type Naming, readNamed } from './conversation-context.ts';

interface TokenCount {
  readonly path: string;
  readonly tokens: number;
  /** Of a folder: how many texts of the project are in it, without what git ignores. */
  readonly files?: number;
}

/** In bytes. */
const largestFile = 4 * 1024 * 1024;

/** Counts each by itself. Throws `usage` for a file that is no text or too large. */
export async function countTokens(
  paths: readonly string[],
  { signal, ...naming }: Naming & { readonly signal: AbortSignal },
): Promise<readonly TokenCount[]> {
  const counts: TokenCount[] = [];
  for (const path of paths) {
    const found = await findNamed(path, naming);
    if (found.isFolder) counts.push({ path, ...(await countFolder(found.real, signal)) });
    else {
      const text = await readNamed(found, { ...naming, most: largestFile });
      counts.push({ path, tokens: tokensOf(text) });
    }
  }
  return counts;
}

async function countFolder(root: string, signal: AbortSignal): Promise<Omit<TokenCount, 'path'>> {
  const repository = await openRepository({ root, base: null, snapshots: null, signal });
  const tokens = await eachLimited(await repository.files(), async (path) => {
    const text = textOf((await readPlainFile(root, path)) ?? Buffer.of(0));
    return text === null ? [] : [tokensOf(text)];
  });
  const ofTexts = tokens.flat();
  return { tokens: ofTexts.reduce((sum, count) => sum + count, 0), files: ofTexts.length };
}
