// Shows a document as rows: wrapped, with folded parts, each row with the anchor of its line.
import { cleanText } from '../../model/clean-text.ts';
import {
  type Block,
  type GraphNode,
  type Line,
  type Piece,
  diffLines,
  placeText,
  textOf,
} from '../../model/document.ts';
import { readProse } from '../../model/prose.ts';
import {
  type Row,
  type Span,
  emptyRow,
  fileSpan,
  fitRow,
  row,
  span,
  widthOf,
  wrapRow,
  wrapText,
} from './screen-rows.ts';
import { graphOf } from '../task-graph.ts';
import { diffTone, marks, paintFor } from './theme.ts';

/** A row, with the anchor of the line that it belongs to; null where nothing can be said of it. */
export interface AnchoredRow {
  readonly cells: Row;
  readonly anchor: string | null;
}

/** How a document is shown. */
export interface Look {
  readonly width: number;
  /** The anchors of the parts that a person has opened or closed. */
  readonly toggled?: ReadonlySet<string>;
  readonly indent?: number;
  /** Shows or leaves out what is folded, for pages on which nothing is opened. */
  readonly folds?: 'open' | 'out';
}

/** Shows blocks as rows. */
export function documentRows(
  blocks: readonly (Block | null)[],
  shown: Look,
): readonly AnchoredRow[] {
  const rows = blocks.flatMap((block) => (block === null ? [] : blockRows(block, shown)));
  return rows[0]?.cells === emptyRow ? rows.slice(1) : rows;
}

/** The same without anchors, for pages in which nothing is chosen. */
export function plainRows(blocks: readonly (Block | null)[], shown: Look): readonly Row[] {
  return documentRows(blocks, shown).map(({ cells }) => cells);
}

/** The same as lines with their styles, to be printed. */
export function paintLines(
  blocks: Parameters<typeof plainRows>[0],
  shown: Look,
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  const paint = paintFor(environment);
  return plainRows(blocks, shown).map((cells) =>
    cells.map(({ text, tone }) => paint(text, tone)).join(''),
  );
}

/** The anchors of the lines that are shown, in order, each once. */
export function anchorsShown(
  blocks: readonly Block[],
  toggled: ReadonlySet<string>,
): readonly string[] {
  const rows = documentRows(blocks, { width: 80, toggled });
  return [...new Set(rows.flatMap(({ anchor }) => anchor ?? []))];
}

function blockRows(block: Block, shown: Look): readonly AnchoredRow[] {
  const { anchor, line, blocks } = block;
  const { width, indent = 0 } = shown;
  const at = (rows: readonly Row[]) => rows.map((cells) => ({ cells, anchor }));
  switch (block.kind) {
    case 'section':
      return sectionRows(block, shown);
    case 'text':
      return at(
        typeof line === 'string'
          ? proseRows(line, shown)
          : wrapRow(line.map(proseSpan), { width, indent }),
      );
    case 'fact': {
      const name = span(`${block.name}  `.padEnd(10), 'quiet');
      return at(wrapRow([name, ...rowOf(line)], { width, indent, hang: widthOf([name]) }));
    }
    case 'list':
      return blocks.flatMap((one, index) => {
        const mark = block.ordered ? `${index + 1}.` : marks.bullet;
        const cells = markedRow(one.line, mark);
        const hang = widthOf(cells.slice(0, 1));
        const rows = wrapRow(cells, { width, indent, hang });
        return [
          ...rows.map((own) => ({ cells: own, anchor: one.anchor })),
          ...documentRows(one.blocks, { ...shown, indent: indent + 2 }),
        ];
      });
    case 'table':
      return tableRows(block, shown);
    case 'row':
      return at(wrapRow(block.cells.flatMap(cellOf), { width, indent }));
    case 'code':
      return at(wrapText(textOf(line), { width, indent: indent + 2, trim: false, tone: 'accent' }));
    case 'diff':
      return diffRows(block, shown);
    case 'graph':
      return graphRows(block.nodes, shown);
    case 'facts':
    case 'item':
    case 'columns':
      return documentRows(blocks, shown);
    case 'note':
    case 'form':
      return [];
  }
}

/** Shows a text with an empty row between its parts. */
function proseRows(text: string, shown: Look): readonly Row[] {
  return readProse(text).flatMap((block, at) => [
    ...(at === 0 ? [] : [emptyRow]),
    ...plainRows([block], shown),
  ]);
}

/** A piece of a paragraph, whose line breaks are kept. */
function proseSpan(piece: Piece): Span {
  return typeof piece === 'string'
    ? { text: cleanText(piece).replaceAll('\t', '  '), tone: 'plain' }
    : spanOf(piece, 'plain');
}

function sectionRows(block: Extract<Block, { kind: 'section' }>, shown: Look) {
  const { anchor, line, blocks, folded } = block;
  const { indent = 0, width, folds } = shown;
  if (folded && folds === 'out') return [];
  const isOpen = isOpened({ anchor, folded }, shown);
  const isFixed = folds !== undefined;
  const mark = folded || !isOpen ? foldMark(isOpen, shown) : '';
  const head = wrapRow([span(mark, 'accent'), ...rowOf(line, 'strong')], { width, indent });
  const inner = isOpen ? documentRows(blocks, { ...shown, indent: indent + 2 }) : [];
  const gap = indent === 0 && (isFixed || !folded) ? [{ cells: emptyRow, anchor: null }] : [];
  return [...gap, ...head.map((cells) => ({ cells, anchor })), ...inner];
}

/** The mark before a part that can be opened and closed. */
function foldMark(isOpen: boolean, { folds }: Look): string {
  return folds === undefined ? `${isOpen ? marks.opened : marks.closed} ` : '';
}

function isOpened({ anchor, folded }: { anchor: string; folded: boolean }, shown: Look): boolean {
  return shown.folds === 'open' || folded === (shown.toggled?.has(anchor) ?? false);
}

/** A line after its mark: that of a badge at its start, or the given one. */
function markedRow(line: Line, mark: string): Row {
  const first = typeof line === 'string' ? undefined : line[0];
  const isMarked = typeof first === 'object' && 'mark' in first;
  if (!isMarked) return [span(`${mark} `, 'quiet'), ...rowOf(line)];
  const word = span(first.badge, first.tone);
  return [span(`${first.mark} `, first.tone), word, ...rowOf(line.slice(1))];
}

function rowOf(line: Line, tone: Span['tone'] = 'plain'): Row {
  return typeof line === 'string' ? [span(line, tone)] : line.map((piece) => spanOf(piece, tone));
}

function spanOf(piece: Piece, tone: Span['tone']): Span {
  if (typeof piece === 'string') return span(piece, tone);
  if ('mark' in piece) return span(`${piece.mark} ${piece.badge}`.trim(), piece.tone);
  if ('path' in piece) return fileSpan(piece.path, placeText(piece), tone);
  if ('code' in piece) return span(piece.code, 'accent');
  return 'to' in piece ? span(piece.text, tone) : span(piece.text, piece.tone);
}

function cellOf(line: Line, at: number): Row {
  return at === 0 ? rowOf(line) : [span(' · ', 'quiet'), ...rowOf(line)];
}

/** A table in columns if they fit, else with the cells of a row one after the other. */
function tableRows({ blocks, ...block }: Block, { width, indent = 0 }: Look) {
  const rows = blocks.flatMap((one) =>
    one.kind === 'row' ? [{ anchor: one.anchor, cells: one.cells.map((cell) => rowOf(cell)) }] : [],
  );
  const head = block.kind === 'table' ? block.head.map((name) => row(span(name, 'quiet'))) : [];
  const widths = head.map((name, at) =>
    Math.max(widthOf(name), ...rows.map(({ cells }) => widthOf(cells[at] ?? []))),
  );
  const isWide = widths.reduce((sum, one) => sum + one + 2, indent) <= width;
  const inColumns = (cells: readonly Row[]) => [
    span(' '.repeat(indent)),
    ...cells.flatMap((cell, at) => fitRow(cell, (widths[at] ?? 0) + 2)),
  ];
  if (isWide) {
    return [
      { cells: inColumns(head), anchor: null },
      ...rows.map(({ cells, anchor }) => ({ cells: inColumns(cells), anchor })),
    ];
  }
  return rows.flatMap(({ cells, anchor }) =>
    wrapRow(
      cells.flatMap((cell, at) => (at === 0 ? cell : [span(' · ', 'quiet'), ...cell])),
      { width, indent, hang: 2 },
    ).map((own) => ({ cells: own, anchor })),
  );
}

/** The changes of a file: its name with the count of lines, and below it the lines once it is opened. */
function diffRows(block: Extract<Block, { kind: 'diff' }>, shown: Look) {
  const { anchor, path } = block;
  const { width, indent = 0 } = shown;
  const isOpen = isOpened({ anchor, folded: true }, shown);
  const lines = textOf(block.line).split('\n');
  const count = (sign: string) => lines.filter((one) => one.startsWith(sign)).length;
  const head = [
    span(`${' '.repeat(indent)}${foldMark(isOpen, shown)}`, 'accent'),
    fileSpan(path, path),
    span(`  +${count('+')} −${count('-')}`, 'quiet'),
  ];
  if (!isOpen) return [{ cells: head, anchor }];
  return [
    { cells: head, anchor },
    ...diffLines(block).flatMap((one) =>
      wrapText(one.text, { width, indent: indent + 2, tone: diffTone(one.text), trim: false }).map(
        (cells) => ({ cells, anchor: one.anchor }),
      ),
    ),
  ];
}

/** The graph of tasks, with what each waits for where there is no room for its edges. */
function graphRows(nodes: readonly GraphNode[], { width, indent = 0 }: Look) {
  const tasks = nodes.map(({ id, after }) => ({ id, depends_on: [...after] }));
  return graphOf(tasks, Math.floor((width - indent) / 3)).flatMap(({ task, edges, named }) => {
    const node = nodes[task];
    if (node === undefined) return [];
    const { id, title, status } = node;
    const needs = named.length === 0 ? '' : `  ← ${named.join(', ')}`;
    const cells = [
      span(`${' '.repeat(indent)}${edges === '' ? '' : `${edges} `}`, 'quiet'),
      ...(status === null ? [] : [span(`${status.mark} `, status.tone)]),
      span(`${id}  ${title}`),
      span(needs, 'quiet'),
    ];
    return [{ cells: fitRow(cells, width), anchor: null }];
  });
}
