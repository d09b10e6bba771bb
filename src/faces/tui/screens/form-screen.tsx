// Shows a form: its choices, the fields that go with them, and the scrolled text that it is about.
import { facts, prose } from '../../../model/document.ts';
import {
  type FormChoice,
  type FormField,
  type FormQuestion,
  type FormValues,
  namedChoices,
  readForm,
} from '../../../model/form.ts';
import { plainRows } from '../document-rows.ts';
import { Frame, useBodySize } from '../frame.tsx';
import {
  type Binding,
  decisiveKey,
  key,
  minorKey,
  scrollKeys,
  useQuestionKeys,
} from '../key-bindings.ts';
import type { KeyName } from '../keyboard.ts';
import { choiceRow, clamp, listPage, rowsOfItem } from '../list-page.ts';
import { emptyRow, row, span, type Row, wrapText } from '../screen-rows.ts';
import { createStore, type Store, useStore } from '../store.ts';
import { useTools } from '../tools.tsx';

/** The chosen answer and the first visible row of the text, null until a key moved it; what was filled in. */
interface FormState {
  readonly chosen: number | null;
  readonly top: number | null;
  readonly values: FormValues;
}

export function openForm() {
  return createStore<FormState>({ chosen: null, top: null, values: {} });
}

/** Puts a form with a few choices; the one that leaves everything unchanged is the last. */
export function FormScreen<Answer>({
  asked: first,
  question,
  answer,
  store,
  copies,
  keys = [],
}: {
  readonly asked: FormQuestion<Answer>;
  readonly question: object;
  readonly answer: (given: Answer) => void;
  readonly store: Store<FormState>;
  /** The text that `y` copies. */
  readonly copies: string;
  readonly keys?: readonly Binding[];
}) {
  const { lookAtRun } = useTools();
  const { width, height } = useBodySize();
  const { chosen, top, values } = useStore(store, (now) => now);
  const change = (part: Partial<FormState>) => store.change((now) => ({ ...now, ...part }));
  const asked = first.after?.(values) ?? first;
  const { document, form } = asked;
  const fields = form.fields.filter(
    ({ name, isOpen, proposed }) => name !== 'choice' && !isOpen && proposed !== null,
  );
  const offers = offersIn(asked, values, answer);
  const at = chosen ?? offers.findIndex(({ value }) => value === form.fields[0]?.proposed);
  const last = offers.at(-1);
  const asks = document === undefined ? form.asks : `${document.title}. ${form.asks}`;
  const head = [
    ...wrapText(asks, { width, tone: 'strong' }),
    ...fields.map((field) => fieldRow(field, values)),
    emptyRow,
  ];
  const above = [
    ...head,
    ...choiceRows(offers, at),
    ...(offers[at] === last ? [emptyRow, ...textRows(last?.lines ?? [], width)] : []),
    emptyRow,
  ];
  const body =
    document === undefined
      ? textRows([...form.lines, ...offers.slice(0, -1).flatMap(linesOf)], width)
      : plainRows(document.blocks, { width, folds: 'out' });
  // On a small screen the text above scrolls with the choices, and begins near the chosen one.
  const isFixed = above.length + 2 < height;
  const page = listPage(rowsOfItem(null, isFixed ? body : [...above, ...body]), {
    top: isFixed ? top : (top ?? Math.max(0, head.length + at + 2 - height)),
    height: isFixed ? height - above.length : height,
  });
  const choose = (index: number) => () =>
    change({ chosen: clamp(index, offers.length), top: isFixed ? top : null });
  const give = (names: readonly KeyName[], offer = last) =>
    offer === undefined ? [] : [key(names, offer.does, offer.run, decisiveKey)];
  const bindings = useQuestionKeys(question, [
    ...give(['enter'], offers[at]),
    ...keys,
    ...fields.map((field) => fieldKey(field, values, (next) => change({ values: next }))),
    ...(offers.length > 1
      ? [
          key(['down', 'j', 'tab'], 'down', choose(at + 1)),
          key(['up', 'k'], 'up', choose(at - 1), minorKey),
        ]
      : []),
    ...offers.map(({ name }, index) =>
      key([String(index + 1)], name.toLowerCase(), choose(index), minorKey),
    ),
    ...give(['esc', 'q']),
    key(['v'], 'the run', lookAtRun),
    ...scrollKeys(page, (to) => change({ top: to })),
  ]);
  return <Frame {...{ bindings, copies }} rows={[...(isFixed ? above : []), ...page.rows]} />;
}

/**
 * The choices that need no more than a key, each with what it does; the one that leaves everything unchanged is the
 * last.
 */
export function offersIn<Answer>(
  asked: FormQuestion<Answer>,
  values: FormValues,
  answer: (given: Answer) => void,
): readonly (FormChoice & { readonly run: () => void })[] {
  const { fields, skip } = asked.form;
  const needing = fields.flatMap(({ isNeeded, goesWith }) => (isNeeded ? (goesWith ?? []) : []));
  const isLast = ({ value }: FormChoice) => value === skip?.['choice'];
  return (fields[0]?.choices ?? [])
    .filter(({ value }) => !needing.includes(value))
    .toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))
    .map((one) => ({
      ...one,
      run() {
        const choice = one.value;
        const reading = readForm(asked, isLast(one) ? { choice } : { ...values, choice });
        if ('answer' in reading) answer(reading.answer);
      },
    }));
}

function choiceRows(choices: readonly FormChoice[], at: number): readonly Row[] {
  const widest = Math.max(7, ...choices.map(({ name }) => name.length));
  return choices.map(({ name, means }, index) => {
    const shown = span(name.padEnd(widest + 1));
    return choiceRow(row(span(`${index + 1} `, 'key'), shown, span(means, 'quiet')), index === at);
  });
}

function linesOf({ means, lines }: FormChoice): readonly string[] {
  return lines.length === 0 ? [] : [means, ...lines];
}

/** The key, the label and the words for the help of each field. */
const ways: Readonly<Record<string, readonly [name: KeyName, label: string, does: string]>> = {
  execution: ['t', 'tasks by', 'who does it'],
  review: ['r', 'review by', 'who reviews'],
  set_up: ['s', 'set-up', 'set-up'],
  conventional_commits: ['m', 'commits', 'commit messages'],
};

/** Makes the key that takes the next value of a field. */
export function fieldKey(
  field: FormField,
  values: FormValues,
  change: (next: FormValues) => void,
): Binding {
  const { name, proposed } = field;
  const choices = namedChoices(field);
  const [letter = name.charAt(0), , does = name] = ways[name] ?? [];
  const at = choices.findIndex(({ value }) => value === (values[name] ?? proposed));
  const next = choices[(at + 1) % choices.length]?.value ?? '';
  return key([letter], does, () => change({ ...values, [name]: next }));
}

function fieldRow({ name, choices, proposed, lines }: FormField, values: FormValues): Row {
  const [letter = name.charAt(0), label = name] = ways[name] ?? [];
  const now = values[name] ?? proposed;
  const chosen = choices.find(({ value }) => value === now);
  const unknown = `${String(now)} is not ready, so ${choices[0]?.means ?? ''}`;
  const about = lines.length === 0 ? '' : ` · ${lines.join(' ')}`;
  return row(
    span(`  ${letter} `, 'key'),
    span(label.padEnd(11), 'quiet'),
    span(chosen?.means ?? unknown),
    span(about, 'quiet'),
  );
}

/** Rows of lines; one that begins with a short name and a colon or two blanks is a fact. */
export function textRows(lines: readonly string[], width: number): readonly Row[] {
  const blocks = lines.map((line) => {
    const [, name = '', value] = /^([\w-]+(?: [\w-]+)?)?(?:\s{2,}|: )(\S.*)$/.exec(line) ?? [];
    return value === undefined ? prose(line) : facts([[name, value]]);
  });
  return plainRows(blocks, { width });
}
