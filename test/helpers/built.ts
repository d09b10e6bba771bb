import { execFileSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
const entry = join(root, 'dist/cli.js');

/** Builds `dist/` if it is not there or older than a source. Returns the path of the entry. */
export function builtCli(): string {
  const sources = globSync(
    ['src/**/*.{ts,tsx,wasm}', 'test/tools/{build,library-types}.ts', 'package.json'],
    {
      cwd: root,
    },
  );
  const changed = Math.max(...sources.map((file) => statSync(join(root, file)).mtimeMs));
  const built = statSync(entry, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built < changed) {
    execFileSync(process.execPath, [join(root, 'test/tools/build.ts')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return entry;
}

/** Node keeps what it compiles of a program: a run of the tests starts the same hundreds of times. */
export function compiledOnce(): Readonly<Record<string, string>> {
  const kept = process.env['CONCLAVE_TESTS_KEPT'];
  return kept === undefined ? {} : { NODE_COMPILE_CACHE: join(kept, 'compiled') };
}
