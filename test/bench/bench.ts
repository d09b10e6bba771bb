// Measures Conclave and prints each figure beside its floor and its limit.
import { loadavg } from 'node:os';
import { conversationRows } from './conversations.ts';
import { executionRows } from './executions.ts';
import { insideRows } from './inside.ts';
import { hostRows } from './hosts.ts';
import type { Row } from './measure.ts';
import { critiqueRows, programRows, startRows } from './programs.ts';
import { sessionRows } from './sessions.ts';
import { terminalRows } from './terminal.ts';

/** The parts of the bench, in the order in which they run. */
const parts: Readonly<Record<string, (short: boolean) => AsyncIterable<Row>>> = {
  start: startRows,
  hook: critiqueRows,
  program: programRows,
  host: hostRows,
  session: sessionRows,
  execution: executionRows,
  conversation: conversationRows,
  terminal: terminalRows,
  inside: insideRows,
};

const help = `npm run bench [-- [--short] [PART...]]

Measures Conclave and prints each figure beside its floor and its limit; ends with 1 if one is missed.
The last column but one is the processor time, as a multiple of that of the floor.
Takes about fifteen minutes, with --short about five; run nothing else meanwhile.

  --short  measure less often
  PART     only these: ${Object.keys(parts).join(', ')}`;

const widths = [47, 9, 38, 5, 10, 6, 6];
const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith('-'));
const unknown = words.find((word) => !(word in parts) && !/^(?:--short|--help|-h)$/.test(word));
if (words.includes('--help') || words.includes('-h')) console.log(help);
else if (unknown !== undefined) {
  console.error(`The bench has no part or flag "${unknown}".\n\n${help}`);
  process.exitCode = 2;
} else await measure(words.includes('--short'));

async function measure(short: boolean): Promise<void> {
  print(['what', 'measured', 'floor', 'ratio', 'limit', 'CPU', '']);
  for (const [name, rows] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue;
    for await (const row of rows(short)) {
      print(cellsOf(row));
      if (!isKept(row)) process.exitCode = 1;
    }
  }
  console.log(`load average ${loadavg()[0]?.toFixed(2)}, node ${process.version}`);
}

function isKept({ value, floor, limit = Infinity, most = Infinity }: Row): boolean {
  return value <= most && (floor === undefined || value / floor[0] <= limit);
}

function cellsOf(row: Row): string[] {
  const { name, value, unit, floor, limit, most, cpu } = row;
  return [
    name,
    `${value.toFixed(1)} ${unit}`,
    floor === undefined ? '' : `${floor[0].toFixed(1)} ${unit} ${floor[1]}`,
    floor === undefined ? '' : (value / floor[0]).toFixed(2),
    most === undefined ? `<= ${limit}` : `<= ${most} ${unit}`,
    cpu === undefined ? '' : `x ${cpu.toFixed(1)}`,
    isKept(row) ? 'ok' : 'MISSED',
  ];
}

function print(cells: readonly string[]): void {
  const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  console.log(padded.join('  ').trimEnd());
}
