import type { BuildFact, CodebaseContext, ProjectFact, RelevantFile } from '../model/context.ts';
import { redactedFile } from '../model/secrets.ts';
import { bytesWithin } from '../model/text-size.ts';
import { counted, oneLine } from '../model/wording.ts';
import { countFitting, placeText, readExcerpts, type ReadText } from './excerpts.ts';
import { bullets } from './question.ts';
import { sizeOf } from './render.ts';

/** The found files for a prompt: place and symbols, then what is known of the project. */
export function contextText(context: CodebaseContext): string {
  const files = context.relevant_files.map((file) => fileLine({ ...file, reasons: [] }));
  const parts = [
    `${contextHead(context)}:`,
    files.length === 0 ? '(none found)' : bullets(files),
    ...contextSections(context).map(({ title, entries }) => `${title}:\n${bullets(entries)}`),
  ];
  return parts.join('\n');
}

/** What the project says of itself, without what the agent’s own program loads by itself. */
export function conventionsText(facts: readonly ProjectFact[], loaded: readonly string[]): string {
  const texts = facts.map(({ source, text }) =>
    loaded.includes(source)
      ? `${source}: your own program has loaded it already.`
      : `From ${source}:\n${redactedFile(source, text).trim()}`,
  );
  return texts.join('\n\n');
}

/** Who found the files, without an end. */
function contextHead({
  provider,
  degraded,
}: Pick<CodebaseContext, 'provider' | 'degraded'>): string {
  if (provider === 'none') return 'Relevant files (no search found any)';
  const weaker = degraded ? ', a weaker search than usual' : '';
  return `Relevant files, best first (found by ${provider}${weaker})`;
}

/** What is known around the files, a heading with its sentences each; none that is empty. */
export function contextSections(
  context: Pick<CodebaseContext, 'detected_patterns' | 'architecture_insights' | 'build_facts'>,
): readonly { readonly title: string; readonly entries: readonly string[] }[] {
  return [
    { title: 'Tests', entries: context.detected_patterns },
    { title: 'Changed together', entries: context.architecture_insights },
    { title: 'Build and test', entries: context.build_facts.map(buildLine) },
  ]
    .filter(({ entries }) => entries.length > 0)
    .map(({ title, entries }) => ({ title, entries: entries.map(oneLine) }));
}

/** `test: npm test (package.json)`, with the folder where it is not the root. */
function buildLine({ kind, value, folder, source }: BuildFact): string {
  return `${kind.replace('-', ' ')}: ${value}${folder === '' ? '' : ` in ${folder}`} (${source})`;
}

/** `a.ts:1-9 [parse]: names parse`. */
export function fileLine(file: RelevantFile): string {
  const { symbols, reasons } = file;
  const names = symbols.length === 0 ? '' : ` [${symbols.join(', ')}]`;
  const why = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
  return `${placeText(file)}${names}${why}`;
}

/** What is rendered; a part of `codebase-context.json`. */
type Rendered = Pick<
  CodebaseContext,
  | 'relevant_files'
  | 'detected_patterns'
  | 'architecture_insights'
  | 'build_facts'
  | 'provider'
  | 'degraded'
>;

/** Of the room, what the sentences around the code may take. */
const shareOfSections = 0.25;
/** Room for the sentence about what is missing, in bytes. */
const noteBytes = 80;

/**
 * The found code as one text for a prompt whose estimate is never above `tokens`: each file with
 * its reasons and its best part, best first, then what is known of the project. What there was no
 * room for is counted at the end. Empty where not even that fits.
 */
export async function contextWithin(
  context: Rendered,
  read: ReadText,
  tokens: number,
): Promise<string> {
  const all = bytesWithin(tokens);
  const head = `${contextHead(context)}:`;
  const room = all - sizeOf(head) - noteBytes - 2;
  const sections = sectionsWithin(context, Math.floor(room * shareOfSections));
  const files = await filesWithin(context.relevant_files, read, room - sizeOf(sections.text) - 1);
  const note = missingNote(files.leftOut, sections.leftOut);
  const text = [head, ...files.blocks, sections.text, note]
    .filter((part) => part !== '')
    .join('\n');
  if (room > 0 && sizeOf(text) <= all) return text;
  return sizeOf(note) <= all ? note : '';
}

async function filesWithin(
  files: readonly RelevantFile[],
  read: ReadText,
  room: number,
): Promise<{ readonly blocks: readonly string[]; readonly leftOut: number }> {
  const blocks: string[] = [];
  let left = room;
  let leftOut = 0;
  for (const file of files) {
    const line = `--- ${fileLine(file)}`;
    const free = Math.max(0, left - sizeOf(line) - 2);
    const excerpts = await readExcerpts([{ path: file.path, whole: false, parts: [file] }], read, {
      wholeBytes: 0,
      partBytes: free,
      totalBytes: free,
    });
    leftOut += excerpts.leftOut.length;
    const block = excerpts.shown.map(({ text }) => `${line}\n${text}`).join('');
    if (block === '') continue;
    left -= sizeOf(block) + 1;
    blocks.push(block);
  }
  return { blocks, leftOut };
}

/** As many lines as fit, and how many entries are left out. */
function sectionsWithin(
  context: Rendered,
  room: number,
): { readonly text: string; readonly leftOut: number } {
  const lines = contextSections(context).flatMap(({ title, entries }) => [
    `${title}:`,
    ...entries.map((entry) => `- ${entry}`),
  ]);
  const kept = countFitting(lines, room);
  const leftOut = lines.slice(kept).filter((line) => line.startsWith('- ')).length;
  return { text: lines.slice(0, kept).join('\n'), leftOut };
}

/** At most `noteBytes` long. */
function missingNote(files: number, facts: number): string {
  return files + facts === 0
    ? ''
    : `[left out for lack of room: ${counted(files, 'file')}, ${counted(facts, 'fact')}]`;
}
