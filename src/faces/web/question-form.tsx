// Shows a form: what is proposed is filled in, and the button says what it does.
/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import type { Form } from '../../model/form.ts';
import { LineView } from './line-view.tsx';

/** The text that was typed into closed forms, for when the same form is opened again. */
const drafts = new Map<string, Readonly<Record<string, string>>>();

export function QuestionForm({
  form,
  send,
}: {
  readonly form: Form;
  /** Resolves to why the values were refused; undefined if they were taken. */
  readonly send: (values: object) => Promise<string | undefined>;
}) {
  const draft = JSON.stringify(form);
  const [values, fill] = useState(
    () =>
      drafts.get(draft) ??
      Object.fromEntries(form.fields.map(({ name, proposed }) => [name, proposed ?? ''])),
  );
  const [refusal, refuse] = useState<string>();
  const choice = values['choice'] ?? '';
  // A field that does not go with the choice keeps what was typed, and is not sent.
  const fields = form.fields.filter(({ goesWith }) => goesWith?.includes(choice) !== false);
  const chosen = form.fields[0]?.choices.find(({ value }) => value === choice);
  const onInput = ({
    currentTarget: input,
  }: {
    readonly currentTarget: HTMLInputElement | HTMLTextAreaElement;
  }) => {
    const { name, value } = input;
    // A choice that stands alone can be taken back.
    const isOff = input.type === 'checkbox' && value === values[name];
    const now = { ...values, [name]: isOff ? '' : value };
    drafts.set(draft, now);
    fill(now);
  };
  const give = async () => {
    const given = fields.map(({ name, isMany }) => {
      const value = values[name] ?? '';
      return [name, isMany ? value.split('\n') : value];
    });
    const why = await send(Object.fromEntries(given));
    refuse(why);
    if (why === undefined) drafts.delete(draft);
  };
  return (
    <form
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.requestSubmit();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void give();
      }}
    >
      {form.lines.map(lineOf)}
      {fields.map(({ name, asks, lines, choices, isOpen, isMany, isNeeded, proposed }, at) => (
        <fieldset key={name}>
          <legend>
            <LineView line={asks} />
          </legend>
          {sameLines(lines, fields[at - 1]?.lines) ? null : lines.map(lineOf)}
          {choices.map(({ value, name: title, means }) => (
            <label key={value}>
              <input
                type={choices.length === 1 && !isNeeded ? 'checkbox' : 'radio'}
                name={name}
                value={value}
                checked={value === values[name]}
                onInput={onInput}
              />
              <span>
                <strong>{title}</strong> <span class="quiet">{textAfter(title, means)}</span>
              </span>
            </label>
          ))}
          {isOpen ? (
            <textarea
              ref={toStart}
              name={name}
              class={proposed?.includes('\n') === true ? 'whole' : ''}
              rows={isMany ? 4 : 3}
              value={values[name]}
              aria-label={isMany ? `${asks}, one a line` : asks}
              onInput={onInput}
            />
          ) : null}
        </fieldset>
      ))}
      <div class="quiet">{chosen?.lines.map(lineOf)}</div>
      {refusal === undefined ? null : (
        <p role="alert" class="bad">
          {refusal}
        </p>
      )}
      <button type="submit" class="main">
        {chosen?.does ?? (fields.length === 0 ? 'Yes' : form.kind === 'clarify' ? 'Send' : 'Save')}{' '}
        <kbd>{fields.some(({ isOpen }) => isOpen) ? 'Ctrl Enter' : 'Enter'}</kbd>
      </button>
    </form>
  );
}

/** Returns the meaning of a choice without its name, which stands before it. */
const textAfter = (name: string, means: string) =>
  means.toLowerCase().startsWith(name.toLowerCase())
    ? means.slice(name.length).replace(/^, /, '')
    : means;

/** True for what stands above the question before, too. */
const sameLines = (lines: readonly string[], before: readonly string[] = []) =>
  lines.join('\n') === before.join('\n');

/** Puts the cursor before the text, so that a long one is read from its start. */
const toStart = (field: HTMLTextAreaElement | null) => field?.setSelectionRange(0, 0);

const lineOf = (line: string) => (
  <p key={line}>
    <LineView line={line} />
  </p>
);
