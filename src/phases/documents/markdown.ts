// Writes a document as Markdown, in which text from outside cannot become markup.
import { cleanText } from '../../model/clean-text.ts';
import {
  type Block,
  type GraphNode,
  type Line,
  type Parts,
  type Piece,
  textOf,
} from '../../model/document.ts';
import { readProse, splitCode } from '../../model/prose.ts';
import { oneLine } from '../../model/wording.ts';

/** Writes blocks below a heading of that level; 1 is the title of the file. */
export function markdownOf(blocks: Parts, level = 1): string {
  return blocks
    .map((block) => (block === null ? '' : blockText(block, level)))
    .filter((text) => text !== '')
    .join('\n\n');
}

function blockText(block: Block, level: number): string {
  const { line, blocks } = block;
  switch (block.kind) {
    case 'section': {
      const inner = markdownOf(blocks, level + 1);
      if (block.folded)
        return `<details>\n<summary>${htmlText(textOf(line))}</summary>\n\n${inner}\n\n</details>`;
      return `${level < 3 ? `${'#'.repeat(level + 1)} ${lineText(line)}` : `**${lineText(line)}**`}\n\n${inner}`;
    }
    case 'text':
      return typeof line === 'string'
        ? markdownOf(readProse(line), level)
        : flowing(lineText(line).replace(blockStart, String.raw`\$&`));
    case 'list':
      return blocks
        .map((one, at) => itemText(one, { mark: block.ordered ? `${at + 1}. ` : '- ', level }))
        .join('\n');
    case 'fact':
      return `- ${inline(block.name)}: ${lineText(line)}`;
    case 'facts':
      return blocks.map((one) => blockText(one, level)).join('\n');
    case 'item':
      return itemText(block, { mark: '', level });
    case 'table':
      return [block.head.map(inline), block.head.map(() => '---'), ...blocks.map(cellsOf)]
        .map((cells) => `| ${cells.map(borderless).join(' | ')} |`)
        .join('\n');
    case 'row':
      return cellsOf(block).join(' ');
    case 'code':
      return fenced(textOf(line), block.language);
    case 'diff':
      return `<details>\n<summary>${htmlText(block.path)}</summary>\n\n${fenced(textOf(line), 'diff')}\n\n</details>`;
    case 'graph':
      return fenced(diagram(block.nodes), 'mermaid');
    case 'columns':
      return markdownOf(blocks, level);
    case 'note':
    case 'form':
      return '';
  }
}

function itemText(
  { line, blocks }: Block,
  { mark, level }: { readonly mark: string; readonly level: number },
): string {
  const indent = mark === '- ' ? '  ' : '    ';
  const inner = blocks.map((one) => `\n${one.kind === 'list' ? '' : '\n'}${blockText(one, level)}`);
  return `${mark}${[flowing(lineText(line)), ...inner].join('').replaceAll(/\n(?!\n)/g, `\n${indent}`)}`;
}

/** A paragraph longer than this is hard to read on a single line. */
const longLine = 400;

/** Begins a new line with each sentence of a long paragraph, which Markdown still shows as one. */
function flowing(written: string): string {
  return written.length > longLine
    ? written.replaceAll(blankOrCode, (found) => (found === ' ' ? '\n' : found))
    : written;
}

/** The blank between two sentences, or code, in which none is meant. */
const blankOrCode = /(?<=[.;!?]["”)]?) (?=[A-Z`])|(?<=;) (?=\()|(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g;

function cellsOf(block: Block): readonly string[] {
  return block.kind === 'row' ? block.cells.map(lineText) : [];
}

/** A cell border also ends a cell inside a code span. */
function borderless(text: string): string {
  return text.replaceAll(/(?<!\\)((?:\\{2})*)\|/g, String.raw`$1\|`);
}

function lineText(line: Line): string {
  return typeof line === 'string' ? inline(line) : line.map(pieceText).join('').trim();
}

function pieceText(piece: Piece): string {
  if (typeof piece === 'string') return spaced(piece);
  if ('code' in piece || 'path' in piece) return codeSpan(cleanText(textOf([piece])));
  if ('badge' in piece)
    return piece.badge === ''
      ? piece.mark.replace(/^[-+]/, String.raw`\$&`)
      : `**${inline(piece.badge)}**`;
  if ('to' in piece || piece.tone !== 'strong') return spaced(piece.text);
  return `**${inline(piece.text)}**`;
}

/** Keeps a blank at either end of a piece. */
function spaced(text: string): string {
  const said = inline(text);
  return said === ''
    ? text.slice(0, 1)
    : `${/^\s/.test(text) ? ' ' : ''}${said}${/\s$/.test(text) ? ' ' : ''}`;
}

/**
 * Makes text from outside safe for a single line of our Markdown: it cannot become HTML, a link, an image,
 * emphasis or an entity. Its code spans stay code and keep their white space, and a sign that means nothing where
 * it stands is not escaped.
 */
function inline(text: string): string {
  return splitCode(cleanText(text))
    .map((part, index) => (index % 2 === 1 ? codeSpan(part) : escaped(part)))
    .join('')
    .trim();
}

function escaped(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll(special, String.raw`\$&`);
}

/**
 * Writes code between more backticks than it has itself. Markdown strips a blank from both ends if there is one at
 * each, so both are doubled.
 */
function codeSpan(code: string): string {
  const line = code.replaceAll(/[\r\n]+/g, ' ') || ' ';
  const mark = marksAround(line.match(/`+/g) ?? [], 0);
  const isPadded = /^`|`$|^ .*\S.* $/.test(line);
  return isPadded ? `${mark} ${line} ${mark}` : `${mark}${line}${mark}`;
}

function marksAround(runs: readonly string[], least: number): string {
  return '`'.repeat(Math.max(least, ...runs.map((run) => run.length)) + 1);
}

/**
 * A backslash before punctuation, a sign of emphasis that is not between blanks or inside a word, the start of a
 * tag, a link, a definition, or an entity.
 */
const special =
  /\\(?=[!-/:-@[-`{-~])|`|(?<=\S)\*|\*(?=\S)|~(?=~)|<(?=[a-z/!?])|\[(?=[^\]]*\]\()|(?<=^\s*)\[(?=[^\]]*\]:)|&(?=#?\w+;)|(?<=[^\s\p{L}\p{N}])_|(?<=\s|^)_(?=\S)|(?<=\S)_(?=\s|$)|(?<=\S)_(?=[^\s\p{L}\p{N}])/giu;

/** The start of a block that is no paragraph. */
const blockStart = /^(?:#{1,6}(?=\s|$)|[>|]|~~~|=+$|[-:| ]*-[-:| ]*$)/;

/** Writes a code block with its white space, in a fence that nothing inside it closes. */
function fenced(text: string, language: string): string {
  const lines = cleanText(text).split('\n');
  const mark = marksAround(text.match(/`+/g) ?? [], 2);
  return [`${mark}${language}`, ...lines, mark].join('\n');
}

/**
 * The task graph as GitHub and many editors draw it. Its nodes get generated names, because an id may be a
 * Mermaid keyword.
 */
function diagram(nodes: readonly GraphNode[]): string {
  const names = new Map(nodes.map(({ id }, at) => [id, `t${at + 1}`]));
  const boxes = nodes.map(({ id, title }, at) => `  t${at + 1}["${label(`${id}: ${title}`)}"]`);
  const arrows = nodes.flatMap(({ after }, at) =>
    after.flatMap((need) => (names.has(need) ? `  ${names.get(need)} --> t${at + 1}` : [])),
  );
  return ['flowchart LR', ...boxes, ...arrows].join('\n');
}

/** Encodes every character that could have a meaning in Mermaid. */
function label(text: string): string {
  return Array.from(oneLine(cleanText(text)).slice(0, 60))
    .map((one) => (/[\p{L}\p{M}\p{N} .,:…-]/u.test(one) ? one : `#${one.codePointAt(0)};`))
    .join('');
}

function htmlText(text: string): string {
  return oneLine(cleanText(text)).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
