import { posix } from 'node:path';
import { isTest } from '../../context/file-kinds.ts';

const most = 3;

/** The known tests of some files, by name: `test/store/journal.test.ts` is of `src/journal.ts`. */
export function testsOf(paths: readonly string[], knownTests: readonly string[]): string[] {
  const own = new Set(paths);
  const names = new Set(paths.filter((path) => !isTest(path)).map(subject));
  return knownTests
    .filter((test) => !own.has(test) && names.has(subject(test)))
    .toSorted((a, b) => nearness(b, paths) - nearness(a, paths) || (a < b ? -1 : 1))
    .slice(0, most);
}

/** The project’s usual command for such tests, or null where it cannot be told from files. */
export function testCommand(
  tests: readonly string[],
  exists: (path: string) => boolean,
): string | null {
  const endings = new Set(tests.map((test) => posix.extname(test)));
  const has = (...wanted: readonly string[]) => wanted.some((ending) => endings.has(ending));
  if (has('.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs') && exists('package.json'))
    return 'npm test';
  if (has('.rs') && exists('Cargo.toml')) return 'cargo test';
  if (has('.go') && exists('go.mod')) return 'go test ./...';
  if (has('.py')) return 'python -m pytest';
  return null;
}

/** What a file is about: its name without endings and without the mark of a test. */
function subject(path: string): string {
  const [name = ''] = posix.basename(path).replace(/^\.+/, '').split('.');
  return name
    .toLowerCase()
    .replace(/^test_/, '')
    .replace(/[_-](?:test|spec)$/, '');
}

function nearness(test: string, paths: readonly string[]): number {
  const folders = new Set(test.split('/'));
  return Math.max(0, ...paths.map((path) => path.split('/').filter((f) => folders.has(f)).length));
}
