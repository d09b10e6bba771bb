// Shows what is open in front of a page: a text to write, a list to choose from, or a question.
import { type Binding, key } from './key-bindings.ts';
import { clamp, listPage, rowsOfItem } from './list-page.ts';
import { type Row, emptyRow, row, span, wrapText } from './screen-rows.ts';
import type { Tone } from './theme.ts';
import { Rows } from './tools.tsx';
import { textField } from './widgets/text-field/field.ts';
import { type FieldStore, TextFieldView } from './widgets/text-field/field-view.tsx';

interface Paragraph {
  readonly text: string;
  readonly tone: Tone;
}

/** A popup in front of a page: a text to write, a list to choose from, or a question. */
export interface Popup {
  readonly title: string;
  /** Paragraphs under the title. */
  readonly body?: readonly Paragraph[];
  /** The field to write in; the placeholder is shown while it is empty. */
  readonly writes?: { readonly field: FieldStore; readonly placeholder: string };
  /** Entries to choose from. */
  readonly entries?: readonly string[];
  /** Index of the chosen entry. */
  readonly at?: number;
  /** The popup’s own keys, for what is chosen in it now. */
  readonly keys: (popup: Popup) => readonly Binding[];
}

/** A text that is asked for in front of a page. */
interface Writing extends Pick<Popup, 'title' | 'body'> {
  /** What stands in the field at first. */
  readonly text?: string;
  readonly placeholder: string;
  /** The effect of Enter in a few words, and what it does with the text. */
  readonly does: string;
  readonly accept: (text: string) => unknown;
  readonly decides?: boolean;
  readonly more?: readonly Binding[];
}

/** Makes a popup that asks for a text. */
export function writingPopup(
  field: FieldStore,
  { text = '', title, body = [], placeholder, does, accept, decides = false, more = [] }: Writing,
): Popup {
  field.change(() => textField(text));
  const enter = () => accept(field.get().text);
  return {
    title,
    body: body.filter((one) => one.text !== ''),
    writes: { field, placeholder },
    keys: () => [key(['enter'], does, enter, { decides }), ...more],
  };
}

interface Room {
  readonly width: number;
  readonly height: number;
}

/** The popup’s own keys, those that move in its list, and the one that closes it. */
export function popupKeys(
  popup: Popup,
  { change, close }: { readonly change: (next: Popup) => void; readonly close: () => void },
): readonly Binding[] {
  const { keys, entries = [], at = 0, writes } = popup;
  const move = (by: number) => () => change({ ...popup, at: clamp(at + by, entries.length) });
  return [
    ...keys(popup),
    ...(entries.length === 0
      ? []
      : [key(['down', 'j'], 'down', move(1)), key(['up', 'k'], 'up', move(-1))]),
    key(writes === undefined ? ['esc', 'n'] : ['esc'], 'back', close),
  ];
}

/** Draws a popup in place of the page, with the reason why an input was refused below it. */
export function PopupView({
  popup,
  width,
  height,
  refused,
  active,
  top,
}: Room & {
  readonly popup: Popup;
  readonly refused: string | null;
  /** True while typed text goes to the popup. */
  readonly active: boolean;
  /** The row of the screen where the popup begins. */
  readonly top: number;
}) {
  const why = refused === null ? [] : [emptyRow, ...wrapText(refused, { width, tone: 'bad' })];
  const { writes } = popup;
  // Below a text there are an empty row and at least two rows to write in.
  const room = height - why.length - (writes === undefined ? 0 : 3);
  const head = popupRows(popup, { width, height: room });
  if (writes === undefined) return <Rows rows={[...head, ...why]} width={width} />;
  return (
    <>
      <Rows rows={[...head, emptyRow]} width={width} />
      <TextFieldView
        {...writes}
        active={active}
        top={top + head.length + 1}
        width={width}
        height={Math.max(1, height - head.length - 1 - why.length)}
        lines="many"
      />
      <Rows rows={why} width={width} />
    </>
  );
}

function popupRows(
  { title, entries, at = 0, body = [] }: Popup,
  { width, height }: Room,
): readonly Row[] {
  const head = [
    ...wrapText(title, { width, tone: 'strong' }),
    ...body.flatMap(({ text, tone }) => [emptyRow, ...wrapText(text, { width, tone })]),
  ];
  if (entries === undefined) return cutRows(head, height);
  const rows = entries.flatMap((entry, index) => rowsOfItem(index, [row(span(entry))]));
  const room = Math.max(1, height - head.length - 1);
  const page = listPage(rows, { chosen: at, top: null, height: Math.min(room, rows.length) });
  return [...head, emptyRow, ...page.rows];
}

function cutRows(rows: readonly Row[], height: number): readonly Row[] {
  if (rows.length <= height) return rows;
  return [...rows.slice(0, Math.max(1, height - 1)), row(span('…', 'quiet'))];
}
