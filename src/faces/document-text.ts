// Writes a document as plain lines, for terminals without screens and for hosts.
import { type Block, type Line, type Piece, textOf } from '../model/document.ts';
import { cleanText } from '../model/clean-text.ts';
import { oneLine } from '../model/wording.ts';

/** Writes blocks as lines. What is folded is only named, unless `isWhole`. */
export function textLines(
  blocks: readonly (Block | null)[],
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): readonly string[] {
  const linesOf = (one: Block | null): readonly string[] =>
    one === null ? [] : blockLines(one, { isWhole });
  return blocks.flatMap(linesOf);
}

function blockLines(block: Block, shown: { readonly isWhole: boolean }): readonly string[] {
  const { line, blocks } = block;
  const inner = indented(textLines(blocks, shown));
  switch (block.kind) {
    case 'section': {
      const title = plainLine(line);
      return block.folded && !shown.isWhole ? [title] : [`${title}:`, ...inner];
    }
    case 'text':
      return typeof line === 'string' ? cleanText(line).trim().split('\n') : [plainLine(line)];
    case 'fact':
      return [`${block.name}: ${plainLine(line)}`];
    case 'list':
      return blocks.flatMap((one, at) => {
        const text = plainLine(one.line);
        const mark = block.ordered ? `${at + 1}. ` : '- ';
        const first = hasOwnMark(one.line) ? text : `${mark}${text}`;
        return [first, ...indented(textLines(one.blocks, shown))];
      });
    case 'row':
      return [block.cells.map(plainLine).join(', ')];
    case 'code':
      return indented(cleanText(textOf(line)).split('\n'));
    case 'diff':
      return shown.isWhole ? [block.path, ...cleanText(textOf(line)).split('\n')] : [block.path];
    case 'facts':
    case 'table':
    case 'columns':
    case 'item':
      return textLines(blocks, shown);
    case 'graph':
    case 'note':
    case 'form':
      return [];
  }
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** True for a line that begins with a badge without a word, whose mark is told. */
function hasOwnMark([first]: Line): boolean {
  return typeof first === 'object' && 'mark' in first && first.badge === '';
}

/** The text of a line; a badge without a word is told by its mark. */
function plainLine(line: Line): string {
  const pieces: readonly Piece[] = typeof line === 'string' ? [line] : line;
  const said = pieces.map((piece) =>
    typeof piece === 'object' && 'mark' in piece
      ? piece.badge || `${piece.mark} `
      : textOf([piece]),
  );
  return oneLine(cleanText(said.join('')));
}
