import { type Row, type Span, emptyRow, row, span, widthOf, wrapped } from '../../rows.ts';
import { marks } from '../../theme.ts';
import type { DocumentLine, FieldText } from './fields.ts';

/** Rows of which one is chosen, and where it is. */
export interface ChosenRows {
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
export function documentRows(document: readonly DocumentLine[], look: Look): ChosenRows {
  const rows: Row[] = [];
  let at = 0;
  let indent = 0;
  for (const line of document) {
    if ('heading' in line) {
      indent = 2;
      rows.push(emptyRow, row(span(`  ${line.heading}`, 'strong')));
      continue;
    }
    const lead = [span(' '.repeat(line.indent + indent)), ...labelOf(line.label)];
    const shown = lineRows(line.fields, { ...look, lead, indent: line.indent + indent + 2 });
    if (shown.at !== null) at = rows.length + shown.at;
    rows.push(...shown.rows);
  }
  return { rows, at };
}

interface LineLook extends Look {
  readonly lead: Row;
  /** Columns before the fields that do not stand on the row of a long label. */
  readonly indent: number;
}

/** `at` is where the chosen field is in the rows; null where it is in none. */
interface LineRows {
  readonly rows: readonly Row[];
  readonly at: number | null;
}

function lineRows(fields: readonly FieldText[], look: LineLook): LineRows {
  const spans = fields.flatMap((one, index) => [
    ...(index === 0 ? [] : [span('  ')]),
    span(shownText(one), toneOf(one, look)),
  ]);
  const whole = [...look.lead, ...spans];
  const isOneRow =
    widthOf(whole) + 2 <= look.width && fields.every(({ text }) => !text.includes('\n'));
  if (!isOneRow) return longRows(fields, look);
  const isChosen = fields.some(({ field }) => field === look.field);
  return { rows: [[markOf(isChosen), ...whole]], at: isChosen ? 0 : null };
}

/** A row or more for each field, indented to the end of the label where that is short. */
function longRows(fields: readonly FieldText[], look: LineLook): LineRows {
  const { lead, width } = look;
  const hangs = widthOf(lead) <= width / 4;
  const indent = hangs ? widthOf(lead) : look.indent;
  const rows: Row[] = hangs ? [] : [[markOf(false), ...lead]];
  let at: number | null = null;
  for (const [index, one] of fields.entries()) {
    const isChosen = one.field === look.field;
    if (isChosen) at = rows.length;
    const pieces = wrapped(shownText(one), {
      width: width - indent - 2,
      tone: toneOf(one, look),
    });
    for (const [number, piece] of pieces.entries()) {
      const start = hangs && index === 0 && number === 0 ? lead : [span(' '.repeat(indent))];
      rows.push([markOf(isChosen && number === 0), ...start, ...piece]);
    }
  }
  return { rows, at };
}

function labelOf(label: string): Row {
  if (label === '') return [];
  return [span(label.length < 3 ? `${label} ` : `${label}  `, 'quiet')];
}

function shownText({ text }: FieldText): string {
  return text === '' ? '(empty)' : text;
}

function toneOf({ field, missing }: FieldText, look: Look): Span['tone'] {
  if (field === look.field) return 'accent';
  return missing === true ? 'quiet' : 'plain';
}

function markOf(isChosen: boolean): Span {
  return span(isChosen ? `${marks.chosen} ` : '  ', 'accent');
}
