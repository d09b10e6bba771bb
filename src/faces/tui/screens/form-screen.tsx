// Shows a form: its choices, the fields that go with them, and the text that it is about.
import {
  type FormField,
  type FormQuestion,
  type FormValues,
  namedChoices,
  readForm,
} from '../../../model/form.ts';
import { ChoicePage, type Offer, startingChoice } from '../choice-page.tsx';
import { useBodySize } from '../frame.tsx';
import { type Binding, key } from '../key-bindings.ts';
import type { KeyName } from '../keyboard.ts';
import { emptyRow, factRows, row, span, type Row, wrapText } from '../screen-rows.ts';
import { createStore, useStore } from '../store.ts';

/** Makes the stores of a form: the chosen answer, and what was filled in. */
export function openForm() {
  return { choice: createStore(startingChoice), values: createStore<FormValues>({}) };
}

/** Puts a form with a few choices; the one that leaves everything unchanged is the last. */
export function FormScreen<Answer>({
  asked,
  question,
  answer,
  stores,
  copies,
}: {
  readonly asked: FormQuestion<Answer>;
  readonly question: object;
  readonly answer: (given: Answer) => void;
  readonly stores: ReturnType<typeof openForm>;
  /** The text that `y` copies. */
  readonly copies: string;
}) {
  const { width } = useBodySize();
  const values = useStore(stores.values, (now) => now);
  const { form } = asked.after?.(values) ?? asked;
  const fields = form.fields.filter(({ name, isOpen }) => name !== 'choice' && !isOpen);
  const offers = offersOf(asked, values, answer, width);
  const change = (next: FormValues) => stores.values.change(() => next);
  const others = orderedChoices(asked).slice(0, -1);
  return (
    <ChoicePage
      {...{ question, store: stores.choice, copies, ...offers }}
      head={[
        ...wrapText(form.asks, { width, tone: 'strong' }),
        ...fields.flatMap((field) => fieldRows(field, values)),
      ]}
      keys={fields.map((field) => fieldKey(field, values, change))}
      body={[
        ...textRows(form.lines, width),
        ...others.flatMap(({ means, lines }) =>
          textRows(lines.length === 0 ? [] : [means, ...lines], width),
        ),
      ]}
    />
  );
}

/** The choices as offers, the index of the proposed one, and what to read while the last one is chosen. */
export function offersOf<Answer>(
  asked: FormQuestion<Answer>,
  values: FormValues,
  answer: (given: Answer) => void,
  width: number,
): { choices: readonly Offer[]; usual: number; notes: readonly Row[] } {
  const choices = orderedChoices(asked);
  const { proposed } = asked.form.fields[0] ?? {};
  return {
    choices: choices.map(({ value: choice, name, means, does }) => ({
      name,
      means,
      does,
      run() {
        const isLast = choice === choices.at(-1)?.value;
        const reading = readForm(asked, isLast ? { choice } : { ...values, choice });
        if ('answer' in reading) answer(reading.answer);
      },
    })),
    usual: choices.findIndex(({ value }) => value === proposed),
    notes: [emptyRow, ...textRows(choices.at(-1)?.lines ?? [], width)],
  };
}

/** The choices that need no more than a key, the one that leaves everything unchanged last. */
function orderedChoices<Answer>({ form: { fields, skip } }: FormQuestion<Answer>) {
  const needing = fields.flatMap(({ isNeeded, goesWith }) => (isNeeded ? (goesWith ?? []) : []));
  const choices = (fields[0]?.choices ?? []).filter(({ value }) => !needing.includes(value));
  return choices.toSorted(
    (a, b) => Number(a.value === skip?.['choice']) - Number(b.value === skip?.['choice']),
  );
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

function fieldRows(
  { name, choices, proposed, lines }: FormField,
  values: FormValues,
): readonly Row[] {
  const [letter = name.charAt(0), label = name] = ways[name] ?? [];
  const now = values[name] ?? proposed;
  const chosen = choices.find(({ value }) => value === now);
  const unknown = `${String(now)} is not ready, so ${choices[0]?.means ?? ''}`;
  const lead = row(span(`  ${letter} `, 'key'), span(label.padEnd(11), 'quiet'));
  const about = lines.length === 0 ? '' : ` · ${[...lines].join(' ')}`;
  return [row(...lead, span(chosen?.means ?? unknown), span(about, 'quiet'))];
}

/** Rows of lines; one that begins with a name and two blanks is a fact. */
export function textRows(lines: readonly string[], width: number): readonly Row[] {
  return lines.flatMap((line) => {
    const [, name, value] = /^(\S+(?: \S+)*)?\s{2,}(\S.*)$/.exec(line) ?? [];
    return value === undefined ? wrapText(line, { width }) : factRows(name ?? '', value, width);
  });
}
