import { loadavg } from 'node:os';
import { contextRows } from './context.ts';
import { eventRows } from './events.ts';
import { executionRows } from './execution.ts';
import { fanOutRows } from './fan-out.ts';
import { memoryRows } from './memory.ts';
import type { Row } from './row.ts';
import { startUpRows } from './start-up.ts';
import { synthesisRows } from './synthesis.ts';
import { tuiRows } from './tui.ts';
import { worktreeRows } from './worktrees.ts';

/**
 * Every figure is a ratio against a floor measured in the same run, so that it holds on any
 * machine. `--short` measures less often; `--strict` ends with 1 if a ratio misses its limit.
 */
const short = process.argv.includes('--short');
const parts = [
  startUpRows,
  fanOutRows,
  synthesisRows,
  eventRows,
  memoryRows,
  tuiRows,
  contextRows,
  worktreeRows,
  executionRows,
];
const rows: Row[] = [];
for (const part of parts) {
  for (const row of await part({ short })) {
    rows.push(row);
    process.stderr.write(`measured ${row.name}\n`);
  }
}
print(rows);
if (process.argv.includes('--strict') && rows.some((row) => row.ok === false)) process.exitCode = 1;

function print(table: readonly Row[]): void {
  const lines = [
    ['what', 'measured', 'floor', 'ratio', 'limit', ''],
    ...table.map(({ name, measured, floor, ratio, limit, ok }) => [
      name,
      measured,
      floor,
      ratio,
      limit,
      ok === null ? '' : ok ? 'ok' : 'MISSED',
    ]),
  ];
  const widths = lines[0]?.map((_, column) =>
    Math.max(...lines.map((l) => l[column]?.length ?? 0)),
  );
  for (const line of lines) {
    process.stdout.write(
      `${line
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
  process.stdout.write(`load average ${loadavg()[0]?.toFixed(2)}, node ${process.version}\n`);
}
