import { expect, test } from 'vitest';
import { filesWithWords } from '../../src/git/look-up.ts';
import { tempRepository } from './temp-repository.ts';

test('words are found whatever the user’s settings add to the output of git', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.txt': 'alpha beta\n' });
  for (const key of ['grep.lineNumber', 'grep.column', 'grep.fullName', 'submodule.recurse'])
    repo.git('config', key, 'true');
  repo.git('config', 'color.ui', 'always');
  const target = { root: repo.root, signal: new AbortController().signal };
  expect(await filesWithWords(target, ['alpha', 'beta'])).toEqual(
    new Map([
      ['alpha', ['a.txt']],
      ['beta', ['a.txt']],
    ]),
  );
});
