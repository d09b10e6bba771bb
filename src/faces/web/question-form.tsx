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
  // A field that does not go with the choice keeps what was typed, and is not sent.
  const fieldOf = (field: FormField) => (
    <fieldset key={field.name} hidden={!isAsked(field)} disabled={!isAsked(field)}>
      <legend>{field.asks}</legend>
      {field.lines.map(lineOf)}
      {field.choices.map(({ value, name, means }) => (
        <label key={value}>
          <input
            type="radio"
            name={field.name}
            value={value}
            defaultChecked={value === (field.name === 'choice' ? choice : field.proposed)}
            onChange={() => field.name === 'choice' && choose(value)}
          />
          <span>
            <strong>{name}</strong> {means === name ? null : <span class="quiet">{means}</span>}
          </span>
        </label>
      ))}
      {field.isOpen ? (
        <textarea
          name={field.name}
          class={field.proposed?.includes('\n') === true ? 'whole' : ''}
          rows={field.isMany ? 4 : 3}
          defaultValue={texts[field.name] ?? field.proposed ?? ''}
          aria-label={field.isMany ? `${field.asks}, one a line` : field.asks}
        />
      ) : null}
    </fieldset>
  );
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
      {lines.map(lineOf)}
      {fields.map(fieldOf)}
      <div class="quiet">{chosen?.lines.map(lineOf)}</div>
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

const lineOf = (line: string) => <p key={line}>{line}</p>;

const isFilled = (text: string) => text.trim() !== '';
