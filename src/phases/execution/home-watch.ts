// Gathers what changed in the user's own work tree and repository while agents worked elsewhere.
import type { ExecutionResult } from '../../model/execution.ts';
import type { Tools } from '../phase-tools.ts';

export type HomeChanges = NonNullable<ExecutionResult['home_changes']>;

/** Wraps tools so that they remember the changes at home during their calls, including replayed ones. */
export function watchHome(tools: Tools): {
  readonly tools: Tools;
  changes(): HomeChanges;
} {
  const changes: HomeChanges = [];
  const emit: Tools['emit'] = (event, fromRecord) => {
    if (event.type === 'tree.changed' && event.beside !== undefined) {
      const { files, agent, beside } = event;
      changes.push({ files: [...files], beside, proven: agent !== null });
    }
    tools.emit(event, fromRecord);
  };
  return { tools: { ...tools, emit }, changes: () => [...changes] };
}
