import { expect, test } from 'vitest';
import { refuseProofs } from '../../../src/phases/proof/check-proofs.ts';
import type { Proof } from '../../../src/model/proof.ts';
import { jsonProof } from '../../helpers/proof-rig.ts';

const files: Readonly<Record<string, string>> = {
  'walk/walk.go': 'package walk\n\nfunc Walk() {}\n',
  'walk/walk_test.go': 'package walk\n\nfunc TestWalk(t *testing.T) {}\n',
  'src/a.js': 'export {};\n',
};

const base = {
  files: async () => Object.keys(files),
  exists: async (path: string) => path in files,
  uncommittable: async (paths: readonly string[]) =>
    new Map(
      paths.flatMap((path) => (path.startsWith('dist/') ? [[path, 'ignored'] as const] : [])),
    ),
};

const refuse = (proposed: readonly Proof[], standing: readonly Proof[] = []) =>
  refuseProofs({ proposed, standing }, base);
const whyOf = async (...parts: readonly Parameters<typeof jsonProof>[0][]) =>
  (await refuse(parts.map(jsonProof))).get('P1') ?? null;

test.each([
  ['../out.test.js', 'may lead out of the repository'],
  ['/etc/out.test.js', 'is not relative to the repository'],
  ['.git/hooks/p1.js', 'lies in .git'],
  ['.workflow/p1.test.js', 'lies in .workflow'],
  ['src/a.js', 'exists already'],
  ['dist/p1.test.js', 'git ignores dist/p1.test.js'],
])('a proof at %s is refused', async (path, why) => {
  expect(await whyOf({ path })).toContain(why);
});

test('a proof runs in a folder that is there', async () => {
  expect(await whyOf({ folder: 'packages/none' })).toContain(
    'the folder packages/none does not exist',
  );
  expect(await whyOf({ folder: '../other' })).toContain('may lead out of the repository');
  expect(await whyOf({ folder: 'walk' })).toBeNull();
});

test('two proofs have neither one file nor one id', async () => {
  const twice = [jsonProof(), jsonProof({ id: 'P2', path: 'test/JSON-p1.test.js' })];
  expect((await refuse(twice)).get('P2')).toContain('is the file of P1, too');
  expect(
    (await refuse([jsonProof({ id: 'P2', path: twice[1]?.path ?? '' })], [jsonProof()])).get('P2'),
  ).toContain('P1, too');
  expect(await refuse([jsonProof()], [jsonProof()])).toEqual(new Map());
  const same = [jsonProof(), jsonProof({ path: 'test/other.test.js' })];
  expect((await refuse(same)).get('P1')).toContain('another proof is called P1');
});

test('a new proof is refused where there are as many as a session may have', async () => {
  const many = Array.from({ length: 12 }, (_, at) =>
    jsonProof({ id: `P${at + 1}`, path: `p${at}.js` }),
  );
  const changed = [jsonProof({ id: 'P13', path: 'new.js', argv: ['new'] }), jsonProof()];
  const why = 'there are 12 tests already, the most of a session';
  expect(await refuse(changed, many)).toEqual(new Map([['P13', why]]));
});

test('two proofs do not run by one command, by which nobody could tell them apart', async () => {
  const argv = ['npm', 'test'];
  const both = [jsonProof({ argv }), jsonProof({ id: 'P2', argv })];
  expect([...(await refuse(both))]).toEqual([
    ['P2', expect.stringContaining('runs by the same command as P1')],
  ]);
  const elsewhere = [jsonProof({ argv }), jsonProof({ id: 'P2', argv, folder: 'walk' })];
  expect(await refuse(elsewhere)).toEqual(new Map());
});

const go = (name: string, id = 'P1') => ({
  id,
  path: `walk/walk_${id.toLowerCase()}_test.go`,
  content: `package walk\n\nfunc ${name}(t *testing.T) {\n\tfunc() {}()\n}\n`,
});

test('where a folder compiles as a whole, a top-level name belongs to one proof', async () => {
  expect(await whyOf(go('TestWalkP1'))).toBeNull();
  const both = [go('TestBothP1'), go('TestBothP1', 'P2')].map(jsonProof);
  expect((await refuse(both)).get('P2')).toContain('let each top-level name end with P2');
});

test.each([
  'expect(add(1, 2)).toMatchSnapshot();',
  'expect(add(1, 2)).toMatchInlineSnapshot();',
  't.assert.snapshot(add(1, 2));',
])('a proof with `%s` compares with what is not there', async (content) => {
  expect(await whyOf({ content })).toContain('it compares with a snapshot');
});

test('a proof may have the value of its snapshot in its own text', async () => {
  expect(await whyOf({ content: 'expect(add(1, 2)).toMatchInlineSnapshot(`3`);' })).toBeNull();
});
