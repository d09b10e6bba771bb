// Gathers what changed in the user’s own work tree and repository while agents worked apart from it.
import type { ExecutionResult } from '../../model/execution.ts';
import type { Tools } from '../phase-tools.ts';

export type HomeChanges = NonNullable<ExecutionResult['home_changes']>;

/** Tools that remember what changed at home during the calls made with them, replayed ones too. */
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
