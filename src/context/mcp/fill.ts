import type { ContextQuery } from '../provider.ts';
import type { McpArgument } from './presets.ts';

/** A longer question makes no better search, and some services refuse it. In characters. */
const longestQuery = 4_000;
const mostKeywords = 10;

/** The questions that are put to the server, each once. */
export function queriesFor(
  templates: readonly string[],
  { task, keywords }: ContextQuery,
): readonly string[] {
  const told = keywords.length === 0 ? [task] : keywords.slice(0, mostKeywords);
  const values = { task, keywords: told.join(', '), keyword: told[0] ?? task };
  const queries = templates.map((template) => filled(template, values).slice(0, longestQuery));
  return [...new Set(queries)];
}

/** The arguments of one call; a value that is only `{limit}` becomes a number. */
export function argumentsFor(
  template: Readonly<Record<string, McpArgument>>,
  values: {
    readonly query: string;
    readonly task: string;
    readonly root: string;
    readonly limit: number;
  },
): Readonly<Record<string, McpArgument>> {
  const texts = { ...values, limit: String(values.limit) };
  const entries = Object.entries(template).map(([name, value]) => {
    if (value === '{limit}') return [name, values.limit] as const;
    if (typeof value === 'string') return [name, filled(value, texts)] as const;
    if (typeof value !== 'object') return [name, value] as const;
    return [name, value.map((part) => filled(part, texts))] as const;
  });
  return Object.fromEntries(entries);
}

/** In one pass, so that a task that holds a placeholder itself is passed on as it is. */
export function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? place) : place,
  );
}
