// Shows a line of a document, the comments on it, and prose, as HTML.
/** @jsxImportSource preact */
import { useContext, useState } from 'preact/hooks';
import { type GraphNode, type Line, textOf } from '../../model/document.ts';
import { CommentList, Live } from './page-parts.ts';

/** Shows a line with its code, badges, places and links. */
export function LineView({ line }: { readonly line: Line }) {
  return typeof line === 'string' ? (
    <Coded text={line} />
  ) : (
    line.map((piece, at) => <PieceView key={at} piece={piece} />)
  );
}

function PieceView({ piece }: { readonly piece: Exclude<Line, string>[number] }) {
  if (typeof piece === 'string') return <Coded text={piece} />;
  if ('badge' in piece) return <BadgeView badge={piece} />;
  if ('code' in piece) return <code>{piece.code}</code>;
  if ('path' in piece) return <PlaceView place={textOf([piece])} hasLine={piece.line !== null} />;
  if ('to' in piece) return <a href={`#${piece.to}`}>{piece.text}</a>;
  return (
    <span class={piece.tone}>
      <Coded text={piece.text} />
    </span>
  );
}

/** A place in the code; in a browser, it opens the code around it where it is cited. */
function PlaceView({ place, hasLine }: { readonly place: string; readonly hasLine: boolean }) {
  const ask = useContext(Live);
  const [around, setAround] = useState<string | null>(null);
  if (ask === null || !hasLine) return <code class="path">{place}</code>;
  const toggle = async () => {
    if (around !== null) return setAround(null);
    const { body } = await ask('/api/act', { name: 'code', about: place });
    const [code] = Array.isArray(body['blocks']) ? body['blocks'] : [];
    setAround(code === undefined ? String(body['why']) : textOf(code.line));
  };
  return (
    <>
      <button
        type="button"
        class="path"
        aria-expanded={around !== null}
        onClick={() => void toggle()}
      >
        {place}
      </button>
      {around === null ? null : <code class="around">{around}</code>}
    </>
  );
}

export function BadgeView({
  badge: { badge, mark, tone },
}: {
  readonly badge: NonNullable<GraphNode['status']>;
}) {
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{mark}</span> {badge}
    </span>
  );
}

/** A text in which what stands between backticks is code. */
function Coded({ text }: { readonly text: string }) {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}

/** A text of several paragraphs and lists, as it was written, and code in fences. */
export function Prose({ text }: { readonly text: string }) {
  return text.split(/^```.*\n([\s\S]*?)^```$/m).map((part, at) =>
    at % 2 === 1 ? (
      <pre key={at} class="wide" tabIndex={0}>
        {part}
      </pre>
    ) : (
      <p key={at}>
        <Coded text={part.trim()} />
      </p>
    ),
  );
}

/** The comments on a line; under no anchor, those on the whole, and those whose line is gone. */
export function Comments({ anchor }: { readonly anchor: string }) {
  const own = useContext(CommentList).filter((one) => (one.isHere ? one.anchor : '') === anchor);
  return own.length === 0 ? null : (
    <aside class="comments" aria-label="Comments">
      {own.map(({ id, isHere, quote, text, state }) => (
        <div key={id} class="comment">
          {isHere ? null : <q>{quote}</q>}
          <p>{text}</p>
          <p class="quiet">{state}</p>
        </div>
      ))}
    </aside>
  );
}
