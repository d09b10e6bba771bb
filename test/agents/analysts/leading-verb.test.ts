import { expect, test } from 'vitest';
import { changesWhatIsThere } from '../../../src/agents/analysts/leading-verb.ts';

test.each([
  ['Fix the panic when --line-range is given an empty range', true],
  ['fix(cli): exit with 2', true],
  ['- Please remove the --diff-context option', true],
  ['We should rename SESSION_COOKIE_NAME', true],
  ['Dropping Python 3.8', true],
  ['Deprecates the old entry point', true],
  ['In src/flask/cli.py, correct the help of routes', true],
  ['Could you upgrade click?', true],
  ['rls: Rename type `picker` to `rlsPicker`', true],
  ['internal/grpcrand: remove the lock', true],
  ['perf(jsx/dom): set textContent only when it changes', true],
  ['feat!: remove quotes from titles', true],
  ['Improve lenient mode documentation', true],
  ['Increase the default size of the cache', true],
  ['Document the --json flag', true],
  ['Test the parser of dates', true],
  ['sync: add `mpsc::Receiver::recv_many`', false],
  ['feat(trace): support an http exporter that fixes the order', false],
  ['Add a --json flag that fixes the order', false],
  ['Add an option to remove cookies', false],
  ['Let the cors middleware take an async origin', false],
  ['Fixture files for the parser', false],
  ['In 2026 we add a fix', false],
  ['', false],
])('whether %j only changes what is there: %s', (task, holds) => {
  expect(changesWhatIsThere(task)).toBe(holds);
});
