// Defines a document: what is shown of a session, as blocks that every renderer shows without knowing the subject.

/** The meaning of a text, never its look. */
export type Tone = 'plain' | 'quiet' | 'strong' | 'accent' | 'good' | 'warn' | 'bad';

/** A word after a mark that says the same; the tone only adds a colour. */
export interface Badge {
  readonly badge: string;
  readonly mark: string;
  readonly tone: Tone;
}

export type Piece =
  /** Prose, in which text between backticks is code. */
  | string
  | Badge
  | { readonly text: string; readonly tone: Tone }
  | { readonly code: string }
  /** A file of the project, with a line of it if one is meant. */
  | { readonly path: string; readonly line: number | null }
  /** Leads to the block with this anchor. */
  | { readonly to: string; readonly text: string };

export type Line = string | readonly Piece[];

/** A task in a graph; it leads to the block whose anchor is the task’s id. */
export interface GraphNode {
  readonly id: string;
  readonly title: string;
  readonly after: readonly string[];
  readonly status: Badge | null;
}

type Kind =
  /** A heading with what stands below it, closed at first if `folded`. */
  | { readonly kind: 'section'; readonly folded: boolean }
  /** Prose; a string may have several paragraphs, lists and code in fences. */
  | { readonly kind: 'text' }
  /** Names with values: its blocks are facts. */
  | { readonly kind: 'facts' }
  | { readonly kind: 'fact'; readonly name: string }
  /** Its blocks are items; an item may have blocks of its own. */
  | { readonly kind: 'list'; readonly ordered: boolean }
  | { readonly kind: 'item' }
  /** Its blocks are rows; the first cell names a row. */
  | { readonly kind: 'table'; readonly head: readonly string[] }
  | { readonly kind: 'row'; readonly cells: readonly Line[] }
  /** Text letter by letter. */
  | { readonly kind: 'code'; readonly language: string }
  /** What changed in one file, as git writes it; its blocks are notes. */
  | { readonly kind: 'diff'; readonly path: string }
  /** What was found on a line of a diff; `at` is its number after the change. */
  | { readonly kind: 'note'; readonly at: number }
  | { readonly kind: 'graph'; readonly nodes: readonly GraphNode[] }
  /** Its blocks are sections that are compared, side by side where there is room. */
  | { readonly kind: 'columns' }
  /** The place of a form; its line is the form’s id. */
  | { readonly kind: 'form' };

export type Block = Kind & {
  /**
   * Until `documentOf` makes the anchor: the name within the parent; empty to name it after its content. `#` starts
   * anew: `#TASK-001` becomes `TASK-001` in any parent.
   */
  readonly anchor: string;
  /** A title, a text, the value of a fact; empty for blocks that only hold others. */
  readonly line: Line;
  readonly blocks: readonly Block[];
};

export interface Document {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Blocks of which some may be missing. */
export type Parts = readonly (Block | null)[];

/** Makes a block; its parts that are null are left out. */
function make(kind: Kind, line: Line, parts: Parts = [], anchor = ''): Block {
  return { ...kind, anchor, line, blocks: parts.filter((part) => part !== null) };
}

/** Holds blocks; null if it would be empty. */
function hold(kind: Kind, parts: Parts, line: Line = '', anchor = ''): Block | null {
  const block = make(kind, line, parts, anchor);
  return block.blocks.length === 0 ? null : block;
}

/** A section; null without blocks. */
export function section(anchor: string, title: Line, parts: Parts): Block | null {
  return hold({ kind: 'section', folded: false }, parts, title, anchor);
}

/** A section that is closed until a reader opens it. */
export function fold(anchor: string, title: Line, parts: Parts): Block | null {
  return hold({ kind: 'section', folded: true }, parts, title, anchor);
}

/** Prose; null if there is none. */
export function prose(text: Line, anchor = ''): Block | null {
  return textOf(text).trim() === '' ? null : make({ kind: 'text' }, text, [], anchor);
}

/** Names with their values; unknown and empty values are left out. */
export function facts(
  pairs: readonly (readonly [name: string, value: Line | null])[],
): Block | null {
  const known = pairs.map(([name, value]) =>
    value === null || value.length === 0
      ? null
      : make({ kind: 'fact', name }, value, [], slug(name)),
  );
  return hold({ kind: 'facts' }, known);
}

/** A list of items, or of lines that have nothing below them; null if it is empty. */
export function list(items: readonly (Line | Block)[], ordered = false): Block | null {
  const blocks = items.map((one) => (isBlock(one) ? one : item(one)));
  return hold({ kind: 'list', ordered }, blocks);
}

/** An item of a list; what follows the first paragraph of its text stands below it. */
export function item(line: Line, parts: Parts = [], anchor = ''): Block {
  const [head = '', ...below] = typeof line === 'string' ? line.split(newPart) : [];
  if (below.length === 0) return make({ kind: 'item' }, line, parts, anchor);
  const rest = prose(typeof line === 'string' ? line.slice(head.length).trimEnd() : '');
  return make({ kind: 'item' }, head, [rest, ...parts], anchor);
}

const newPart = /\n(?=\s*(?:\n|[-*+|#>]|\d+[.)] |\x60{3}|~{3}))/;

function isBlock(one: Line | Block): one is Block {
  return typeof one === 'object' && 'kind' in one;
}

/** A table; null without rows. */
export function table(head: readonly string[], rows: readonly (readonly Line[])[]): Block | null {
  const blocks = rows.map((cells) => make({ kind: 'row', cells }, cells[0] ?? ''));
  return hold({ kind: 'table', head }, blocks);
}

/** Text letter by letter; null if there is none. */
export function code(text: string, language = ''): Block | null {
  return text.trim() === '' ? null : make({ kind: 'code', language }, text.trimEnd());
}

/** The changes of one file, as git writes them, with notes on its lines. */
export function diff(path: string, text: string, notes: Parts = []): Block {
  return make({ kind: 'diff', path }, text, notes, path);
}

/** The changes of each file in what git writes, with notes on its lines. */
export function diffsIn(
  changes: string,
  notesOn: (path: string) => Parts = () => [],
): readonly Block[] {
  const files = changes.split(/^(?=diff --git )/m).filter((part) => part.startsWith('diff --git '));
  return files.map((text) => {
    const lines = text.trimEnd().split('\n');
    const first = lines.findIndex((line) => /^(?:@@|Binary )/.test(line));
    const path = pathIn(lines);
    return diff(path, lines.slice(first === -1 ? 1 : first).join('\n'), notesOn(path));
  });
}

function pathIn(lines: readonly string[]): string {
  const named = (start: string) =>
    lines.find((line) => line.startsWith(start))?.slice(start.length);
  return (
    named('+++ b/') ?? named('--- a/') ?? (lines[0] ?? '').replace(/^diff --git a\/.* b\//, '')
  );
}

export function note(at: number, line: Line): Block {
  return make({ kind: 'note', at }, line);
}

export function graph(nodes: readonly GraphNode[]): Block {
  return make({ kind: 'graph', nodes }, '');
}

/** Sections to compare; null if there are none. */
export function columns(sections: Parts): Block | null {
  return hold({ kind: 'columns' }, sections);
}

/** The place of a form. */
export function form(id: string): Block {
  return make({ kind: 'form' }, id, [], id);
}

/** Makes a document: gives each block the anchor by which it is found again in a later version. */
export function documentOf(title: string, parts: Parts): Document {
  const name = namer();
  return {
    title,
    blocks: parts.flatMap((part) => (part === null ? [] : anchored(part, '', name))),
  };
}

function anchored(block: Block, parent: string, name: Namer): Block {
  const isGroup = textOf(block.line) === '';
  const anchor = isGroup ? parent : name(parent, block.anchor || slug(textOf(block.line)));
  return { ...block, anchor, blocks: block.blocks.map((part) => anchored(part, anchor, name)) };
}

type Namer = (parent: string, own: string) => string;

/** Joins names to anchors. Equal ones are told apart by their order: the second ends with `~2`. */
function namer(): Namer {
  const used = new Map<string, number>();
  return (parent, own) => {
    const full = own.startsWith('#') ? own.slice(1) : `${parent}${parent && '.'}${own}`;
    const count = (used.get(full) ?? 0) + 1;
    used.set(full, count);
    return count === 1 ? full : `${full}~${count}`;
  };
}

const longestSlug = 32;

/**
 * Makes a name of a text that can be typed: its words in lower case. If anything else of the text is lost, a short
 * digest follows, so that another text gets another name.
 */
function slug(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim().toLowerCase();
  const words = line.replaceAll(/[^\p{L}\p{N}_]+/gu, '-').slice(0, longestSlug);
  const short = words.replaceAll(/^-+|-+$/g, '');
  return short.replaceAll('-', ' ') === line ? short : `${short}${short && '-'}${digest(text)}`;
}

/** Hashes a text by FNV-1a to four letters, which only tell texts apart. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, '0').slice(-4);
}

/** The text of a line without its marks and tones. */
export function textOf(line: Line): string {
  return typeof line === 'string' ? line : line.map(pieceText).join('');
}

function pieceText(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if ('badge' in piece) return piece.badge;
  if ('code' in piece) return piece.code;
  return 'path' in piece ? placeText(piece) : piece.text;
}

/** A place in the code: `src/a.ts:12`, or only the file. */
export function placeText({ path, line }: { path: string; line: number | null }): string {
  return line === null ? path : `${path}:${line}`;
}

/** A line on which a comment can hang. */
export interface AnchoredLine {
  readonly anchor: string;
  readonly text: string;
}

/** Lists every line that has an anchor, in the order of reading. */
export function listAnchors(blocks: readonly Block[]): readonly AnchoredLine[] {
  return blocks.flatMap((block) => {
    const { anchor, line, blocks: inner } = block;
    if (block.kind === 'diff') return diffLines(block);
    const text = block.kind === 'row' ? block.cells.map(textOf).join(' · ') : textOf(line);
    const own = block.kind === 'fact' ? `${block.name}: ${text}` : text;
    return [...(text === '' ? [] : [{ anchor, text: own }]), ...listAnchors(inner)];
  });
}

/** The lines of a diff, each with an anchor from the file and the line’s own text. */
export function diffLines({
  anchor,
  line,
}: Pick<Block, 'anchor' | 'line'>): readonly AnchoredLine[] {
  const name = namer();
  return textOf(line)
    .split('\n')
    .map((text) => ({ anchor: name(anchor, slug(text)), text }));
}

/** The block with an anchor; undefined if there is none. */
export function blockAt(blocks: readonly Block[], anchor: string): Block | undefined {
  for (const block of blocks) {
    const found = block.anchor === anchor ? block : blockAt(block.blocks, anchor);
    if (found !== undefined) return found;
  }
  return undefined;
}
