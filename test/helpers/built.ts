import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
const entry = join(root, 'dist/cli.js');

/** Builds `dist/` if it is not there or older than a source. Returns the path of the entry. */
export function builtCli(): string {
  const sources = globSync(['src/**/*.{ts,tsx,wasm}', 'test/tools/build.ts', 'package.json'], {
    cwd: root,
  });
  const changed = Math.max(...sources.map((file) => statSync(join(root, file)).mtimeMs));
  const built = statSync(entry, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built < changed) {
    execFileSync(process.execPath, [join(root, 'test/tools/build.ts')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return entry;
}
