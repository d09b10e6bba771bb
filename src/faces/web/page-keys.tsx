// Binds the keys of the page: they move from line to line, and act on the line that has the focus.
/** @jsxImportSource preact */
import { useLayoutEffect } from 'preact/hooks';

/** Does what a key is for, about the line with this anchor; empty for none. */
type Run = (name: string, anchor: string) => unknown;

const keys: readonly (readonly [key: string, does: string, run: string | (() => void)])[] = [
  ['j', 'the next line', () => move('[data-line]', 1)],
  ['k', 'the line before', () => move('[data-line]', -1)],
  ['n', 'the next section', () => move('summary', 1)],
  ['p', 'the section before', () => move('summary', -1)],
  ['c', 'comment on the line', 'comment'],
  ['a', 'answer the question', 'answer'],
  ['e', 'edit the plan as Markdown', 'edit'],
  ['u', 'undo the last edit', 'undo'],
  ['v', 'versions of the plan', 'versions'],
  ['x', 'drop the proof on the line', 'drop'],
  ['t', 'the changes of one task', 'changes'],
  ['d', 'decide now', 'decide'],
  ['?', 'all keys', 'help'],
];

/** Does what a key is for; false if it is no key of the page. */
export function press(name: string, run: Run): boolean {
  const does = keys.find(([key]) => key === name)?.[2];
  if (typeof does === 'string') run(does, lineInFocus()?.id ?? '');
  else does?.();
  return does !== undefined;
}

/** Listens to the keys, except while something is typed or a dialog is open. */
export function usePageKeys(run: Run): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || document.querySelector('dialog') !== null) return;
      if (press(key, run)) event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}

/** Lists the keys; each can be clicked, too. */
export function KeyHelp({ run }: { readonly run: Run }) {
  return (
    <div class="keys">
      {keys.map(([key, does]) => (
        <button key={key} type="button" onClick={() => press(key, run)}>
          <kbd>{key}</kbd> {does}
        </button>
      ))}
    </div>
  );
}

function lineInFocus(): Element | null {
  return document.activeElement?.closest('[data-line]') ?? null;
}

/** Moves the focus by one of the elements that can be seen; without a focus, to the first one in the window. */
function move(selector: string, by: 1 | -1): void {
  const shown = [...document.querySelectorAll<HTMLElement>(`main :is(${selector})`)].filter((one) =>
    one.checkVisibility(),
  );
  const at = shown.findIndex((one) => one === lineInFocus());
  const inWindow = shown.findIndex((one) => one.getBoundingClientRect().bottom > 0);
  const next = shown[at === -1 ? inWindow : at + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}
