import { createHash } from 'node:crypto';

/** The id that a CLI is given for the session of one run: the same for the same mark. */
export function sessionIdOf(mark: string): string {
  const hex = createHash('sha256').update(mark).digest('hex');
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return [...groups, hex.slice(20, 32)].join('-');
}
