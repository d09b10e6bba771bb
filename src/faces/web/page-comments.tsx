// Shows the comments on a line and the field for a new one.
/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import type { PageComment, Send } from './page-parts.ts';

/** The comments of the page, and the line on which one is being written. */
export interface Commenting {
  readonly comments: readonly PageComment[];
  readonly writing: string | null;
  readonly write: (anchor: string | null) => void;
  readonly send: Send;
}

export function Comments({
  anchor,
  comments,
  writing,
  write,
  send,
}: Commenting & { readonly anchor: string }) {
  const own = comments.filter((one) => one.anchor === anchor);
  if (own.length === 0 && writing !== anchor) return null;
  return (
    <aside class="comments" aria-label="Comments">
      {own.map(({ id, text, state }) => (
        <div key={id} class="comment">
          <p>{text}</p>
          <p class="quiet">{state}</p>
        </div>
      ))}
      {writing === anchor ? (
        <CommentField anchor={anchor} send={send} close={() => write(null)} />
      ) : null}
    </aside>
  );
}

function CommentField({
  anchor,
  send,
  close,
}: Pick<Commenting, 'send'> & { readonly anchor: string; readonly close: () => void }) {
  const draft = `draft ${anchor}`;
  const [text, setText] = useState(sessionStorage.getItem(draft) ?? '');
  const [refusal, setRefusal] = useState<string | null>(null);
  const leave = () => {
    close();
    document.getElementById(anchor)?.focus();
  };
  const add = async () => {
    const quote = document.getElementById(anchor)?.dataset['line'] ?? '';
    const why =
      text.trim() === ''
        ? 'Write something first.'
        : await send('/api/comment', { anchor, quote, text });
    setRefusal(why);
    if (why !== null) return;
    sessionStorage.removeItem(draft);
    leave();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void add();
  };
  const type = (value: string) => {
    sessionStorage.setItem(draft, value);
    setText(value);
  };
  return (
    <div class="comment">
      <label>
        Your comment on this line
        <textarea
          rows={3}
          value={text}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={press}
          ref={focusOnce}
        />
      </label>
      {refusal === null ? null : (
        <p role="alert" class="bad">
          {refusal}
        </p>
      )}
      <button type="button" class="main" onClick={() => void add()}>
        Add <kbd>Ctrl Enter</kbd>
      </button>
      <button type="button" class="quiet" onClick={leave}>
        Later <kbd>Esc</kbd>
      </button>
    </div>
  );
}

function focusOnce(field: HTMLTextAreaElement | null): void {
  field?.focus();
}
