// Shows a form: what is proposed has the focus, the button says what it does, and what was typed outlives the page.
/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Form, FormField } from '../../model/form.ts';

type Values = Readonly<Record<string, string>>;

export function QuestionForm({
  form: { lines, fields },
  draft,
  does = 'Send',
  choice: preset,
  leave,
  send,
}: {
  readonly form: Pick<Form, 'lines' | 'fields'>;
  /** The name under which the tab keeps what was typed until it is taken. */
  readonly draft: string;
  readonly does?: string;
  /** The choice that is proposed in place of the usual one. */
  readonly choice?: string | undefined;
  /** Called by Escape; in a dialog, that closes it. */
  readonly leave?: () => void;
  /** Resolves to why the values were refused, or null. */
  readonly send: (
    values: Readonly<Record<string, string | readonly string[]>>,
  ) => Promise<string | null>;
}) {
  const proposed = Object.fromEntries(fields.map(({ name, proposed: text }) => [name, text ?? '']));
  const kept = sessionStorage.getItem(draft);
  const [values, setValues] = useState<Values>({
    ...proposed,
    ...JSON.parse(kept ?? '{}'),
    ...(preset === undefined ? {} : { choice: preset }),
  });
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(
    () => form.current?.querySelector<HTMLElement>('input:checked, textarea, button')?.focus(),
    [],
  );
  const { choice = '' } = values;
  const open = fields.filter(({ goesWith }) => goesWith?.includes(choice) !== false);
  const chosen = fields
    .flatMap(({ name, choices }) => (name === 'choice' ? choices : []))
    .find(({ value }) => value === choice);
  const change = (name: string, value: string, isTyped: boolean) => {
    const next = { ...values, [name]: value };
    if (isTyped) sessionStorage.setItem(draft, JSON.stringify(next));
    setValues(next);
  };
  const give = async () => {
    const given = open.filter(({ name }) => values[name] !== '');
    const why = await send(
      Object.fromEntries(given.map((field) => [field.name, valueOf(field, values)])),
    );
    setRefusal(why);
    if (why === null) sessionStorage.removeItem(draft);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave?.();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void give();
  };
  return (
    <form
      ref={form}
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault();
        void give();
      }}
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {open.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          change={(value) => change(field.name, value, field.isOpen)}
        />
      ))}
      {chosen?.lines.map((line) => (
        <p key={line} class="quiet">
          {line}
        </p>
      ))}
      {refusal === null ? null : (
        <p role="alert" class="bad">
          {refusal}
        </p>
      )}
      <button type="submit" class="main">
        {chosen?.does ?? does} <kbd>{open.some(hasText) ? 'Ctrl Enter' : 'Enter'}</kbd>
      </button>
      {kept === null ? null : (
        <button
          type="button"
          onClick={() => {
            sessionStorage.removeItem(draft);
            setValues(proposed);
          }}
        >
          Begin again
        </button>
      )}
    </form>
  );
}

const hasText = ({ isOpen }: FormField) => isOpen;

function valueOf({ name, isMany }: FormField, values: Values): string | readonly string[] {
  const { [name]: value = '' } = values;
  return isMany ? value.split('\n').filter((line) => line.trim() !== '') : value;
}

function Field({
  field: { name, asks, lines, choices, isOpen, isMany, proposed },
  value,
  change,
}: {
  readonly field: FormField;
  readonly value: string;
  readonly change: (value: string) => void;
}) {
  return (
    <fieldset>
      <legend>{asks}</legend>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {choices.map((one) => (
        <label key={one.value}>
          <input
            type="radio"
            name={name}
            value={one.value}
            checked={one.value === value}
            onChange={() => change(one.value)}
          />
          <span>
            <strong>{one.name}</strong>{' '}
            {one.means === one.name ? null : <span class="quiet">{one.means}</span>}
          </span>
        </label>
      ))}
      {isOpen ? (
        <textarea
          class={proposed?.includes('\n') === true ? 'whole' : ''}
          rows={isMany ? 4 : 3}
          value={value}
          aria-label={isMany ? `${asks}, one a line` : asks}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      ) : null}
    </fieldset>
  );
}
