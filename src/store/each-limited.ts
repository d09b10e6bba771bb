// Works on many items, a few at a time.

const atOnce = 16;

/**
 * Runs `work` on each item, a few at a time; the results keep the order of the items. Once one
 * rejects, no other begins, and those under way are awaited.
 */
export async function eachLimited<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const faults: unknown[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (faults.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        faults.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (faults.length > 0) throw faults[0];
  return results;
}
