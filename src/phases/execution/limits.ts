// Says what confines the commands of an execution to their work trees, what nothing does, and how long checks take.
import type { Agent } from '../../agents/agent.ts';
import type { Confinement } from '../../agents/process/confinement.ts';
import { isProgram } from '../../model/check.ts';
import type { CheckRun } from '../../model/check-record.ts';
import type { ExecutionSettings } from '../../model/settings.ts';
import type { Task } from '../../model/task.ts';
import { counted, listed, oneLine } from '../../model/wording.ts';
import { listOwned } from './record-checks.ts';

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

/** The least time of checks that is worth a word, in ms. */
const worthTelling = 5_000;

/**
 * Says in a sentence how long the checks of the tasks will take, by how long the first ones took; nothing if that
 * is short or unknown. Each runs on the work, on the joined work, and on the start once more.
 */
export function forecastText(
  rehearsed: readonly Pick<CheckRun, 'ms' | 'kind'>[],
  {
    tasks,
    jobs,
    rechecks,
  }: { readonly tasks: readonly Task[] } & Pick<ExecutionSettings, 'jobs' | 'rechecks'>,
): readonly string[] {
  const took = rehearsed.filter(isProgram).map(({ ms }) => ms);
  const checks = listOwned(tasks, isProgram).length;
  const runs = rechecks ? 3 : 2;
  const inAll = (took.reduce((sum, ms) => sum + ms, 0) / took.length) * checks;
  const ms = runs * Math.max(inAll / Math.min(jobs, tasks.length), ...took);
  if (took.length === 0 || ms < worthTelling) return [];
  const about =
    ms < 90_000
      ? counted(Math.round(ms / 1000), 'second')
      : counted(Math.round(ms / 60_000), 'minute');
  const how = `${rechecks ? '3 times' : 'twice'} each, ${jobs === 1 ? 'one' : `up to ${jobs}`} at a time`;
  return [
    `Besides the agents, the checks will take about ${about}: ${counted(checks, 'check')}, ${how}.`,
  ];
}
