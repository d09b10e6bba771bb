// Says what holds the commands of an execution to their work trees, and what nothing holds.
import type { Agent } from '../../agents/agent.ts';
import type { Confinement } from '../../agents/process/confinement.ts';

interface Commands {
  readonly confinement: Confinement | null;
  /** Those that carry tasks out, each once. */
  readonly executors: readonly Agent[];
}

/** A sentence for checks and set-up, and one for each executor; the same on every face. */
export function limitTexts({ confinement, executors }: Commands): readonly string[] {
  return [checksText(confinement), ...executors.map(executorText)];
}

function checksText(confinement: Confinement | null): string {
  if (confinement === null) {
    return 'Checks and the set-up are not confined: they may read and write wherever you may.';
  }
  const { name, isTried } = confinement;
  const doubt = isTried ? '' : ' (which nobody of us has tried)';
  return `Checks and the set-up run in ${name}${doubt}: they write only to their work tree and the caches of your tools, read your home save its secrets, and may use the network.`;
}

function executorText({ name, traits }: Agent): string {
  const unheld = traits.unheld();
  return unheld.length === 0
    ? `${name} is held to its work tree.`
    : `Not enforced for ${name}: ${unheld.join('; ')}.`;
}
