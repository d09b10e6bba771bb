import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { searchProvider } from '../../src/context/search/search-provider.ts';
import { findCode } from '../../src/phases/find-code.ts';
import { contextSections } from '../../src/prompts/context-text.ts';
import { type TempRepository, tempRepository } from '../git/temp-repository.ts';

const { signal } = new AbortController();

async function findIn(repo: TempRepository, task: string, standing = '', environment = {}) {
  const repository = await repo.open();
  const providers = [searchProvider(repository)];
  const search = { maxFiles: 12, timeoutMs: 60_000 };
  const tools = { repository, providers, search, standing, execution: { environment } };
  return await findCode(task, tools, signal);
}

const packages = ['api', 'mobile', 'web'];

async function monorepo(): Promise<TempRepository> {
  const repo = await tempRepository();
  const files = packages.flatMap((name) => [
    [`packages/${name}/package.json`, `{ "name": "${name}" }\n`],
    [`packages/${name}/AGENTS.md`, `Rules of ${name}\n`],
    [`packages/${name}/src/list.js`, `export function list() {} // ${name}\n`],
  ]);
  await repo.commit('Begin', { 'AGENTS.md': 'Rules of all\n', ...Object.fromEntries(files) });
  return repo;
}

test.each(['packages/web', 'packages/web/src'])(
  'in a monorepo the package of %s comes first, and only its rules are told',
  async (standing) => {
    await using repo = await monorepo();
    const found = await findIn(repo, 'Sort the list', standing);
    expect(found.standing).toBe(standing);
    expect(found.relevant_files[0]?.path).toBe('packages/web/src/list.js');
    expect(found.project_facts.map(({ text }) => text)).toEqual(['Rules of all', 'Rules of web']);
  },
);

test('a path in the task is the one from where the user stands', async () => {
  await using repo = await monorepo();
  const { relevant_files: files } = await findIn(repo, 'Sort src/list.js', 'packages/mobile');
  const named = files.filter(({ reasons }) => reasons.includes('the task names this file'));
  expect(named.map(({ path }) => path)).toEqual(['packages/mobile/src/list.js']);
});

test('who stands in a package may still name a file of another one', async () => {
  await using repo = await monorepo();
  const found = await findIn(repo, 'Sort packages/api/src/list.js', 'packages/web');
  expect(found.relevant_files[0]?.path).toBe('packages/api/src/list.js');
  expect(found.project_facts.map(({ text }) => text)).toContain('Rules of api');
  expect(found.project_facts.map(({ text }) => text)).not.toContain('Rules of mobile');
});

test('at the root every package that the task may mean is told with its rules', async () => {
  await using repo = await monorepo();
  const { project_facts: facts } = await findIn(repo, 'Sort the list');
  expect(facts.map(({ source }) => source).toSorted()).toEqual([
    'AGENTS.md',
    ...packages.map((name) => `packages/${name}/AGENTS.md`),
  ]);
});

test('invisible characters are taken out of the facts, counted and told with their files', async () => {
  await using repo = await tempRepository();
  const tags = Array.from('evil', (sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0)));
  await repo.commit('Begin', {
    'AGENTS.md': `Use tabs.${tags.join('')}\n`,
    'src/list.js': `\uFEFFexport function list() {} // \u202E${tags.join('')}\n`,
    'src/other.js': '\uFEFFexport function other() {}\n',
  });
  const { project_facts: facts, notes } = await findIn(repo, 'Sort the list, other');
  expect(facts).toEqual([{ source: 'AGENTS.md', text: 'Use tabs.' }]);
  expect(notes).toEqual([
    'Invisible characters (tags, direction marks, characters without width) are in src/list.js (5) and AGENTS.md (4). They are removed from requests, but an agent that opens such a file itself reads them.',
  ]);
});

test('a command of the project whose program is not installed says so, to agents and in the terminal', async () => {
  await using repo = await tempRepository();
  const files = {
    'a.js': 'export const a = 1;\n',
    'package.json': '{ "scripts": { "test": "node --test", "lint": "eslint ." } }\n',
    Justfile: 'test:\n  node --test\n',
    gradlew: '',
    'build.gradle': '',
  };
  await repo.commit('Begin', files);
  const at = join(repo.root, 'bin');
  mkdirSync(at);
  writeFileSync(join(at, 'npm'), '#!/bin/sh\n', { mode: 0o755 });
  const found = await findIn(repo, 'Change a', '', { PATH: at });
  const lacking = found.build_facts.filter(({ lacks }) => lacks !== undefined);
  expect(lacking).toMatchObject([{ value: 'just test', lacks: 'just' }]);
  const lines = contextSections(found).flatMap(({ entries }) => entries);
  expect(lines.filter((line) => line.includes('not installed'))).toEqual([
    'test: just test (Justfile; just is not installed here)',
  ]);
});
