// Shows the changes of one file with its line numbers; in a browser, a slice is drawn when it comes near.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Block, diffLines, textOf } from '../../model/document.ts';
import { counted } from '../../model/wording.ts';
import { Comments, LineView } from './line-view.tsx';
import { Live } from './page-parts.ts';

/** The lines that are drawn together, and the height of each in CSS pixels. */
const sliceLength = 100;
const rowHeight = 20;
/** The most lines of a file in a report. */
const mostRows = 2_000;

type Diff = Pick<Block, 'anchor' | 'line' | 'blocks'>;

/** Shows the file with the count of its added and removed lines. */
export function DiffFile({ diff, path }: { readonly diff: Diff; readonly path: string }) {
  const text = textOf(diff.line);
  const count = (sign: RegExp) => text.match(sign)?.length ?? 0;
  return (
    <details class="diff" open={useContext(Live) !== null}>
      <summary id={diff.anchor} data-line={path}>
        <code class="path">{path}</code> <span class="good">+{count(/^\+/gm)}</span>{' '}
        <span class="bad">−{count(/^-/gm)}</span>
      </summary>
      <div class="wide" tabIndex={0} role="region" aria-label={`Changes of ${path}`}>
        <WhenNear rows={count(/^/gm)}>{() => <Slices diff={diff} />}</WhenNear>
      </div>
    </details>
  );
}

function Slices({ diff }: { readonly diff: Diff }) {
  const isLive = useContext(Live) !== null;
  const all = useMemo(() => rowsOf(diff), [diff]);
  const rows = isLive ? all : all.slice(0, mostRows);
  const left = all.length - rows.length;
  const rowView = ({ anchor, text, kind, before, after }: (typeof all)[number]) => (
    <div key={anchor} class={`row ${kind}`} id={anchor} data-line={text} tabIndex={-1}>
      <span class="number">{before || ''}</span>
      <span class="number">{after || ''}</span>
      <code>{text || ' '}</code>
      {diff.blocks.map((note) =>
        note.kind === 'note' && note.at === after ? (
          <p key={note.line} class="comment found">
            <LineView line={note.line} />
          </p>
        ) : null,
      )}
      <Comments anchor={anchor} />
    </div>
  );
  return (
    <>
      {[...rows.keys()].filter(isFirst).map((start) => {
        const slice = rows.slice(start, start + sliceLength);
        return (
          <WhenNear key={start} rows={slice.length}>
            {() => slice.map(rowView)}
          </WhenNear>
        );
      })}
      {left === 0 ? null : (
        <p class="quiet">{counted(left, 'more line')} in execution-result.diff</p>
      )}
    </>
  );
}

const isFirst = (at: number) => at % sliceLength === 0;

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

const kinds: Readonly<Record<string, string>> = { '+': 'add', '-': 'remove', '@': 'hunk' };

/** The lines of a diff, each with its number before and after the change; 0 or none where it has no such number. */
function rowsOf(diff: Diff) {
  let [before, after] = [Number.NaN, Number.NaN];
  return diffLines(diff).map(({ anchor, text }) => {
    const kind = kinds[text.charAt(0)] ?? 'same';
    const [, from, to] = /^@@ -(\d+)\S* \+(\d+)/.exec(text) ?? [];
    if (kind === 'hunk') [before, after] = [Number(from), Number(to)];
    const isOld = kind === 'remove' || kind === 'same';
    const isNew = kind === 'add' || kind === 'same';
    return { anchor, text, kind, before: isOld ? before++ : 0, after: isNew ? after++ : 0 };
  });
}
