// Writes the found code as text, and the request to put it in order.
import type { BuildFact, CodebaseContext, ProjectFact, RelevantFile } from '../model/context.ts';
import { redactFile } from '../model/secrets.ts';
import { oneLine } from '../model/wording.ts';
import { locationText } from './excerpts.ts';
import { type LabelledText, bullets } from './request.ts';

/** The found code, a part of `codebase-context.json`. */
type FoundContext = Pick<
  CodebaseContext,
  | 'relevant_files'
  | 'detected_patterns'
  | 'architecture_insights'
  | 'build_facts'
  | 'query_answers'
  | 'provider'
  | 'degraded'
>;

/**
 * The number of files that are described in detail, and the most symbols of each; later files are
 * only named.
 */
const mostDetailed = 5;
const mostSymbols = 6;

/**
 * Describes the found files for a prompt: place and symbols, then what is known of the best ones
 * and of the project.
 */
export function contextText(context: FoundContext): string {
  const { relevant_files: files, detected_patterns: tests } = context;
  const lines = files.map(({ symbols, ...file }, place) =>
    fileLine({ ...file, symbols: place < mostDetailed ? symbols.slice(0, mostSymbols) : [] }),
  );
  const found = lines.length === 0 ? '(none found)' : bullets(lines);
  const paths = files.map(({ path }) => path);
  const isNear = (entry: string) => {
    const named = paths.findIndex((path) => entry.includes(path));
    return named < mostDetailed;
  };
  const near = { ...context, detected_patterns: tests.filter(isNear) };
  return [filesHead(context), found, ...sectionTexts(near)].join('\n');
}

/**
 * Describes the found files for agents that judge solutions: only the places, their tests and what
 * goes with them, because the solutions name the rest themselves.
 */
export function placesText(context: FoundContext): string {
  const { query_answers: _, ...shorter } = context;
  return contextText({ ...shorter, architecture_insights: [], build_facts: [] });
}

/** Words that accompany the code; each may be empty. */
export interface ProjectWords {
  readonly conventions: string;
  /** The conversation that led to the request. */
  readonly conversation: string;
}

/**
 * The project’s words about itself, without those that the agent’s own program loads, and the
 * conversation so far.
 */
export function projectWords(
  facts: readonly ProjectFact[],
  loaded: readonly string[],
): ProjectWords {
  const told = facts.filter(({ kind }) => kind === 'conversation');
  const conventions = facts.flatMap(({ kind, source, text }) => {
    if (kind === 'conversation') return [];
    if (loaded.includes(source)) return [`${source}: your own program has loaded it already.`];
    return [`From ${source}:\n${redactFile(source, text).trim()}`];
  });
  return {
    conventions: conventions.join('\n\n'),
    conversation: told.map(({ text }) => text.trim()).join('\n\n'),
  };
}

/** Puts both texts into their places in a template. */
export function wordsData({
  conventions,
  conversation,
}: ProjectWords): Readonly<Record<keyof ProjectWords, LabelledText>> {
  return {
    conventions: ['conventions', conventions],
    conversation: ['the conversation so far', conversation],
  };
}

/** Names the provider that found the files. */
function filesHead({ provider, degraded }: FoundContext): string {
  if (provider === 'none') return 'Relevant files (no search found any):';
  const weaker = degraded ? ', a weaker search than usual' : '';
  return `Relevant files, best first (found by ${provider}${weaker}):`;
}

function sectionTexts(context: FoundContext): readonly string[] {
  return contextSections(context).map(({ title, entries }) => `${title}:\n${bullets(entries)}`);
}

/** Facts around the files, each a heading with its sentences; empty ones are left out. */
export function contextSections(
  context: FoundContext,
): readonly { readonly title: string; readonly entries: readonly string[] }[] {
  const { query_answers: answers } = context;
  return [
    { title: 'Tests', entries: context.detected_patterns },
    { title: 'Architecture', entries: context.architecture_insights },
    { title: 'Existing implementations', entries: answers?.implementations ?? [] },
    { title: 'Integration points', entries: answers?.integration_points ?? [] },
    { title: 'Build and test', entries: context.build_facts.map(buildLine) },
  ]
    .filter(({ entries }) => entries.length > 0)
    .map(({ title, entries }) => ({ title, entries: entries.map(oneLine) }));
}

/** Describes a build fact: `test: npm test (package.json)`, with the folder unless it is the root. */
function buildLine({ kind, value, folder, source, lacks }: BuildFact): string {
  const missing = lacks === undefined ? '' : `; ${lacks} is not installed here`;
  return `${kind}: ${value}${folder === '' ? '' : ` in ${folder}`} (${source}${missing})`;
}

/** Describes a file: `a.ts:1-9, 40-52 [parse]`. */
function fileLine({ symbols, parts = [], ...file }: Omit<RelevantFile, 'reasons'>): string {
  const further = parts.map(({ start, end }) => `, ${start}-${end}`).join('');
  const names = symbols.length === 0 ? '' : ` [${symbols.join(', ')}]`;
  return `${locationText(file)}${further}${names}`;
}
