// Measures Conclave and prints each figure beside its floor and its limit.
import { loadavg } from 'node:os';
import { conversationRows } from './conversations.ts';
import { insideRows } from './inside.ts';
import { hostRows } from './hosts.ts';
import type { Row } from './measure.ts';
import { programRows } from './programs.ts';
import { sessionRows } from './sessions.ts';
import { terminalRows } from './terminal.ts';

/**
 * Every figure is compared with a floor of the same run or with a limit of its own; one that misses
 * it lets the run end with 1. `--short` measures less often.
 */
const short = process.argv.includes('--short');
if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(
    'npm run bench [-- --short]\n\nMeasures Conclave and prints each figure beside its floor and its limit; ends with 1 if one is missed.\nTakes about ten minutes, with --short about three; run nothing else meanwhile.',
  );
  process.exit(0);
}
const widths = [47, 9, 38, 5, 10, 6];

print(['what', 'measured', 'floor', 'ratio', 'limit', '']);
for (const part of [
  programRows,
  hostRows,
  sessionRows,
  conversationRows,
  terminalRows,
  insideRows,
]) {
  for await (const row of part(short)) {
    print(cellsOf(row));
    if (!isKept(row)) process.exitCode = 1;
  }
}
console.log(`load average ${loadavg()[0]?.toFixed(2)}, node ${process.version}`);

function isKept({ value, floor, limit = Infinity, most = Infinity }: Row): boolean {
  return value <= most && (floor === undefined || value / floor[0] <= limit);
}

function cellsOf(row: Row): string[] {
  const { name, value, unit, floor, limit, most } = row;
  return [
    name,
    `${value.toFixed(1)} ${unit}`,
    floor === undefined ? '' : `${floor[0].toFixed(1)} ${unit} ${floor[1]}`,
    floor === undefined ? '' : (value / floor[0]).toFixed(2),
    most === undefined ? `<= ${limit}` : `<= ${most} ${unit}`,
    isKept(row) ? 'ok' : 'MISSED',
  ];
}

function print(cells: readonly string[]): void {
  const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  console.log(padded.join('  ').trimEnd());
}
