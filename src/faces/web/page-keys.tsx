// Binds the keys of the page: they move from line to line, and act on the line that has the focus.
/** @jsxImportSource preact */
import { useEffect, useRef } from 'preact/hooks';

/** What the keys can do besides moving. */
export interface KeyActions {
  readonly write: (anchor: string) => void;
  /** Opens the question; with a word, at the choice that begins with it. */
  readonly answer: (choice?: string) => void;
  /** Begins something else, about the line with this anchor. */
  readonly act: (name: string, about: string) => void;
  readonly help: () => void;
}

type Run = (actions: KeyActions, anchor: string) => void;

const keys: readonly (readonly [key: string, does: string, run: Run])[] = [
  ['j', 'the next line', () => move('[data-line]', 1)],
  ['k', 'the line before', () => move('[data-line]', -1)],
  ['n', 'the next section', () => move('summary', 1)],
  ['p', 'the section before', () => move('summary', -1)],
  ['o', 'open or close the section', () => toggle()],
  ['c', 'comment on the line', ({ write }, anchor) => write(anchor)],
  ['a', 'answer the question', ({ answer }) => answer()],
  ['A', 'approve, also over open findings', ({ answer }) => answer('approve')],
  ['e', 'edit the plan as Markdown', ({ act }) => act('edit', '')],
  ['u', 'undo the last edit', ({ act }) => act('undo', '')],
  ['v', 'versions of the plan', ({ act }) => act('versions', '')],
  ['x', 'drop the proof on the line', ({ act }, anchor) => act('drop', anchor)],
  ['t', 'the changes of one task', ({ act }) => act('changes', '')],
  ['d', 'decide now', ({ act }) => act('decide', '')],
  ['?', 'all keys', ({ help }) => help()],
];

/** Listens to the keys, except while something is typed or a dialog is open. */
export function usePageKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key } = event;
      const isTyping =
        target instanceof Element && target.closest('textarea, input, select, dialog') !== null;
      const bound = keys.find(([name]) => name === key);
      if (isTyping || bound === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      bound[2](latest.current, lineInFocus()?.id ?? '');
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** Lists the keys; each can be clicked, too. */
export function KeyHelp({ actions }: { readonly actions: KeyActions }) {
  return (
    <div class="keys">
      {keys.map(([key, does, run]) => (
        <button key={key} type="button" onClick={() => run(actions, '')}>
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

function toggle(): void {
  const details = document.activeElement?.closest('details');
  if (details === null || details === undefined) return;
  details.open = !details.open;
  details.querySelector('summary')?.focus();
}
