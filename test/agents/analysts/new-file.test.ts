import { expect, test } from 'vitest';
import { newFileBeside } from '../../../src/agents/analysts/new-file.ts';
import { needlesOf } from '../../../src/context/needles.ts';

const nameFor = (sibling: string, keywords: readonly string[], all: readonly string[]) =>
  newFileBeside(sibling, { needles: needlesOf(keywords), all: [sibling, ...all] });

test('a new module is named by a word of the task that its neighbour does not have', () => {
  expect(nameFor('src/flask/cli.py', ['cli', 'json'], [])).toBe('src/flask/json.py');
});

test('a module never takes the name of a package or a file beside it', () => {
  const taken = ['src/flask/json/__init__.py'];
  expect(nameFor('src/flask/cli.py', ['json'], taken)).toBe('src/flask/cli_json.py');
  const both = [...taken, 'src/flask/cli_json.py'];
  expect(nameFor('src/flask/cli.py', ['json'], both)).toBe('src/flask/cli_json_addition.py');
});

test('where the task gives no other word, the name says that it is an addition', () => {
  expect(nameFor('src/cli.py', ['cli'], [])).toBe('src/cli_addition.py');
});

test('a folder with files only further down is taken as well', () => {
  const all = ['src/mw/age/deep/index.ts', 'src/mw/etag/index.ts'];
  expect(nameFor('src/mw/cors/index.ts', ['age'], all)).toBe('src/mw/cors-age/index.ts');
});

test('a word that is the name of the folder already says nothing', () => {
  const keywords = ['cors', 'middleware', 'async'];
  expect(nameFor('src/middleware/cors/index.ts', keywords, [])).toBe(
    'src/middleware/async/index.ts',
  );
});

test('a package of Python gets a name that can be imported', () => {
  expect(nameFor('src/flask/json/__init__.py', ['text-format'], [])).toBe(
    'src/flask/text_format/__init__.py',
  );
});

test('words that every task has make no name', () => {
  expect(nameFor('src/cli.py', ['feat', 'method', 'clear'], [])).toBe('src/clear.py');
  expect(nameFor('src/cli.py', ['method'], [])).toBe('src/cli_addition.py');
});
