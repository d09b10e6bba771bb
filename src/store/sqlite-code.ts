// Reads the result codes of SQLite, as https://sqlite.org/rescode.html lists them.
import { z } from 'zod';

/** The code that says another connection has the lock. */
export const sqliteBusy = 5;

/** True for a file that is damaged, or not a database at all. */
export function isDamage(code: number | null): boolean {
  return code === 11 || code === 26;
}

/** The primary result code of an error of SQLite; null for any other error. */
export function sqliteCode(error: unknown): number | null {
  const parsed = z.object({ errcode: z.int() }).safeParse(error);
  return parsed.success ? parsed.data.errcode & 0xff : null;
}
