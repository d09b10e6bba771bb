import { expect, test } from 'vitest';
import { unreadable } from '../../src/git/git-folders.ts';

test.each([
  ['/srv/work', "'/srv/work'"],
  ["/srv/ann's work", String.raw`'/srv/ann'\''s work'`],
])(
  'a repository of somebody else at %s is trusted by a command that a shell takes',
  (top, word) => {
    const reason = `fatal: detected dubious ownership in repository at '${top}'`;
    expect(unreadable(top, reason).message).toContain(
      `git config --global --add safe.directory ${word}\``,
    );
  },
);
