// Remembers how much of a long journal was checked, so that each opening checks only what came since.
import { z } from 'zod';
import { jsonIn } from '../model/json.ts';
import { version } from '../version.ts';
import { sha256Of } from './digest.ts';
import { bindText } from './seal.ts';
import type { SessionFolder } from './session-folder.ts';

/**
 * The length of the checked part, and the hash of its bytes bound with the user’s key. Nobody else
 * can make a binding that fits, and any changed byte breaks it: then the whole journal is checked
 * again. The size and time of the file would prove nothing.
 */
const CheckedPart = z.object({ bytes: z.int().min(1), bound: z.string() });

const fileName = 'journal-checked.json';

/** The smallest journal worth remembering, in bytes: checking less takes no time. */
const worthwhile = 256 * 1024;

/** Counts the bytes of a journal that this version read with this key before; 0 if none are known. */
export async function readCheckedPart(
  folder: SessionFolder,
  journal: Buffer,
  key: Buffer | null,
): Promise<number> {
  if (key === null || journal.length < worthwhile) return 0;
  const { data } = CheckedPart.safeParse(jsonIn((await folder.read(fileName)) ?? ''));
  if (data === undefined || data.bytes > journal.length) return 0;
  const part = journal.subarray(0, data.bytes);
  return data.bound === boundTo(part, { key, session: folder.id }) ? data.bytes : 0;
}

/** Remembers a journal that ends with a seal of the user, if much of it was not known before. */
export async function keepCheckedPart(
  folder: SessionFolder,
  journal: Buffer,
  { key, known }: { readonly key: Buffer | null; readonly known: number },
): Promise<void> {
  if (key === null || journal.length - known < worthwhile) return;
  const bound = boundTo(journal, { key, session: folder.id });
  await folder.writeJson(fileName, { bytes: journal.length, bound } satisfies CheckedPart);
}

type CheckedPart = z.infer<typeof CheckedPart>;

function boundTo(part: Buffer, by: { readonly key: Buffer; readonly session: string }): string {
  return bindText(`${version} ${sha256Of(part)}`, by);
}
