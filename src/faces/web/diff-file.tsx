// Shows the changes of one file with its line numbers.
/** @jsxImportSource preact */
import { useContext } from 'preact/hooks';
import { type Block, diffLines } from '../../model/document.ts';
import { LineView, Live, lineMark } from './line-view.tsx';

/** The lines that a browser lays out together once they come near. */
const sliceLength = 100;

type Diff = Extract<Block, { kind: 'diff' }>;

/** Shows the file with the count of its added and removed lines. */
export function DiffFile({ diff }: { readonly diff: Diff }) {
  const rows = rowsOf(diff);
  const count = (wanted: string) => rows.filter(({ kind }) => kind === wanted).length;
  const starts = [...rows.keys()].filter((at) => at % sliceLength === 0);
  return (
    <details class="diff" open={useContext(Live)}>
      <summary id={diff.anchor} data-line>
        <code class="path">{diff.path}</code> <span class="good">+{count('add')}</span>{' '}
        <span class="bad">−{count('remove')}</span>
      </summary>
      <div class="wide" tabIndex={0} role="region" aria-label={`Changes of ${diff.path}`}>
        {starts.map((start) => {
          const slice = rows.slice(start, start + sliceLength);
          return (
            <div class="slice" data-rows={slice.length}>
              {slice.map((row) => showRow(row, diff.blocks))}
            </div>
          );
        })}
      </div>
    </details>
  );
}

/** Shows a line; it is no component, as a diff may have many thousands. */
function showRow(
  { anchor, text, kind, before, after }: ReturnType<typeof rowsOf>[number],
  notes: readonly Block[],
) {
  return (
    <div
      class={`row ${kind}`}
      {...lineMark(anchor)}
      data-before={before || ''}
      data-after={after || ''}
    >
      {text}
      {notes.map((note) =>
        note.kind === 'note' && note.at === after ? (
          <p class="comment found">
            <LineView line={note.line} />
          </p>
        ) : null,
      )}
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
