// Reads what the project says about itself: `AGENTS.md` and the like, `.workflow`, `CONTRIBUTING.md`.
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { readPlainFile, textOf, withoutLinks } from '../../git/disk.ts';
import { folderOf, foldersAbove, joinPath } from '../../git/paths.ts';
import type { Repository } from '../../git/repository.ts';
import type { ProjectFact } from '../../model/context.ts';
import { redactFile } from '../../model/secrets.ts';
import { counted } from '../../model/wording.ts';
import { nullIfAbsent } from '../../store/system-error.ts';

/** The most that is kept of one file, and of all of them, in bytes. */
const mostOfOne = 12 * 1024;
const mostOfAll = 24 * 1024;
/** The most that is kept of a guide, which mostly says how to report and discuss, in bytes. */
const mostOfGuide = 4 * 1024;

/**
 * Reads how the project wants to be worked on: the files with instructions for agents, at the root
 * and in some folders and above them, what is in `.workflow`, and what `CONTRIBUTING.md` says on
 * the code. A text that several files share appears once, and a long one is cut with a note.
 */
export async function projectFacts(
  repository: Pick<Repository, 'root' | 'read'>,
  folders: readonly string[],
): Promise<readonly ProjectFact[]> {
  const atRoot = await factsAtBase(
    [...instructions, '.github/copilot-instructions.md'],
    repository,
  );
  const own = await workflowFacts(repository.root);
  const nested = await factsAtBase(nestedPaths(folders), repository);
  const guides = (await factsAtBase(guidePaths, repository)).flatMap(aboutCode);
  return limitFacts([...atRoot, ...own, ...nested.slice(0, mostNested), ...guides]);
}

const instructions = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'];
const guidePaths = ['', '.github/', 'docs/'].flatMap((folder) => [
  `${folder}CONTRIBUTING.md`,
  `${folder}contributing.md`,
]);
/** The most folders whose instructions are read: those of the best files. */
const mostNested = 4;

function nestedPaths(folders: readonly string[]): readonly string[] {
  const around = new Set(folders.flatMap((folder) => [folder, ...foldersAbove(folder)]));
  around.delete('');
  return [...around].flatMap((folder) => instructions.map((name) => joinPath(folder, name)));
}

/** A guide without the sections that only say how to communicate; nothing if it has no others. */
function aboutCode({ source, text }: ProjectFact): readonly ProjectFact[] {
  const sections = text.split(/^(?=#{1,6} )/m);
  const kept = sections.filter((section) => ofCode.test(section));
  const missing = sections.length - kept.length;
  if (kept.length === 0) return [];
  const note = `\n[left out: ${counted(missing, 'section')} without a word on commands or style]`;
  const guide = { source, text: kept.join('').trim() + (missing === 0 ? '' : note) };
  return [shorten(guide, mostOfGuide)];
}

const ofCode =
  /`|^ {4}\S|\b(?:tests?|lint\w*|styles?|format\w*|commits?|branch\w*|change ?logs?|docs|documentation|conventions?|naming|coverage)\b/im;

async function factsAtBase(
  paths: readonly string[],
  { read }: Pick<Repository, 'read'>,
): Promise<readonly ProjectFact[]> {
  const facts = await Promise.all(
    paths.map(async (source) => {
      const text = (await read(source)) ?? '';
      return { source, text: (await withNamedFiles(text, read, [source])).trim() };
    }),
  );
  return facts.filter(({ text }) => text !== '');
}

const mostNamed = 5;

/** Puts the files that lines like `@docs/style.md` name in their place; `within` are the files around. */
async function withNamedFiles(
  text: string,
  read: Repository['read'],
  within: readonly string[],
): Promise<string> {
  const lines = text.split('\n').map(async (line) => {
    const named = /^\s*(?:[-*] )?@([^\s@]+)\s*$/.exec(line)?.[1];
    if (named === undefined) return line;
    const path = posix.join(folderOf(within.at(-1) ?? ''), named);
    const refuse = (why: string) => `[not read: @${named}, ${why}]`;
    if (/^(?:\/|~)/.test(named) || path.startsWith('../'))
      return refuse('which leads out of the project');
    if (within.includes(path)) return '';
    if (within.length > mostNamed) return refuse(`which is more than ${mostNamed} files deep`);
    const content = await read(path);
    if (content === null) return refuse('as the project has no such text file');
    if (redactFile(path, content) !== content) return refuse('as it holds secrets');
    return (await withNamedFiles(content, read, [...within, path])).trim();
  });
  return (await Promise.all(lines)).join('\n');
}

/** The most specifications: more would crowd out the code. */
const mostSpecs = 20;

/** Reads the facts from the disk, because the base leaves out our own folder. */
async function workflowFacts(root: string): Promise<readonly ProjectFact[]> {
  const names = (await nullIfAbsent(readdir(join(root, '.workflow/specs')))) ?? [];
  const specs = names.filter((name) => name.endsWith('.md')).toSorted();
  const sources = [
    'project-tech.json',
    ...specs.slice(0, mostSpecs).map((name) => `specs/${name}`),
  ];
  const facts = await Promise.all(
    sources.map(async (name) => {
      const source = `.workflow/${name}`;
      const file = await withoutLinks(root, source);
      const isOurs = file !== null && !file.split('/').includes('.git');
      const content = isOurs ? await readPlainFile(root, file) : null;
      return { source, text: content === null ? '' : (textOf(content)?.trim() ?? '') };
    }),
  );
  return facts.filter(({ text }) => text !== '');
}

function limitFacts(facts: readonly ProjectFact[]): readonly ProjectFact[] {
  const told = new Map(facts.toReversed().map((fact) => [fact.text, fact]));
  const kept: ProjectFact[] = [];
  let left = mostOfAll;
  for (const fact of facts.filter((one) => told.get(one.text) === one)) {
    const room = Math.min(left, mostOfOne);
    if (room < Math.min(sizeOf(fact), leastKept)) continue;
    kept.push(shorten(fact, room));
    left -= Math.min(sizeOf(fact), room);
  }
  return kept;
}

/** The least that is kept of a text, in bytes: less is not informative. */
const leastKept = 1024;

function shorten(fact: ProjectFact, most: number): ProjectFact {
  const bytes = Buffer.from(fact.text);
  if (bytes.length <= most) return fact;
  const start = bytes
    .subarray(0, most)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
  const [shown, of] = [most, bytes.length].map((size) => Math.ceil(size / 1024));
  return { ...fact, text: `${start}\n[cut: the first ${shown} KB of ${of} KB]` };
}

function sizeOf({ text }: ProjectFact): number {
  return Buffer.byteLength(text);
}
