import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commandsIn, findSetUp } from '../../../src/context/package/set-up-tools.ts';

const room = mkdtempSync(join(tmpdir(), 'conclave-set-up-'));
afterAll(() => rmSync(room, { recursive: true }));

/** A repository with these files. */
function projectWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(room, 'project-'));
  execFileSync('git', ['init', '-q'], { cwd: root });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const workflow = `jobs:
  copilot-setup-steps:
    steps:
      - uses: actions/checkout@v4
      - name: Install
        run: npm ci
      - run: |
          npm run build
          npm run seed
      - uses: actions/cache@v4
`;

describe('the set-up that a project states for other tools is proposed word for word', () => {
  test.each([
    [
      '.cursor/worktrees.json',
      '{ "setup-worktree": ["npm ci", "npm run build"] }',
      'npm ci && npm run build',
    ],
    ['.cursor/worktrees.json', '{ "setup-worktree-unix": "make.sh" }', 'sh .cursor/make.sh'],
    [
      '.github/workflows/copilot-setup-steps.yml',
      workflow,
      'npm ci && npm run build && npm run seed',
    ],
    ['.devcontainer/devcontainer.json', '{ // as\n"postCreateCommand": "npm ci" }', 'npm ci'],
    ['.devcontainer.json', '{ "postCreateCommand": ["make", "all"] }', 'make all'],
    [
      '.devcontainer.json',
      '{ "postCreateCommand": { "a": "make a", "b": ["make", "b"] } }',
      'make a && make b',
    ],
    ['package-lock.json', '{}', 'npm ci'],
  ])('%s: %s', async (source, text, command) => {
    const root = projectWith({ [source]: text });
    expect(await findSetUp(root)).toEqual({ argv: command.split(' '), copy: [], source });
  });

  test('with a shell where its commands need one', async () => {
    const text = '{ "setup-worktree": ["npm ci", "cp $ROOT_WORKTREE_PATH/a.txt ."] }';
    const root = projectWith({ '.cursor/worktrees.json': text });
    const argv = ['sh', '-ec', 'npm ci\ncp $CONCLAVE_ROOT/a.txt .'];
    expect(await findSetUp(root)).toMatchObject({ argv });
  });

  test('with the ignored files that .worktreeinclude names, each by its path, and no others', async () => {
    const root = projectWith({
      '.gitignore': '.env*\nnode_modules/\nlocal.json\n',
      '.worktreeinclude': '.env*\nREADME.md\n',
      '.env': '',
      '.env.test': '',
      'README.md': '',
      'local.json': '',
      'node_modules/a/.env': '',
      'yarn.lock': '',
    });
    expect(await findSetUp(root)).toEqual({
      argv: ['yarn', 'install', '--frozen-lockfile'],
      copy: ['.env', '.env.test'],
      source: '.worktreeinclude and yarn.lock',
    });
  });

  test('after the submodules that the user has checked out', async () => {
    const modules = '[submodule "lib"]\n\tpath = lib\n\turl = ../lib\n';
    const files = { '.gitmodules': modules, 'package-lock.json': '' };
    const root = projectWith({ ...files, 'lib/a.js': '' });
    const argv = ['git', 'submodule', 'update', '--init', '&&', 'npm', 'ci'];
    expect(await findSetUp(root)).toMatchObject({ argv });
    expect(commandsIn(argv)).toEqual([
      ['git', 'submodule', 'update', '--init'],
      ['npm', 'ci'],
    ]);
    expect(await findSetUp(projectWith(files))).toMatchObject({ argv: ['npm', 'ci'] });
  });
});
