import type { BuildFact, CodebaseContext, RelevantFile } from '../model/context.ts';
import { redactedFile } from '../model/secrets.ts';
import { bullets } from './data.ts';
import { placeOf } from './excerpts.ts';

/** The found files for a prompt: place, symbols and reasons, then what is known of the project. */
export function contextText(context: CodebaseContext): string {
  const parts = [
    `${contextHead(context)}:`,
    context.relevant_files.length === 0
      ? '(none found)'
      : bullets(context.relevant_files.map(fileLine)),
    ...contextSections(context).map(({ title, entries }) => `${title}:\n${bullets(entries)}`),
    ...context.project_facts.map(
      ({ source, text }) => `From ${source}:\n${redactedFile(source, text).trim()}`,
    ),
  ];
  return parts.join('\n');
}

/** Who found the files, without an end. */
export function contextHead({
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
    { title: 'Patterns', entries: context.detected_patterns },
    { title: 'Structure', entries: context.architecture_insights },
    { title: 'Build and test', entries: context.build_facts.map(buildLine) },
  ].filter(({ entries }) => entries.length > 0);
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
  return `${placeOf(file)}${names}${why}`;
}
