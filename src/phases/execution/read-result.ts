// Reads the result of the last execution, without the modules that execute a plan.
import { ExecutionResult } from '../../model/execution.ts';
import { jsonIn } from '../../model/json.ts';
import type { SessionFolder } from '../../store/session-folder.ts';

export const resultFile = 'execution-result.json';

/** The result of the last execution; null if there is none or it cannot be read. */
export async function readResult({
  folder,
}: {
  readonly folder: SessionFolder;
}): Promise<ExecutionResult | null> {
  return ExecutionResult.safeParse(jsonIn((await folder.read(resultFile)) ?? '')).data ?? null;
}
