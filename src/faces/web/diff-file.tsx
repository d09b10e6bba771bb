// Shows the changes of one file with its line numbers; in a browser, those of a long one are drawn once it is opened.
/** @jsxImportSource preact */
import { useContext, useState } from 'preact/hooks';
import { type Block, diffLines, textOf } from '../../model/document.ts';
import { counted } from '../../model/wording.ts';
import { Comments, LineView, lineMark } from './line-view.tsx';
import { Live } from './page-parts.ts';

/** The most lines of a file that is open at first, and of any file. */
const mostOpen = 400;
const mostRows = 2_000;

type Diff = Extract<Block, { kind: 'diff' }>;

/** Shows the file with the count of its added and removed lines. */
export function DiffFile({ diff }: { readonly diff: Diff }) {
  const { anchor, path, line, blocks } = diff;
  const isLive = useContext(Live) !== null;
  const lines = textOf(line).split('\n');
  const count = (sign: string) => lines.filter((text) => text.startsWith(sign)).length;
  const left = lines.length - mostRows;
  const [isOpen, open] = useState(isLive && lines.length <= mostOpen);
  const rows = isOpen || !isLive ? rowsOf(diff).slice(0, mostRows) : [];
  return (
    <details class="diff" open={isOpen} onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary id={anchor} data-line={path}>
        <code class="path">{path}</code> <span class="good">+{count('+')}</span>{' '}
        <span class="bad">−{count('-')}</span>
      </summary>
      <div class="wide" tabIndex={0} role="region" aria-label={`Changes of ${path}`}>
        {rows.map((row) => (
          <RowView key={row.anchor} row={row} notes={blocks} />
        ))}
        {left > 0 ? (
          <p class="quiet">{counted(left, 'more line')} in execution-result.diff</p>
        ) : null}
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
