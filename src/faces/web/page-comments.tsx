// Shows the comments on a line and the field for one.
/** @jsxImportSource preact */
import type { AskServer, PageParts } from './page-parts.ts';
import { QuestionForm } from './question-form.tsx';

/** The comments of the page, and the line on which one is being written. */
export interface Commenting extends Pick<PageParts, 'comments'> {
  readonly writing: string | null;
  readonly write: (anchor: string | null) => void;
  readonly ask: AskServer;
}

/** Those on a line; under no anchor, those on the whole, and those whose line is gone. */
export function Comments({
  anchor,
  comments,
  writing,
  write,
  ask,
}: Commenting & { readonly anchor: string }) {
  const own = comments.filter((one) => (one.isHere ? one.anchor : '') === anchor);
  const isOpen = writing === anchor;
  if (own.length === 0 && !isOpen) return null;
  const old = isOpen
    ? own.find(({ sent, isHere }) => sent === null && isHere === (anchor !== ''))
    : undefined;
  const leave = () => {
    write(null);
    document.getElementById(anchor)?.focus();
  };
  return (
    <aside class="comments" aria-label="Comments">
      {own.map((one) =>
        one === old ? null : (
          <div key={one.id} class="comment">
            {one.isHere || one.quote === undefined ? null : <q>{one.quote}</q>}
            <p>{one.text}</p>
            <p class="quiet">{one.state}</p>
          </div>
        ),
      )}
      {isOpen ? (
        <QuestionForm
          form={{ lines: [], fields: [{ ...commentField, proposed: old?.text ?? null }] }}
          draft={`comment ${anchor}`}
          does="Save"
          leave={leave}
          send={async ({ text = '' }) => {
            const quote = document.getElementById(anchor)?.dataset['line'] ?? '';
            const id = old === undefined ? {} : { id: old.id };
            const { status, body } = await ask('/api/comment', { anchor, quote, text, ...id });
            if (status !== 200) return String(body['why']);
            leave();
            return null;
          }}
        />
      ) : null}
    </aside>
  );
}

const commentField = {
  name: 'text',
  asks: 'Your comment',
  lines: [],
  choices: [],
  isOpen: true,
  isMany: false,
  isNeeded: false,
  goesWith: null,
};
