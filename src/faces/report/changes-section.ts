// Shows all changes of a result, folded by file.
import { counted } from '../../model/wording.ts';
import { type Markup, type Part, foldable, markup } from './markup.ts';

/** The most lines that are shown of a file; the rest is in `execution-result.diff`. */
const mostLines = 2_000;

/** Splits a git diff into a part for each file, with its lines. */
export function changesText(diff: string): Part {
  const files = diff.split(/^(?=diff --git )/m).filter((part) => part.startsWith('diff --git '));
  return markup`<p>${counted(files.length, 'file')}; each opens with its lines.</p>\n${files.map(fileText)}`;
}

function fileText(diff: string): Markup {
  const lines = diff.trimEnd().split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@') || line.startsWith('Binary '));
  const body = lines.slice(first === -1 ? 1 : first);
  const added = body.filter((line) => line.startsWith('+')).length;
  const removed = body.filter((line) => line.startsWith('-')).length;
  const summary = markup`<code>${pathIn(lines)}</code> <span class="quiet">+${String(added)} −${String(removed)}</span>`;
  const more = body.length - mostLines;
  const cut =
    more <= 0
      ? null
      : markup`<p class="quiet">${counted(more, 'more line')} in execution-result.diff</p>`;
  const shown = body.slice(0, mostLines).join('\n');
  return markup`${foldable(summary, markup`<pre class="diff">${shown}</pre>${cut}`)}\n`;
}

function pathIn(lines: readonly string[]): string {
  const named = (start: string) =>
    lines.find((line) => line.startsWith(start))?.slice(start.length);
  return (
    named('+++ b/') ?? named('--- a/') ?? (lines[0] ?? '').replace(/^diff --git a\/.* b\//, '')
  );
}
