// Shows the form of a question: the choice that is proposed has the focus, and the button says what it does.
/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import type { Form, FormField } from '../../model/form.ts';

type Values = Readonly<Record<string, string>>;

export function QuestionForm({
  form: { lines, fields },
  send,
}: {
  readonly form: Form;
  readonly send: (
    values: Readonly<Record<string, string | readonly string[]>>,
  ) => Promise<string | null>;
}) {
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(fields.map(({ name, proposed }) => [name, proposed ?? ''])),
  );
  const [refusal, setRefusal] = useState<string | null>(null);
  const { choice = '' } = values;
  const asked = fields.filter(({ goesWith }) => goesWith?.includes(choice) !== false);
  const chosen = fields
    .flatMap(({ name, choices }) => (name === 'choice' ? choices : []))
    .find(({ value }) => value === choice);
  const give = async (event: Event) => {
    event.preventDefault();
    const given = asked.filter(({ name }) => values[name] !== '');
    setRefusal(
      await send(Object.fromEntries(given.map((field) => [field.name, valueOf(field, values)]))),
    );
  };
  return (
    <form onSubmit={(event) => void give(event)}>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {asked.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          change={(value) => setValues({ ...values, [field.name]: value })}
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
        {chosen?.does ?? 'Send'} <kbd>Enter</kbd>
      </button>
    </form>
  );
}

function valueOf({ name, isMany }: FormField, values: Values): string | readonly string[] {
  const { [name]: value = '' } = values;
  return isMany ? value.split('\n').filter((line) => line.trim() !== '') : value;
}

function Field({
  field: { name, asks, lines, choices, isOpen, isMany },
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
            autofocus={one.value === value}
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
          rows={isMany ? 4 : 2}
          value={value}
          aria-label={isMany ? `${asks}, one a line` : asks}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      ) : null}
    </fieldset>
  );
}
