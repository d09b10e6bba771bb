// Shows a form: what is proposed is filled in, and the button says what it does.
/** @jsxImportSource preact */
import { type Form, namedChoices } from '../../model/form.ts';
import { LineView } from './line-view.tsx';

/** Marks an element that goes with some values of `choice` only; the page hides it with all others. */
const goesWith = (values: readonly string[] | null) => ({ 'data-with': values?.join('\n') });

export function QuestionForm({ form: { kind, lines: opening, fields } }: { readonly form: Form }) {
  const first = fields[0];
  const choices = first?.name === 'choice' ? namedChoices(first) : [];
  return (
    <form>
      <Lines lines={opening} />
      {fields.map((field, at) => {
        const { name, asks, lines, isOpen, isMany, isNeeded, proposed } = field;
        const offers = namedChoices(field);
        // Lines that stand above the question before are not said again.
        const isSaid = lines.join('\n') === fields[at - 1]?.lines.join('\n');
        return (
          <fieldset {...goesWith(field.goesWith)}>
            <legend>
              <LineView line={asks} />
            </legend>
            <Lines lines={isSaid ? [] : lines} />
            {offers.map(({ value, name: title, means }) => (
              <label>
                <input
                  type={offers.length === 1 && !isNeeded ? 'checkbox' : 'radio'}
                  name={name}
                  value={value}
                  checked={value === proposed}
                />
                <span>
                  <strong>{title}</strong> <span class="quiet">{textAfter(title, means)}</span>
                </span>
              </label>
            ))}
            {isOpen ? (
              <textarea
                name={name}
                class={proposed?.includes('\n') === true ? 'whole' : ''}
                rows={isMany ? 4 : 3}
                placeholder=" "
                data-many={isMany || undefined}
                aria-label={isMany ? `${asks}, one a line` : asks}
              >
                {/* A line feed at the start is no part of the text. */}
                {`\n${offers.length > 0 ? '' : (proposed ?? '')}`}
              </textarea>
            ) : null}
          </fieldset>
        );
      })}
      {choices.map(({ value, lines }) => (
        <div class="quiet" {...goesWith([value])}>
          <Lines lines={lines} />
        </div>
      ))}
      <p role="alert" class="bad" id="dialog-refusal" />
      <button type="submit" class="main">
        {choices.map(({ value, does }) => (
          <span {...goesWith([value])}>{does}</span>
        ))}
        {choices.length > 0
          ? null
          : fields.length === 0
            ? 'Yes'
            : kind === 'clarify'
              ? 'Send'
              : 'Save'}{' '}
        <kbd>
          <span class="ctrl">Ctrl </span>Enter
        </kbd>
      </button>
    </form>
  );
}

/** Returns the meaning of a choice without its name, which stands before it. */
const textAfter = (name: string, means: string) =>
  means.toLowerCase().startsWith(name.toLowerCase())
    ? means.slice(name.length).replace(/^, /, '')
    : means;

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return lines.map((line) => (
    <p>
      <LineView line={line} />
    </p>
  ));
}
