import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { walk } from '../../src/git/walk.ts';
import { tempRepository, type TempRepository } from './temp-repository.ts';

const { signal } = new AbortController();
const filesIn = async ({ root }: TempRepository): Promise<readonly string[]> =>
  (await walk(root, { signal })).files;

const rules: Readonly<Record<string, string>> = {
  '.gitignore': [
    '\uFEFF*.log',
    '# a.txt',
    '\\#odd',
    '!keep.log',
    '/top.txt',
    'logs/',
    'docs/**/draft',
    'Case.txt',
    'trailing.txt   ',
    'space\\ ',
    'gen/*',
    '!gen/kept',
    'x[0-9]?.tmp\r',
    'deep/**',
    '',
  ].join('\n'),
  'app/.gitignore': '/top.txt\n!b.log\nlocal.*\n!logs/\nlib/inner\n/\n!\n!/\n',
  'app/[odd] !name/.gitignore': 'here.txt\n/one/two\n',
};
const paths =
  `a.txt a.log keep.log #odd top.txt logs/a.txt docs/a/b/draft docs/draft/x.md case.txt Case.txt
  trailing.txt gen/made gen/kept x1a.tmp xya.tmp deep/a/b.txt
  app/top.txt app/sub/top.txt app/b.log app/c.log app/sub/b.log app/local.ts app/logs/a.txt app/logs/a.log
  app/lib/inner/x.ts app/sub/lib/inner app/Case.txt
  app/[odd]_!name/here.txt app/[odd]_!name/sub/here.txt app/[odd]_!name/one/two/x app/o/here.txt`
    .split(/\s+/)
    .map((path) => path.replaceAll('_', ' '));

test('without git the ignore rules are those of git, at every level', async () => {
  await using plain = await tempRepository('plain');
  await using repo = await tempRepository();
  await plain.write({
    ...Object.fromEntries(paths.map((path) => [path, 'x'])),
    'space ': 'x',
    ...rules,
  });
  cpSync(plain.root, repo.root, { recursive: true });
  const listed = repo.git(
    '-c',
    'core.quotepath=off',
    'ls-files',
    '-z',
    '--others',
    '--exclude-standard',
  );
  const known = listed.split('\0').filter((path) => path !== '');
  expect(await filesIn(plain)).toEqual(known.toSorted());
  expect(known).toContain('app/logs/a.txt');
  expect(known).not.toContain('app/[odd] !name/one/two/x');
});

test('.ignore wins over .gitignore, and rules take built and hidden folders back in', async () => {
  await using plain = await tempRepository('plain');
  await plain.write({
    '.gitignore': '*.gen\n!vendor/\n!.github/\n',
    '.ignore': '!b.gen\nnotes/\n!.git/\n!.workflow/\n',
    'a.gen': 'x',
    'b.gen': 'x',
    'notes/n.md': 'x',
    'vendor/v.ts': 'x',
    'build/out.ts': 'x',
    '.github/ci.yml': 'x',
    '.git/config': 'x',
    '.workflow/s.json': 'x',
  });
  const found = (await filesIn(plain)).filter((path) => !path.endsWith('ignore'));
  expect(found).toEqual(['.github/ci.yml', 'b.gen', 'vendor/v.ts']);
});

test('an ignore file that is a link or lies outside of the root says nothing', async () => {
  await using plain = await tempRepository('plain');
  await plain.write({
    '.gitignore': 'a.ts\n',
    'in/a.ts': 'x',
    'in/b.ts': 'x',
    'in/rules': 'b.ts\n',
  });
  await symlink('rules', join(plain.root, 'in/.gitignore'));
  expect((await walk(join(plain.root, 'in'), { signal })).files).toEqual(['a.ts', 'b.ts', 'rules']);
});

test('where there are too many files, the nearest are listed and the other folders counted', async () => {
  await using plain = await tempRepository('plain');
  const deep = Object.fromEntries(['a', 'b', 'c'].map((one) => [`deep/${one}/x.ts`, 'x']));
  await plain.write({ 'near/a.ts': 'x', 'near/b.ts': 'x', 'top.ts': 'x', ...deep });
  const found = await walk(plain.root, { signal, most: 2 });
  expect(found).toEqual({ files: ['near/a.ts', 'near/b.ts', 'top.ts'], unlisted: 3, refused: 0 });
  expect(await walk(plain.root, { signal, most: 100 })).toMatchObject({ unlisted: 0 });
});

test('a folder that cannot be read is counted, and what is beside it is listed', async () => {
  await using plain = await tempRepository('plain');
  await plain.write({ 'beside/a.ts': 'x' });
  // Its path is longer than the system takes: so it refuses it to root, too.
  const names = Array.from({ length: 17 }, () => 'd'.repeat(250));
  execFileSync('mkdir', ['-p', names.join('/')], { cwd: plain.root });
  try {
    const found = await walk(plain.root, { signal });
    expect(found).toEqual({ files: ['beside/a.ts'], unlisted: 0, refused: 1 });
  } finally {
    execFileSync('rm', ['-r', names[0] ?? ''], { cwd: plain.root });
  }
});

test('an aborted walk ends with the reason', async () => {
  await using plain = await tempRepository('plain');
  await writeFile(join(plain.root, 'a.ts'), 'x');
  const stopped = AbortSignal.abort(new Error('stop'));
  await expect(walk(plain.root, { signal: stopped })).rejects.toThrow('stop');
});
