import { symlink, writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFacts } from '../../../src/context/package/project-facts.ts';
import { tempRepository } from '../../git/temp-repository.ts';

test('the project’s own facts are read in a fixed order, empty ones left out', async () => {
  await using repo = await tempRepository('plain');
  await repo.write({
    'AGENTS.md': 'Use tabs.',
    '.workflow/specs/b.md': 'B',
    '.workflow/specs/a.md': 'A',
    '.workflow/specs/c.txt': 'not a specification',
    '.workflow/specs/empty.md': ' \n',
    '.workflow/project-tech.json': '{"language":"ts"}',
  });
  expect(await projectFacts(repo.root)).toEqual([
    { source: '.workflow/project-tech.json', text: '{"language":"ts"}' },
    { source: '.workflow/specs/a.md', text: 'A' },
    { source: '.workflow/specs/b.md', text: 'B' },
    { source: 'AGENTS.md', text: 'Use tabs.' },
  ]);
});

test('a long one is cut between characters, with a note', async () => {
  await using repo = await tempRepository('plain');
  await repo.write({ 'AGENTS.md': `x${'é'.repeat(20_000)}` });
  const [fact] = await projectFacts(repo.root);
  expect(fact?.text).toMatch(/é\n\[cut: the first 16 KB of 40 KB\]$/);
  expect(fact?.text).not.toContain('\uFFFD');
});

test('a link inside the root is followed, one that leads out or into .git is refused', async () => {
  await using repo = await tempRepository();
  const outside = `${repo.root}-secret`;
  await writeFile(outside, 'secret');
  try {
    await repo.write({ 'CLAUDE.md': 'Be brief.', '.workflow/specs/a.md': 'A' });
    await symlink('CLAUDE.md', join(repo.root, 'AGENTS.md'));
    await symlink(outside, join(repo.root, '.workflow/specs/out.md'));
    await symlink('../../.git/config', join(repo.root, '.workflow/specs/git.md'));
    expect((await projectFacts(repo.root)).map(({ text }) => text)).toEqual(['A', 'Be brief.']);
  } finally {
    await rm(outside);
  }
});

test('a project without facts has none', async () => {
  await using repo = await tempRepository('plain');
  expect(await projectFacts(repo.root)).toEqual([]);
  expect(await projectFacts(join(repo.root, 'nowhere'))).toEqual([]);
});
