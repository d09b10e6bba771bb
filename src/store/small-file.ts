// Keeps small JSON of ours by lowdb, over the atomic writes of the store.
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Low } from 'lowdb';
import type { ZodType } from 'zod';
import { readAs } from '../model/json.ts';
import { jsonText } from './folder-files.ts';
import { writeAtomic } from './atomic.ts';
import { guardWrite, nullIfAbsent } from './system-error.ts';
import { makeFolder } from './make-folder.ts';

export interface SmallFile<T> {
  read(): Promise<T>;
  write(value: T): Promise<void>;
}

/** One file that is read and written as a whole, each time anew: another process may have written it. */
export function openSmallFile<T>(file: {
  /** Null where there is no file. */
  read(): Promise<string | null>;
  /** Null where the text counts as no file; may throw instead. */
  parse(text: string): T | null;
  write(value: T): Promise<void>;
  /** Read where there is no file. */
  readonly missing: T;
}): SmallFile<T> {
  const adapter = {
    async read() {
      const text = await file.read();
      return text === null ? null : file.parse(text);
    },
    write: (value: T) => file.write(value),
  };
  return {
    async read() {
      const database = new Low(adapter, file.missing);
      await database.read();
      return database.data;
    },
    write: async (value) => new Low(adapter, value).write(),
  };
}

/** A file of the user in its shape; null where there is none, or where it is damaged. */
export async function readUserJson<T>(file: string, shape: ZodType<T>): Promise<T | null> {
  return readAs(shape, await nullIfAbsent(readFile(file, 'utf8')));
}

/** Writes a file of the user (0600), in a folder that only they can read. Throws `cannot-write`. */
export async function writeUserJson(file: string, value: unknown): Promise<void> {
  await guardWrite(file, () => makeFolder(dirname(file), { mode: 0o700 }));
  await writeAtomic(file, jsonText(value));
}
