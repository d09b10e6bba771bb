// Hashes contents, and values whatever the order of their keys.
import { createHash } from 'node:crypto';

/** sha256 in hex. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** sha256 (hex) of a value as JSON with sorted keys: the order of keys does not matter. */
export function digestOf(value: unknown): string {
  return sha256Of(canonicalJson(value));
}

/** JSON with sorted keys; `undefined` counts as null. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => sortKeys(part)) ?? 'null';
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
