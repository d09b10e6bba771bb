import { type Row, type Span, emptyRow, row, span, widthOf, wrapped } from '../../rows.ts';
import { marks } from '../../theme.ts';
import type { DocumentLine, FieldText } from './document.ts';

/** Rows of which one is chosen, and where it is. */
export interface Chosen {
  readonly rows: readonly Row[];
  /** The first row of what is chosen; 0 where nothing is. */
  readonly at: number;
}

interface Look {
  readonly width: number;
  /** Path of the chosen field; null for a page that is only read. */
  readonly field: string | null;
}

/** A plan or a task as rows, a mark at the chosen field. */
export function fieldRows(document: readonly DocumentLine[], look: Look): Chosen {
  const rows: Row[] = [];
  let at = 0;
  let indent = 0;
  for (const line of document) {
    if (line.kind === 'heading') {
      indent = 2;
      rows.push(emptyRow, row(span(`  ${line.text}`, 'strong')));
      continue;
    }
    const shown =
      line.kind === 'missing'
        ? missingRows(line, { ...look, indent })
        : lineRows({ ...line, indent: line.indent + indent }, look);
    if (shown.at !== null) at = rows.length + shown.at;
    rows.push(...shown.rows);
  }
  return { rows, at };
}

interface Shown {
  readonly rows: readonly Row[];
  /** Where the chosen field is in them; null where it is in none. */
  readonly at: number | null;
}

function missingRows(
  line: Extract<DocumentLine, { kind: 'missing' }>,
  { field, indent }: Look & { readonly indent: number },
): Shown {
  const isChosen = line.field === field;
  const text = span(line.text, isChosen ? 'accent' : 'quiet');
  return { rows: [row(markOf(isChosen), span(' '.repeat(indent)), text)], at: isChosen ? 0 : null };
}

function lineRows(line: Extract<DocumentLine, { kind: 'fields' }>, look: Look): Shown {
  const lead = [span(' '.repeat(line.indent)), ...labelOf(line.label)];
  const whole = line.fields.flatMap((one) => [
    { text: '  ', tone: 'plain' } as const,
    fieldSpan(one, look),
  ]);
  const isShort = line.fields.every(({ text }) => !text.includes('\n'));
  const oneRow = [...lead, ...whole.slice(1)];
  if (isShort && widthOf(oneRow) + 2 <= look.width) {
    const isChosen = line.fields.some(({ field }) => field === look.field);
    return { rows: [[markOf(isChosen), ...oneRow]], at: isChosen ? 0 : null };
  }
  return longRows(line, { ...look, lead });
}

/** A row or more for each field, indented to the end of the label where that is short. */
function longRows(
  line: Extract<DocumentLine, { kind: 'fields' }>,
  { lead, width, field: chosen }: Look & { readonly lead: Row },
): Shown {
  const hangs = widthOf(lead) <= width / 4;
  const indent = hangs ? widthOf(lead) : line.indent + 2;
  const rows: Row[] = hangs ? [] : [[markOf(false), ...lead]];
  let at: number | null = null;
  for (const [index, { field, text }] of line.fields.entries()) {
    const isChosen = field === chosen;
    if (isChosen) at = rows.length;
    const tone = isChosen ? 'accent' : 'plain';
    for (const [number, piece] of wrapped(text, { width: width - indent - 2, tone }).entries()) {
      const start = hangs && index === 0 && number === 0 ? lead : [span(' '.repeat(indent))];
      rows.push([markOf(isChosen && number === 0), ...start, ...piece]);
    }
  }
  return { rows, at };
}

function labelOf(label: string): Row {
  return [span(label.length < 3 ? `${label} ` : `${label}  `, 'quiet')];
}

function fieldSpan({ field, text, missing }: FieldText, look: Look): Span {
  const tone = missing === true ? 'quiet' : 'plain';
  return span(text === '' ? '(empty)' : text, field === look.field ? 'accent' : tone);
}

function markOf(isChosen: boolean): Span {
  return span(isChosen ? `${marks.chosen} ` : '  ', 'accent');
}
