import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessAbsent } from '../../store/system-error.ts';
import { readPlainFile, textOf, withoutLinks } from '../../git/disk.ts';

/** What of one source is kept, in bytes. */
const mostBytes = 16 * 1024;
/** More specifications than this would crowd out the code. */
const mostSpecs = 20;

interface ProjectFact {
  /** Path relative to the root. */
  readonly source: string;
  readonly text: string;
}

/**
 * The project’s own facts: `.workflow/project-tech.json`, `.workflow/specs/*.md` and `AGENTS.md`,
 * those that are there. Long ones are cut with a note; a link that leads out of the root is refused.
 */
export async function projectFacts(root: string): Promise<readonly ProjectFact[]> {
  const real = await unlessAbsent(realpath(root));
  if (real === null) return [];
  const specs = (await unlessAbsent(readdir(join(real, '.workflow/specs')))) ?? [];
  const sources = [
    '.workflow/project-tech.json',
    ...specs
      .filter((name) => name.endsWith('.md'))
      .toSorted()
      .slice(0, mostSpecs)
      .map((name) => `.workflow/specs/${name}`),
    'AGENTS.md',
  ];
  const facts = await Promise.all(sources.map((source) => factOf(real, source)));
  return facts.filter((fact) => fact !== null);
}

async function factOf(root: string, source: string): Promise<ProjectFact | null> {
  const file = await withoutLinks(root, source);
  if (file === null || file.split('/').includes('.git')) return null;
  const content = await readPlainFile(root, file);
  const text = content === null ? null : textOf(content);
  if (content === null || text === null || text.trim() === '') return null;
  if (content.length <= mostBytes) return { source, text };
  const kept = content
    .subarray(0, mostBytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
  return {
    source,
    text: `${kept}\n[cut: the first 16 KB of ${Math.ceil(content.length / 1024)} KB]`,
  };
}
