// Shows a line of a document as HTML.
/** @jsxImportSource preact */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type GraphNode, type Line, type Piece, textOf } from '../../model/document.ts';
import { readWords } from '../../model/prose.ts';

/** True for a page that a server follows; a report is still. */
export const Live = createContext(false);

/** Shows a line with its code, strong words, badges, places and links. */
export function LineView({ line }: { readonly line: Line }) {
  const pieces = (typeof line === 'string' ? [line] : line).flatMap((piece) =>
    typeof piece === 'string' ? readWords(piece) : piece,
  );
  return pieces.map((piece) => <PieceView piece={piece} />);
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
export function lineMark(anchor: string) {
  return anchor === '' ? {} : { id: anchor, 'data-line': true, tabIndex: -1 };
}

/** A place in the code; in a browser, it opens the code around it where it is cited. */
function PlaceView({ place, hasLine }: { readonly place: string; readonly hasLine: boolean }) {
  return useContext(Live) && hasLine ? (
    <button type="button" class="path" data-act="code" data-about={place}>
      {place}
    </button>
  ) : (
    <code class="path">{place}</code>
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
