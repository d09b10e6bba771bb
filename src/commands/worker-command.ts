// Runs `conclave worker`: serves the owner of sessions at the other end of a pipe, or pulls runs from the queue.
import { poolToAsk } from '../app/make-pool.ts';
import { ownQueue } from '../app/own-machines.ts';
import { workerChecks } from '../app/worker-checks.ts';
import { dataFolder } from '../app/user-folders.ts';
import { openWorkplace } from '../app/workplace.ts';

/**
 * Works until its standard input ends, or with `queue` until it is stopped. Its agents are those of this user's
 * own configuration, on this machine.
 */
export async function workerCommand(
  environment: NodeJS.ProcessEnv,
  { queue }: { readonly queue: boolean },
): Promise<number> {
  const workplace = await openWorkplace({ cwd: '/', environment, flags: [] });
  const settings = { ...workplace.settings, machines: [], machine: null };
  const agents = poolToAsk({ ...workplace, settings });
  const folder = `${dataFolder(environment)}/worker`;
  const stopping = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(name, () => stopping.abort());
  const setup = { folder, agents, stop: stopping.signal, ...workerChecks(workplace) };
  if (queue) {
    const { servePool } = await import('../machines/queue-runs.ts');
    const own = await ownQueue(workplace);
    await servePool({ ...setup, ...own, slots: settings.execution.jobs });
  } else {
    const { serveOwner } = await import('../machines/worker.ts');
    await serveOwner({ ...setup, input: process.stdin, output: process.stdout });
  }
  return 0;
}
