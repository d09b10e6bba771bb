import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { surroundings } from '../../../src/context/package/surroundings.ts';
import type { RelevantFile } from '../../../src/model/context.ts';
import { type TempRepository, tempRepository } from '../../git/temp-repository.ts';

function found(...paths: readonly string[]): readonly RelevantFile[] {
  return paths.map((path) => ({ path, start: 1, end: 1, symbols: [], score: 1, reasons: [] }));
}

async function around(repo: TempRepository, ...paths: readonly string[]) {
  const repository = await repo.open();
  return await surroundings(found(...paths), ['Vary', 'middleware'], repository);
}

test('links that lead out of the repository are not followed', async () => {
  await using outside = await tempRepository('plain');
  await using repo = await tempRepository();
  await outside.write({
    'package.json': '{ "scripts": { "test": "steal" } }',
    Makefile: 'test:\n',
  });
  await symlink(join(outside.root, 'package.json'), join(repo.root, 'package.json'));
  await symlink(outside.root, join(repo.root, 'linked'));
  await repo.commit('Link', { 'src/a.ts': "import '../linked/b.ts';\n" });
  const said = await around(repo, 'src/a.ts', 'linked/Makefile');
  expect(JSON.stringify(said)).not.toContain('npm test');
  expect(JSON.stringify(said)).not.toContain('make test');
});

test('nothing found, nothing said of the code', async () => {
  await using repo = await tempRepository('plain');
  const said = await around(repo);
  expect(said).toEqual({
    detected_patterns: [],
    architecture_insights: [],
    build_facts: [],
    query_answers: { implementations: [], integration_points: [] },
  });
});

test('tests are told for each found source that has some', async () => {
  await using repo = await tempRepository('plain');
  await repo.write({ 'src/a.ts': '', 'test/a.test.ts': '', 'lib/only.ts': '' });
  const { detected_patterns: patterns } = await around(repo, 'src/a.ts', 'lib/only.ts');
  expect(patterns).toEqual(['src/a.ts is tested by test/a.test.ts.']);
});

const source = (name: string) => `export function ${name}() {}\n`;

test('queries are answered: architecture, implementations, integration points', async () => {
  await using repo = await tempRepository();
  await repo.commit('Begin', {
    'src/middleware/cors/index.ts': `${source('corsMiddleware')}export const mergeVary = 1;\n`,
    'src/middleware/etag/index.ts': 'import { mergeVary } from "../cors";\nmergeVary(1);\n',
    'src/middleware/jwt/index.ts': 'export type JwtVariables = 1;\n',
  });
  const { architecture_insights: insights, query_answers: answers } = await around(
    repo,
    'src/middleware/cors/index.ts',
    'src/middleware/etag/index.ts',
    'src/middleware/jwt/index.ts',
  );
  expect(insights).toEqual([
    'src/middleware/cors has index.ts.',
    'src/middleware/etag has index.ts.',
    'src/middleware/jwt has index.ts.',
  ]);
  expect(answers).toEqual({
    implementations: [
      'src/middleware/cors/index.ts:2 export const mergeVary = 1;',
      'src/middleware/jwt/index.ts:1 export type JwtVariables = 1;',
      'src/middleware/cors/index.ts:1 export function corsMiddleware() {}',
    ],
    integration_points: [
      'src/middleware/etag/index.ts:1 uses mergeVary of src/middleware/cors/index.ts: import { mergeVary } from "../cors";',
    ],
  });
});

test('a name in a comment, in a text, or of a key, a field or an argument is no use of it', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', {
    'src/limit.py': 'def request_limit():\n    pass\n',
    'src/notes.py':
      '"""\nSee request_limit for more.\n"""\n# request_limit()\nx = 1  # request_limit\n',
    'src/table.py': "table = {'request_limit': 1}\nsend(request_limit=2)\n",
    'src/shape.ts': 'interface Shape {\n  request_limit: number; /* request_limit( */\n}\n',
    'src/caller.py': '# request_limit\nfrom limit import request_limit\n',
  });
  const files = ['limit.py', 'notes.py', 'table.py', 'shape.ts', 'caller.py'];
  const { query_answers: answers } = await around(repo, ...files.map((name) => `src/${name}`));
  expect(answers?.integration_points).toEqual([
    'src/caller.py:2 uses request_limit of src/limit.py: from limit import request_limit',
  ]);
});
