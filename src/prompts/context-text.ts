import type { CodebaseContext, RelevantFile } from '../model/context.ts';
import { cut, sizeOf } from './budget.ts';
import { bullets } from './data.ts';

/** A piece of a file as it stands at the session's base, with line numbers. */
export interface Excerpt {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Limits of the excerpts of one prompt, in bytes. */
export interface ExcerptLimits {
  readonly eachBytes: number;
  readonly totalBytes: number;
}

/** The found files for a prompt: place, symbols and reasons, then what is known of the project. */
export function contextText(context: CodebaseContext): string {
  const parts = [
    `Relevant files, best first (found by ${context.provider}${context.degraded ? ', a weaker search than usual' : ''}):`,
    context.relevant_files.length === 0
      ? '(none found)'
      : bullets(context.relevant_files.map(fileLine)),
    section('Patterns', context.detected_patterns),
    section('Structure', context.architecture_insights),
    ...context.project_facts.map((fact) => `From ${fact.source}:\n${fact.text.trim()}`),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/**
 * Reads the best part of each relevant file, best first, until `totalBytes` are used. `read`
 * gives the whole text of a file, or null where there is none (then the file is left out).
 */
export async function readExcerpts(
  files: readonly RelevantFile[],
  read: (path: string) => Promise<string | null>,
  limits: ExcerptLimits,
): Promise<readonly Excerpt[]> {
  const excerpts: Excerpt[] = [];
  let left = limits.totalBytes;
  for (const { path, start, end } of files) {
    if (left < smallestExcerpt) break;
    const content = await read(path);
    if (content === null) continue;
    const text = cut(numbered(content, start, end), Math.min(left, limits.eachBytes));
    if (text === '') continue;
    left -= sizeOf(text);
    excerpts.push({ path, start, end, text });
  }
  return excerpts;
}

/** Below this many bytes an excerpt would be little more than the note that it was cut. */
const smallestExcerpt = 200;

export function excerptsText(excerpts: readonly Excerpt[]): string {
  return excerpts
    .map(({ path, start, end, text }) => `--- ${path}:${start}-${end}\n${text}`)
    .join('\n');
}

function fileLine({ path, start, end, symbols, reasons }: RelevantFile): string {
  const names = symbols.length === 0 ? '' : ` [${symbols.join(', ')}]`;
  const why = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
  return `${path}:${start}-${end}${names}${why}`;
}

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : `${title}:\n${bullets(entries)}`;
}

function numbered(content: string, start: number, end: number): string {
  return content
    .split(/\r?\n/)
    .slice(start - 1, end)
    .map((line, index) => `${start + index}: ${line}`)
    .join('\n');
}
