import { formatVersion } from '../model/session.ts';
import type { Journal } from './journal.ts';
import { LoggedSteps } from './logged-steps.ts';
import { withFollowers } from './recorded-steps.ts';
import type { Steps } from './steps.ts';

export { finishedSteps } from './recorded-steps.ts';

/** Steps recorded in a session’s journal. Void what is to be redone before this is made. */
export function journalSteps({
  journal,
  onFinished,
  now,
}: {
  journal: Journal;
  onFinished?: (step: { key: string; replayed: boolean }) => void;
  now?: () => Date;
}): Steps {
  return new LoggedSteps(journal, { onFinished, now });
}

/**
 * Marks steps, and every step that was started after the first of them had finished (or was
 * started, where it never finished), to be run again. Returns all their keys; keys that the
 * journal does not know are left out.
 */
export async function voidFrom(
  journal: Journal,
  keys: readonly string[],
  why: string,
): Promise<readonly string[]> {
  const all = withFollowers(journal.records, keys);
  if (all.length > 0)
    await journal.append({
      v: formatVersion,
      at: new Date().toISOString(),
      type: 'voided',
      keys: [...all],
      why,
    });
  return all;
}
