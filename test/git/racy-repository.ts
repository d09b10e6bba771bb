import { utimesSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tempRepository, type TempRepository } from './temp-repository.ts';

/** When the files were changed and the index was written, in s. */
export const second = 1_700_000_000;
export const names = Array.from({ length: 20 }, (_, number) => `src/f${number}.ts`);

/** Files of the second in which the index was written; the time of change tells git nothing. */
export async function racy(): Promise<TempRepository & { readonly scratch: string }> {
  const repo = await tempRepository();
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'conclave-scratch-')));
  repo.git('config', 'core.trustctime', 'false');
  await repo.write(Object.fromEntries(names.map((name) => [name, `one ${name}\n`])));
  for (const name of names) date(repo, name);
  await repo.commit('Start');
  date(repo, '.git/index');
  return {
    ...repo,
    scratch,
    async [Symbol.asyncDispose]() {
      await repo[Symbol.asyncDispose]();
      await rm(scratch, { recursive: true });
    },
  };
}

export function date({ root }: TempRepository, path: string, at = second): void {
  utimesSync(join(root, path), at, at);
}

export async function editUnseen(repo: TempRepository, name: string): Promise<void> {
  await repo.write({ [name]: `two ${name}\n` });
  date(repo, name);
}
