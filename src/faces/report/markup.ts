import { cleanText } from '../../model/clean-text.ts';

/** Text that is HTML already. Only `markup` makes it, so that nothing from outside gets in raw. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | null | readonly Part[];

/** A template of HTML: every value that is not markup itself is escaped, and null is nothing. */
export function markup(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return new Markup(strings.map((string, at) => string + textOf(values[at] ?? null)).join(''));
}

/** One line or a few, with `code` between backticks. */
export function inlineCode(text: string): Part {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, at) => (at % 2 === 1 ? markup`<code>${part.slice(1, -1)}</code>` : part));
}

/** Text of several lines: its paragraphs; the lines in them stay. */
export function paragraphs(text: string): Part {
  const blocks = text.split(/\n\s*\n/).filter((block) => block.trim() !== '');
  return blocks.map((block) => markup`<p class="lines">${inlineCode(block.trim())}</p>`);
}

/** Nothing where the list is empty. */
export function bulletList(texts: readonly string[]): Part {
  if (texts.length === 0) return null;
  return markup`<ul>${texts.map((text) => markup`<li>${inlineCode(text)}</li>`)}</ul>`;
}

interface Column {
  readonly name: string;
  readonly numeric?: boolean;
}

/** A table that scrolls by itself where it is wider than the page. The first column names the row. */
export function table(columns: readonly Column[], rows: readonly (readonly Part[])[]): Markup {
  const look = (at: number) => (columns[at]?.numeric === true ? markup` class="number"` : null);
  const heads = columns.map(({ name }, at) => markup`<th scope="col"${look(at)}>${name}</th>`);
  const cells = (row: readonly Part[]) =>
    row.map((cell, at) =>
      at === 0 ? markup`<th scope="row">${cell}</th>` : markup`<td${look(at)}>${cell}</td>`,
    );
  return markup`<div class="scroll" tabindex="0"><table><thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${cells(row)}</tr>\n`)}</tbody></table></div>`;
}

/** Long parts can be folded; in print they are always open. */
export function foldable(
  summary: Part,
  { body, open = false }: { readonly body: Part; readonly open?: boolean },
): Markup {
  return markup`<details${open ? markup` open` : null}><summary>${summary}</summary>${body}</details>`;
}

/** A word with a mark before it; the tone only adds a colour. */
export function badge(tone: BadgeTone, mark: string, word: string): Markup {
  return markup`<span class="badge ${tone}"><span aria-hidden="true">${mark}</span> ${word}</span>`;
}

export type BadgeTone = 'good' | 'warn' | 'bad' | 'quiet';

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return cleanText(String(part)).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
