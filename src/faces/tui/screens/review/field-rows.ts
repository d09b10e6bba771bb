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
  const firstHeading = document.findIndex((line) => 'heading' in line);
  const lines = document.flatMap((line, index) => {
    if ('heading' in line) {
      return [emptyRow, row(span(line.heading, 'strong'))].map((cells) => ({
        cells,
        begins: null,
      }));
    }
    const section = firstHeading !== -1 && index > firstHeading ? 2 : 0;
    return lineRows(line, { ...look, indent: line.indent + section });
  });
  const at = lines.findIndex(({ begins }) => begins?.includes(look.field ?? '') === true);
  const rows = lines.map(({ cells }, index): Row => {
    if (cells.length === 0) return cells;
    return [span(index === at ? `${marks.chosen} ` : '  ', 'accent'), ...cells];
  });
  return { rows, at: Math.max(0, at) };
}

interface FieldRow {
  readonly cells: Row;
  /** The paths of the fields that begin on it. */
  readonly begins: readonly string[] | null;
}

type FieldLine = Exclude<DocumentLine, { readonly heading: string }>;

/** One row where all fits; else one or more for each field, up to the label where that is short. */
function lineRows(
  { label, fields }: FieldLine,
  { width, field: chosen, indent }: Look & { readonly indent: number },
): readonly FieldRow[] {
  const gap = label === '' ? '' : label.length < 3 ? ' ' : '  ';
  const lead = [span(' '.repeat(indent)), span(label + gap, 'quiet')];
  const whole = fields.flatMap((one, index) => [
    span(index === 0 ? '' : '  '),
    span(shownText(one), toneOf(one, chosen)),
  ]);
  const isOneLine = fields.every(({ text }) => !text.includes('\n'));
  if (isOneLine && widthOf([...lead, ...whole]) + 2 <= width) {
    return [{ cells: [...lead, ...whole], begins: fields.map(({ field }) => field) }];
  }
  const hangs = widthOf(lead) <= width / 4;
  const start = hangs ? widthOf(lead) : indent + 2;
  const rows = fields.flatMap((one) =>
    wrapped(shownText(one), { width: width - start - 2, tone: toneOf(one, chosen) }).map(
      (piece, number) => ({ piece, begins: number === 0 ? [one.field] : null }),
    ),
  );
  return [
    ...(hangs ? [] : [{ cells: lead, begins: null }]),
    ...rows.map(({ piece, begins }, index) => ({
      cells: [...(hangs && index === 0 ? lead : [span(' '.repeat(start))]), ...piece],
      begins,
    })),
  ];
}

function shownText({ text }: FieldText): string {
  return text === '' ? '(empty)' : text;
}

function toneOf({ field, missing }: FieldText, chosen: string | null): Span['tone'] {
  if (field === chosen) return 'accent';
  return missing === true ? 'quiet' : 'plain';
}
