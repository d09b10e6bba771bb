// Shows the changes of one file with its line numbers; in a browser, a slice is drawn when it comes near.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Block, diffLines, textOf } from '../../model/document.ts';
import { counted } from '../../model/wording.ts';
import { Comments, LineView, lineMark } from './line-view.tsx';
import { Live } from './page-parts.ts';

/** The lines that are drawn together, and the height of each in CSS pixels. */
const sliceLength = 100;
const rowHeight = 20;
/** The most lines of a file in a report. */
const mostRows = 2_000;

type Diff = Extract<Block, { kind: 'diff' }>;

/** Shows the file with the count of its added and removed lines. */
export function DiffFile({ diff }: { readonly diff: Diff }) {
  const isLive = useContext(Live) !== null;
  const lines = textOf(diff.line).split('\n');
  const count = (sign: string) => lines.filter((text) => text.startsWith(sign)).length;
  const rows = useMemo(() => readOnce(diff), [diff]);
  const shown = isLive ? lines : lines.slice(0, mostRows);
  const left = lines.length - shown.length;
  const starts = [...shown.keys()].filter((at) => at % sliceLength === 0);
  return (
    <details class="diff" open={isLive}>
      <summary id={diff.anchor} data-line={diff.path}>
        <code class="path">{diff.path}</code> <span class="good">+{count('+')}</span>{' '}
        <span class="bad">−{count('-')}</span>
      </summary>
      <div class="wide" tabIndex={0} role="region" aria-label={`Changes of ${diff.path}`}>
        {starts.map((start) => (
          <WhenNear key={start} rows={Math.min(sliceLength, shown.length - start)}>
            {() =>
              rows()
                .slice(start, start + sliceLength)
                .map((row) => <RowView key={row.anchor} row={row} notes={diff.blocks} />)
            }
          </WhenNear>
        ))}
        {left === 0 ? null : (
          <p class="quiet">{counted(left, 'more line')} in execution-result.diff</p>
        )}
      </div>
    </details>
  );
}

function RowView({
  row: { anchor, text, kind, before, after },
  notes,
}: {
  readonly row: ReturnType<typeof rowsOf>[number];
  readonly notes: readonly Block[];
}) {
  return (
    <div class={`row ${kind}`} {...lineMark(anchor, text)}>
      <span class="number">{before || ''}</span>
      <span class="number">{after || ''}</span>
      <code>{text || ' '}</code>
      {notes.map((note) =>
        note.kind === 'note' && note.at === after ? (
          <p class="comment found">
            <LineView line={note.line} />
          </p>
        ) : null,
      )}
      <Comments anchor={anchor} />
    </div>
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
      { rootMargin: '1500px' },
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

function readOnce(diff: Diff): () => ReturnType<typeof rowsOf> {
  let rows: ReturnType<typeof rowsOf> | undefined;
  return () => (rows ??= rowsOf(diff));
}

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
