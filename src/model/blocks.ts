// Defines the plain blocks that make up a text for a reader, and writes them as Markdown.

/** A part of a text. The facts are names with their values; empty ones are left out. */
export type TextBlock =
  | { readonly heading: string; readonly level: 2 | 3 }
  | { readonly text: string }
  | { readonly list: readonly string[] }
  | { readonly facts: Readonly<Record<string, unknown>> };

/** Writes blocks as Markdown, with an empty line before every heading except that of the first block. */
export function blocksText([first, ...others]: readonly TextBlock[]): string {
  const texts = others.map((block) => ('heading' in block ? '\n' : '') + blockText(block));
  return [first === undefined ? '' : blockText(first), ...texts]
    .filter((text) => text !== '')
    .join('\n');
}

function blockText(block: TextBlock): string {
  if ('heading' in block) return `${'#'.repeat(block.level)} ${block.heading}`;
  if ('text' in block) return block.text;
  if ('list' in block) return block.list.map((entry) => `- ${entry}`).join('\n');
  return Object.entries(block.facts).flatMap(factText).join('\n');
}

function factText([name, value]: readonly [name: string, value: unknown]): readonly string[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value !== 'string') return [`${name}: ${JSON.stringify(value)}`];
  return [value.includes('\n') ? `${name}:\n${value}` : `${name}: ${value}`];
}
