// Runs `conclave worker`: serves the owner of sessions at the other end of a pipe.
import { poolToAsk } from '../app/make-pool.ts';
import { dataFolder } from '../app/user-folders.ts';
import { openWorkplace } from '../app/workplace.ts';
import { serveOwner } from '../machines/worker.ts';

/** Works until its standard input ends. Its agents are those of this user's own configuration, on this machine. */
export async function workerCommand(environment: NodeJS.ProcessEnv): Promise<number> {
  const workplace = await openWorkplace({ cwd: '/', environment, flags: [] });
  const settings = { ...workplace.settings, machines: [] };
  const agents = poolToAsk({ ...workplace, settings });
  const folder = `${dataFolder(environment)}/worker`;
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(name, () => stop.abort());
  await serveOwner({
    input: process.stdin,
    stop: stop.signal,
    output: process.stdout,
    folder,
    agents,
  });
  return 0;
}
