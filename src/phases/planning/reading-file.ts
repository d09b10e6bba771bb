// Reads `plan-reading.json`, what other vendors found in a plan.
import { jsonIn } from '../../model/json.ts';
import { PlanReading } from '../../model/plan-reading.ts';
import type { SessionFolder } from '../../store/session-folder.ts';

/** The file next to the plan that it is about. */
export const readingFile = 'plan-reading.json';

/** Reads the file; null if nobody was asked to read the plan, or if the file cannot be read. */
export async function readReading({
  folder,
}: {
  readonly folder: Pick<SessionFolder, 'read'>;
}): Promise<PlanReading | null> {
  return PlanReading.safeParse(jsonIn((await folder.read(readingFile)) ?? '')).data ?? null;
}
