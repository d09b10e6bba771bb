import { mkdir, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { Stopped } from '../../model/failure.ts';
import { jsonIn } from '../../model/json.ts';
import { writeAtomic } from '../../store/atomic.ts';
import { writing } from '../../store/system-error.ts';
import { settingsBytes } from './config-file.ts';

/** From the real path of a project's settings file to the sha256 of the content that is trusted. */
const Trust = z.strictObject({
  version: z.literal(1),
  trusted: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});
type Trust = z.infer<typeof Trust>;

/** A settings file and the sha256 of its exact content. */
export interface SettingsContent {
  readonly file: string;
  readonly hash: string;
}

/** Whether the user trusted exactly this content of this file. */
export async function isTrusted(content: SettingsContent, store: string): Promise<boolean> {
  const { trusted } = await readTrust(store);
  return trusted[await realpath(content.file)] === content.hash;
}

/** Throws `cannot-write`. */
export async function trust(content: SettingsContent, store: string): Promise<void> {
  const { trusted } = await readTrust(store);
  const file = await realpath(content.file);
  await writeTrust(store, { version: 1, trusted: { ...trusted, [file]: content.hash } });
}

/** Resolves to whether there was any trust in the file, in whatever content. */
export async function distrust(file: string, store: string): Promise<boolean> {
  const { trusted } = await readTrust(store);
  const { [await realpath(file)]: before, ...others } = trusted;
  if (before !== undefined) await writeTrust(store, { version: 1, trusted: others });
  return before !== undefined;
}

async function readTrust(store: string): Promise<Trust> {
  const bytes = await settingsBytes(store);
  if (bytes === null) return { version: 1, trusted: {} };
  const parsed = Trust.safeParse(jsonIn(bytes.toString()));
  if (parsed.success) return parsed.data;
  const message = 'the file is damaged; remove it and trust your projects again.';
  throw new Stopped({ reason: 'config', file: store, message });
}

async function writeTrust(store: string, value: Trust): Promise<void> {
  await writing(store, () => mkdir(dirname(store), { recursive: true, mode: 0o700 }));
  await writeAtomic(store, `${JSON.stringify(value, null, 2)}\n`);
}
