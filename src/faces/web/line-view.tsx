// Shows a line of a document, and the comments on it, as HTML.
/** @jsxImportSource preact */
import { useContext, useState } from 'preact/hooks';
import { type GraphNode, type Line, type Piece, textOf } from '../../model/document.ts';
import { readWords } from '../../model/prose.ts';
import { CommentList, Live } from './page-parts.ts';

/** Shows a line with its code, strong words, badges, places and links. */
export function LineView({ line }: { readonly line: Line }) {
  const pieces = (typeof line === 'string' ? [line] : line).flatMap((piece) =>
    typeof piece === 'string' ? readWords(piece) : piece,
  );
  return pieces.map((piece, at) => <PieceView key={at} piece={piece} />);
}

function PieceView({ piece }: { readonly piece: Piece }) {
  if (typeof piece === 'string') return piece;
  if ('badge' in piece) return <BadgeView badge={piece} />;
  if ('code' in piece) return <code>{piece.code}</code>;
  if ('path' in piece) return <PlaceView place={textOf([piece])} hasLine={piece.line !== null} />;
  if ('to' in piece) return <a href={`#${piece.to}`}>{piece.text}</a>;
  return (
    <span class={piece.tone}>
      <LineView line={piece.text} />
    </span>
  );
}

/** Makes an element a line that can be chosen and commented on; without an anchor it is none. */
export function lineMark(anchor: string, text: string) {
  return anchor === '' ? {} : { id: anchor, 'data-line': text, tabIndex: -1 };
}

/** A place in the code; in a browser, it opens the code around it where it is cited. */
function PlaceView({ place, hasLine }: { readonly place: string; readonly hasLine: boolean }) {
  const ask = useContext(Live);
  const [around, setAround] = useState<string | null>(null);
  if (ask === null || !hasLine) return <code class="path">{place}</code>;
  const toggle = async () => {
    if (around !== null) return setAround(null);
    const { why, blocks } = Object(await ask({ name: 'code', about: place }));
    setAround(why ?? textOf(blocks[0].line));
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

/** The comments on a line; those on the whole, and those whose line is gone, for null. */
export function Comments({ anchor }: { readonly anchor: string | null }) {
  const own = useContext(CommentList).filter((one) => (one.isHere ? one.anchor : null) === anchor);
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
