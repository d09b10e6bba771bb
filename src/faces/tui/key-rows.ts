import type { Binding } from './keys.ts';
import { type Row, emptyRow, row, span, widthOf } from './rows.ts';

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
    if (widthOf(longer) + widthOf(entry(last)) > width) break;
    line = longer;
  }
  return [...line, ...entry(last)];
}

/** Every key of the moment with what it does. */
export function helpRows(bindings: readonly Binding[]): readonly Row[] {
  return [
    emptyRow,
    ...bindings.map(({ keys, does }) =>
      row(span('  '), span(keys.map(shown).join(' '), 'key'), span(`  ${does}`)),
    ),
  ];
}

function entry({ keys, does }: Binding): Row {
  return [span(shown(keys[0] ?? ''), 'key'), { text: ` ${does}`, tone: 'quiet' }];
}

function shown(key: string): string {
  return symbols[key] ?? key;
}
