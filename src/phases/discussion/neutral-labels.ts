import { createHash } from 'node:crypto';

/**
 * Labels A, B, C… for the next round’s questions, by solution id. They follow the order of a
 * hash of session, round and id: it says nothing about author or rank, so no agent can tell its
 * own solution or the leading one by the letter, and it is the same on every replay.
 */
export function neutralLabels({
  sessionId,
  round,
  ids,
}: {
  readonly sessionId: string;
  readonly round: number;
  readonly ids: readonly string[];
}): ReadonlyMap<string, string> {
  const hashed = [...new Set(ids)].map((id) => ({
    id,
    hash: createHash('sha256')
      .update(JSON.stringify([sessionId, round, id]))
      .digest('hex'),
  }));
  const sorted = hashed.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  return new Map(sorted.map(({ id }, index) => [id, String.fromCodePoint(65 + index)]));
}
