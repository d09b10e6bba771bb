// Says what confines the commands of an execution to their work trees, and what nothing confines.
import type { Agent } from '../../agents/agent.ts';
import type { Confinement } from '../../agents/process/confinement.ts';
import { listed, oneLine } from '../../model/wording.ts';

interface Commands {
  readonly confinement: Confinement | null;
  /** The checks that a person lets run without the confinement. */
  readonly unconfined: readonly string[];
  /** The agents that execute tasks, each once. */
  readonly executors: readonly Agent[];
}

/** A sentence about checks and the set-up and one about the executors, the same in every face. */
export function limitTexts({ confinement, unconfined, executors }: Commands): readonly string[] {
  const alike = Map.groupBy(executors, ({ traits }) =>
    traits.unenforced({ permission: 'edit-and-shell', denied: ['git'] }).join('; '),
  );
  return [
    checksText(confinement),
    ...(confinement === null ? [] : unconfined.map(tellUnconfined)),
    ...Array.from(alike, ([unheld, agents]) => agentsText(agents, unheld)),
  ];
}

function checksText(confinement: Confinement | null): string {
  if (confinement === null) {
    return 'Checks and the set-up are not confined: they may read and write wherever you may.';
  }
  const { name, isTried } = confinement;
  const doubt = isTried ? '' : ' (which we have not tried)';
  return `Checks and the set-up run in ${name}${doubt}: they write only to their work tree and the caches of your tools, read your home except its secrets, and may use the network.`;
}

function tellUnconfined(check: string): string {
  return `One check runs unconfined, as a person allowed for this plan, and may read and write wherever you may: ${oneLine(check)}`;
}

function agentsText(agents: readonly Agent[], unheld: string): string {
  const names = listed(agents.map(({ name }) => name));
  return unheld === ''
    ? `Held to the work tree by a sandbox of its own: ${names}.`
    : `Not enforced for ${names}: ${agents.length === 1 ? unheld : unheld.replace(/^it may/, 'each may').replace(/\bits\b/g, 'their')}.`;
}
