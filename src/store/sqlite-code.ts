// Reads the result codes of SQLite, as https://sqlite.org/rescode.html lists them.
import { isObject } from '../model/json.ts';

/** The code that says another connection has the lock. */
export const sqliteBusy = 5;

/** True for a file that is damaged, or not a database at all. */
export function isDamage(code: number | null): boolean {
  return code === 11 || code === 26;
}

/** The primary result code of an error of SQLite; null for any other error. */
export function sqliteCode(error: unknown): number | null {
  const code = isObject(error) ? error['errcode'] : undefined;
  return typeof code === 'number' ? code & 0xff : null;
}
