import { globSync, readFileSync } from 'node:fs';

/** Prints the map of `src/`: room by room, each file with the line that says what it is for. */
const src = new URL('../../src/', import.meta.url);
for (const [room, files] of Object.entries(Object.groupBy(allFiles(), roomOf))) {
  console.log(`\n${room}`);
  for (const file of files ?? []) console.log(`  ${file}: ${headOf(file)}`);
}

/** Files at the top come first, then the rooms by name, as the map in `src/README.md` explains them. */
function allFiles(): string[] {
  return globSync('**/*.{ts,tsx}', { cwd: src }).toSorted(
    (a, b) => Number(a.includes('/')) - Number(b.includes('/')) || a.localeCompare(b),
  );
}

function roomOf(file: string): string {
  return file.includes('/') ? `${file.split('/')[0]}/` : 'src/';
}

function headOf(file: string): string {
  const [line] = readFileSync(new URL(file, src), 'utf8')
    .replace(/^#!.*\n/, '')
    .split('\n');
  return line?.replace(/^\/\/ /, '') ?? '';
}
