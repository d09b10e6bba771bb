// Shows the changes of one file with its line numbers; in a browser, a slice is drawn when it comes near.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Block, diffLines, textOf } from '../../model/document.ts';
import { counted } from '../../model/wording.ts';
import { LineView } from './line-view.tsx';
import { Live, Margin } from './page-live.ts';

/** The lines that are drawn together, and the height of each in CSS pixels. */
const sliceLength = 100;
const rowHeight = 20;
/** The most lines of a file in a report. */
const mostRows = 2_000;

type Diff = Pick<Block, 'anchor' | 'line' | 'blocks'>;

/** Shows the file with the count of its added and removed lines. */
export function DiffFile({ diff, path }: { readonly diff: Diff; readonly path: string }) {
  const { added, removed, length } = useMemo(() => countLines(textOf(diff.line)), [diff]);
  return (
    <details class="diff" open={useContext(Live) !== null}>
      <summary id={diff.anchor} data-line={path}>
        <code class="path">{path}</code> <span class="good">+{added}</span>{' '}
        <span class="bad">−{removed}</span>
      </summary>
      <div class="wide" tabIndex={0} role="region" aria-label={`Changes of ${path}`}>
        <WhenNear rows={length}>{() => <Slices diff={diff} />}</WhenNear>
      </div>
    </details>
  );
}

function countLines(text: string) {
  const lines = text.split('\n');
  const starting = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { added: starting('+'), removed: starting('-'), length: lines.length };
}

function Slices({ diff }: { readonly diff: Diff }) {
  const isLive = useContext(Live) !== null;
  const all = useMemo(() => rowsOf(diff), [diff]);
  const notes = Map.groupBy(diff.blocks, (one) => (one.kind === 'note' ? String(one.at) : ''));
  const rows = isLive ? all : all.slice(0, mostRows);
  const starts = Array.from(
    { length: Math.ceil(rows.length / sliceLength) },
    (_, at) => at * sliceLength,
  );
  return (
    <>
      {starts.map((start) => {
        const slice = rows.slice(start, start + sliceLength);
        return (
          <WhenNear key={start} rows={slice.length}>
            {() =>
              slice.map((row) => (
                <RowView key={row.anchor} row={row} notes={notes.get(row.numbers[1])} />
              ))
            }
          </WhenNear>
        );
      })}
      {rows.length < all.length ? (
        <p class="quiet">
          {counted(all.length - rows.length, 'more line')} in execution-result.diff
        </p>
      ) : null}
    </>
  );
}

/** Holds the place of rows until they come near. */
function WhenNear({
  rows,
  children,
}: {
  readonly rows: number;
  readonly children: () => ComponentChildren;
}) {
  const isLive = useContext(Live) !== null;
  const [isNear, setNear] = useState(!isLive);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = place;
    if (isNear || current === null) return undefined;
    const show = () => setNear(true);
    const watch = new IntersectionObserver(
      (seen) => seen.some((one) => one.isIntersecting) && show(),
      {
        rootMargin: '1500px',
      },
    );
    watch.observe(current);
    addEventListener('beforeprint', show);
    return () => {
      watch.disconnect();
      removeEventListener('beforeprint', show);
    };
  }, [isNear]);
  return isNear ? children() : <div ref={place} style={{ height: `${rows * rowHeight}px` }} />;
}

/** A number as it is shown; a diff of what has no lines has none. */
const shown = (number: number) => (Number.isNaN(number) ? '' : String(number));

interface Row {
  readonly anchor: string;
  readonly text: string;
  readonly kind: 'add' | 'remove' | 'same' | 'hunk';
  /** The numbers of the line before and after the change, as they are shown. */
  readonly numbers: readonly [string, string];
}

function rowsOf(diff: Diff): readonly Row[] {
  let [before, after] = [0, 0];
  return diffLines(diff).map(({ anchor, text }): Row => {
    if (text.startsWith('@@')) {
      const [, from, to] = /^@@ -(\d+)\S* \+(\d+)/.exec(text) ?? [];
      [before, after] = [Number(from), Number(to)];
      return { anchor, text, kind: 'hunk', numbers: ['', ''] };
    }
    if (text.startsWith('+')) return { anchor, text, kind: 'add', numbers: ['', shown(after++)] };
    if (text.startsWith('-'))
      return { anchor, text, kind: 'remove', numbers: [shown(before++), ''] };
    return { anchor, text, kind: 'same', numbers: [shown(before++), shown(after++)] };
  });
}

function RowView({
  row: { anchor, text, kind, numbers },
  notes = [],
}: {
  readonly row: Row;
  readonly notes?: readonly Block[] | undefined;
}) {
  const margin = useContext(Margin);
  return (
    <div class={`row ${kind}`} id={anchor} data-line={text} tabIndex={-1}>
      <span class="number">{numbers[0]}</span>
      <span class="number">{numbers[1]}</span>
      <code>{text || ' '}</code>
      {notes.map(({ line }) => (
        <p key={line} class="comment found">
          <LineView line={line} />
        </p>
      ))}
      {margin(anchor)}
    </div>
  );
}
