// Shows a form: what is proposed is chosen, the button says what it does, and what was typed outlives the page.
/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import type { Form, FormField } from '../../model/form.ts';

export function QuestionForm({
  form: { lines, fields },
  draft,
  choice: preset,
  send,
  leave,
}: {
  readonly form: Pick<Form, 'lines' | 'fields'>;
  /** The name under which the tab keeps what was typed until it is taken. */
  readonly draft: string;
  /** The beginning of the choice that is proposed in place of the usual one. */
  readonly choice?: string | undefined;
  /** Resolves to why the values were refused, or null. */
  readonly send: (values: object) => Promise<string | null>;
  readonly leave: () => void;
}) {
  const { choices = [], proposed } = fields.find(({ name }) => name === 'choice') ?? {};
  const first = choices.find(({ value }) => preset !== undefined && value.startsWith(preset));
  const [choice, choose] = useState(first?.value ?? proposed);
  const [refusal, refuse] = useState<string | null>(null);
  const [kept] = useState(() => sessionStorage.getItem(draft));
  const texts = Object(JSON.parse(kept ?? '{}'));
  const chosen = choices.find(({ value }) => value === choice);
  const isAsked = ({ goesWith }: FormField) => goesWith?.includes(choice ?? '') !== false;
  const forget = () => sessionStorage.removeItem(draft);
  const give = async (form: HTMLFormElement) => {
    const given = new FormData(form);
    const values = fields.flatMap(({ name, isMany }) => {
      const text = given.getAll(name).map(String).findLast(isFilled);
      if (text === undefined) return [];
      return [[name, isMany ? text.split('\n').filter(isFilled) : text]];
    });
    const why = await send(Object.fromEntries(values));
    refuse(why);
    if (why === null) forget();
  };
  const keep = ({ currentTarget }: { readonly currentTarget: HTMLFormElement }) => {
    const typed = [...currentTarget.querySelectorAll('textarea')];
    const now = typed.map(({ name, value }) => [name, value]);
    if (typed.length > 0) sessionStorage.setItem(draft, JSON.stringify(Object.fromEntries(now)));
  };
  return (
    <form
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.requestSubmit();
      }}
      onInput={keep}
      onSubmit={(event) => {
        event.preventDefault();
        void give(event.currentTarget);
      }}
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          text={texts[field.name] ?? field.proposed ?? ''}
          value={field.name === 'choice' ? choice : field.proposed}
          isAsked={isAsked(field)}
          choose={field.name === 'choice' ? choose : undefined}
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
        {chosen?.does ?? (fields.length === 0 ? 'Yes' : 'Save')}{' '}
        <kbd>{fields.some((one) => one.isOpen && isAsked(one)) ? 'Ctrl Enter' : 'Enter'}</kbd>
      </button>
      {kept === null ? null : (
        <button
          type="button"
          onClick={() => {
            forget();
            leave();
          }}
        >
          Forget this draft
        </button>
      )}
    </form>
  );
}

const isFilled = (text: string) => text.trim() !== '';

/** A field; one that does not go with the choice keeps what was typed, and is not sent. */
function Field({
  field: { name, asks, lines, choices, isOpen, isMany, proposed },
  text,
  value,
  isAsked,
  choose,
}: {
  readonly field: FormField;
  readonly text: string;
  readonly value: string | null | undefined;
  readonly isAsked: boolean;
  readonly choose: ((value: string) => void) | undefined;
}) {
  return (
    <fieldset hidden={!isAsked} disabled={!isAsked}>
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
            defaultChecked={one.value === value}
            onChange={() => choose?.(one.value)}
          />
          <span>
            <strong>{one.name}</strong>{' '}
            {one.means === one.name ? null : <span class="quiet">{one.means}</span>}
          </span>
        </label>
      ))}
      {isOpen ? (
        <textarea
          name={name}
          class={proposed?.includes('\n') === true ? 'whole' : ''}
          rows={isMany ? 4 : 3}
          defaultValue={text}
          aria-label={isMany ? `${asks}, one a line` : asks}
        />
      ) : null}
    </fieldset>
  );
}
