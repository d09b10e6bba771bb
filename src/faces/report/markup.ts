// Builds HTML in which every text from outside is escaped: tables, lists, folded parts, badges.
import { cleanText } from '../../model/clean-text.ts';

/** Text that is already HTML. Only `markup` makes it, so that nothing from outside gets in unescaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | null | readonly Part[];

/** An HTML template: every value that is not markup is escaped, and null is left out. */
export function markup(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return new Markup(strings.map((string, at) => string + textOf(values[at] ?? null)).join(''));
}

/** Marks up a short text, with `code` between backticks. */
export function inlineCode(text: string): Part {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, at) => (at % 2 === 1 ? markup`<code>${part.slice(1, -1)}</code>` : part));
}

/** Marks up a text as paragraphs; the line breaks in them stay. */
export function paragraphs(text: string): Part {
  const blocks = text.split(/\n\s*\n/).filter((block) => block.trim() !== '');
  return blocks.map((block) => markup`<p class="lines">${inlineCode(block.trim())}</p>`);
}

/** A list; null if it is empty. */
export function bulletList(items: readonly Part[], look = ''): Part {
  if (items.length === 0) return null;
  const shown = items.map((item) => (typeof item === 'string' ? inlineCode(item) : item));
  return markup`<ul class="${look}">${shown.map((item) => markup`<li>${item}</li>`)}</ul>`;
}

/**
 * A table that scrolls on its own if it is wider than the page; on a phone its cells are below each
 * other, each after the name of its column. The first column names the row.
 */
export function table(names: readonly string[], rows: readonly (readonly Part[])[]): Markup {
  const heads = names.map((name) => markup`<th scope="col">${name}</th>`);
  const cells = (row: readonly Part[]) =>
    row.map((cell, at) =>
      at === 0
        ? markup`<th scope="row">${cell}</th>`
        : markup`<td data-name="${names[at] ?? ''}">${cell}</td>`,
    );
  return markup`<div class="scroll" tabindex="0"><table><thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${cells(row)}</tr>\n`)}</tbody></table></div>`;
}

/** A list of names with their values; unknown ones are left out. */
export function factList(facts: readonly (readonly [name: string, fact: Part])[]): Markup {
  const known = facts.filter(([, fact]) => fact !== null);
  return markup`<dl class="facts">${known.map(([name, fact]) => markup`<dt>${name}</dt><dd>${fact}</dd>`)}</dl>`;
}

/** A part that is folded until a reader opens it; in print it is open. */
export function foldable(summary: Part, body: Part): Markup {
  return markup`<details><summary>${summary}</summary>${body}</details>`;
}

/** A word after a mark; the tone only adds a colour. */
export function badge(tone: BadgeTone, mark: string, word: string): Markup {
  return markup`<span class="badge ${tone}"><span aria-hidden="true">${mark}</span> ${word}</span>`;
}

type BadgeTone = 'good' | 'warn' | 'bad' | 'quiet';

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return cleanText(String(part)).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
