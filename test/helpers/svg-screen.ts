import xterm, { type IBufferCell } from '@xterm/headless';

interface Theme {
  readonly background: string;
  readonly text: string;
  /** The first 16 colours of a terminal. */
  readonly palette: readonly string[];
}

export const themes: Readonly<Record<'light' | 'dark', Theme>> = {
  light: {
    background: '#ffffff',
    text: '#1f2328',
    palette: '#24292f #cf222e #116329 #9a6700 #0969da #8250df #1b7c83 #6e7781'.split(' '),
  },
  dark: {
    background: '#0d1117',
    text: '#e6edf3',
    palette: '#484f58 #ff7b72 #3fb950 #d29922 #58a6ff #bc8cff #39c5cf #b1bac4'.split(' '),
  },
};

/** In pixels. */
const [columnWidth, rowHeight, fontSize, margin] = [8.4, 18, 14, 16];

interface Piece {
  readonly at: number;
  readonly columns: number;
  readonly text: string;
  readonly look: string;
}

/** What a terminal of this size shows after these bytes, as an SVG with real text. */
export async function svgScreen(
  bytes: string,
  { columns, rows, theme }: { columns: number; rows: number; theme: Theme },
): Promise<string> {
  const lines = await piecesOf(bytes, { columns, rows, theme });
  const width = columns * columnWidth + 2 * margin;
  const height = rows * rowHeight + 2 * margin;
  const texts = lines.flatMap((pieces, index) => {
    const y = margin + (index + 0.75) * rowHeight;
    return pieces.map(
      ({ at, columns: wide, text, look }) =>
        `<text x="${(margin + at * columnWidth).toFixed(1)}" y="${y}" ` +
        `textLength="${(wide * columnWidth).toFixed(1)}"${look}>${escaped(text)}</text>`,
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-size="${fontSize}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" fill="${theme.text}" xml:space="preserve">
<rect width="100%" height="100%" rx="8" fill="${theme.background}" stroke="#8b949e" stroke-opacity="0.4"/>
${texts.join('\n')}
</svg>
`;
}

async function piecesOf(
  bytes: string,
  { columns, rows, theme }: { columns: number; rows: number; theme: Theme },
): Promise<readonly (readonly Piece[])[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.viewportY + row);
    const cells = Array.from({ length: columns }, (__, column) => line?.getCell(column));
    return joined(cells, theme);
  });
  terminal.dispose();
  return lines;
}

/** The cells of a row as runs of one look; blank ones at the ends are left out. */
function joined(cells: readonly (IBufferCell | undefined)[], theme: Theme): readonly Piece[] {
  const pieces: Piece[] = [];
  cells.forEach((cell, at) => {
    if (cell === undefined || cell.getWidth() === 0) return;
    const [text, look, wide] = [cell.getChars() || ' ', lookOf(cell, theme), cell.getWidth()];
    const last = pieces.at(-1);
    if (last?.look !== look) return void pieces.push({ at, columns: wide, text, look });
    pieces[pieces.length - 1] = { ...last, columns: last.columns + wide, text: last.text + text };
  });
  return pieces.flatMap((piece) => {
    const start = piece.text.length - piece.text.trimStart().length;
    const text = piece.text.trim();
    const columns = piece.columns - (piece.text.length - text.length);
    return text === '' ? [] : [{ ...piece, at: piece.at + start, columns, text }];
  });
}

function lookOf(cell: IBufferCell, { palette }: Theme): string {
  const colour = cell.isFgPalette() ? palette[cell.getFgColor() % 8] : undefined;
  return [
    colour === undefined ? '' : ` fill="${colour}"`,
    cell.isBold() ? ' font-weight="bold"' : '',
    cell.isDim() ? ' opacity="0.65"' : '',
  ].join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
