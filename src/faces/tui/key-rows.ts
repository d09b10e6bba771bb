import type { Binding } from './keys.ts';
import { type Row, sideBySide, emptyRow, row, span, widthOf } from './rows.ts';

const symbols: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: 'PgUp',
  pagedown: 'PgDn',
};

/** The keys that fit the moment, on one line: as many as there is room for, help always. */
export function keyLine(bindings: readonly Binding[], width: number): Row {
  const [last, ...rest] = bindings.filter(({ minor }) => minor !== true).toReversed();
  if (last === undefined) return emptyRow;
  let line: Row = [];
  for (const binding of rest.toReversed()) {
    const longer = [...line, ...entry(binding), span(' · ', 'quiet')];
    if (widthOf(longer) + widthOf(entry(last)) <= width) line = longer;
  }
  return [...line, ...entry(last)];
}

/** Every key of the moment with what it does; in two columns where one is too long. */
export function helpRows(
  bindings: readonly Binding[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly Row[] {
  const names = bindings.map(({ keys }) => keys.map(shown).join(' '));
  const widest = Math.max(0, ...names.map((name) => name.length));
  const rows = bindings.map(({ does }, index) =>
    row(span('  '), span((names[index] ?? '').padEnd(widest), 'key'), span(`  ${does}`)),
  );
  if (rows.length < height) return [emptyRow, ...rows];
  const half = Math.ceil(rows.length / 2);
  const left = Math.floor(width / 2);
  return [
    emptyRow,
    ...sideBySide([
      { rows: rows.slice(0, half), width: left },
      { rows: rows.slice(half), width: width - left - 1 },
    ]),
  ];
}

function entry({ keys, does }: Binding): Row {
  return [span(shown(keys[0] ?? ''), 'key'), { text: ` ${does}`, tone: 'quiet' }];
}

function shown(key: string): string {
  return symbols[key] ?? key;
}
