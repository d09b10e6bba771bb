import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TempRepository } from './temp-repository.ts';

/** A program that notes that it ran, and hands on what it is given. */
export function canary(repo: TempRepository): {
  readonly path: string;
  readonly ran: () => boolean;
} {
  const note = join(repo.root, '.git', 'canary-ran');
  const path = join(repo.root, '.git', 'canary.sh');
  writeFileSync(path, `#!/bin/sh\ntouch '${note}'\n[ -t 0 ] || cat\n`);
  chmodSync(path, 0o755);
  return {
    path,
    ran: () => {
      const ran = existsSync(note);
      rmSync(note, { force: true });
      return ran;
    },
  };
}
