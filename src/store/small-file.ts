// Keeps small JSON files with lowdb, over the atomic writes of the store.
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

/** Opens a file that is read as a whole each time, because another process may have written it. */
export function openSmallFile<T>(file: {
  /** Reads the text of the file, or null if it does not exist. */
  read(): Promise<string | null>;
  /** Parses the text; null if it counts as missing; may throw instead. */
  parse(text: string): T | null;
  write(value: T): Promise<void>;
  /** The value if the file does not exist. */
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

/** Reads a user’s file in its shape; null if it is missing or damaged. */
export async function readUserJson<T>(file: string, shape: ZodType<T>): Promise<T | null> {
  return readAs(shape, await nullIfAbsent(readFile(file, 'utf8')));
}

/** Writes a user’s file (0600), in a folder that only they can read. Throws `cannot-write`. */
export async function writeUserJson(file: string, value: unknown): Promise<void> {
  await guardWrite(file, () => makeFolder(dirname(file), { mode: 0o700 }));
  await writeAtomic(file, jsonText(value));
}
