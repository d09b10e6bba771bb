// Runs `conclave mcp`, and the processes of its jobs.
import { wrongUsage } from '../model/failure.ts';

/** Serves the Model Context Protocol; `start-job` and `run-job` are for our own processes. */
export async function mcpCommand(words: readonly string[]): Promise<number> {
  const [word, id = ''] = words;
  const { env } = process;
  if (word === undefined) {
    await (await import('../mcp/server.ts')).serveMcp(env);
    return 0;
  }
  if (word === 'start-job') (await import('../mcp/job-store.ts')).leaveJobRunning(id, env);
  else if (word === 'run-job') await (await import('../mcp/run-job.ts')).runJob(id, env);
  else throw wrongUsage(`"conclave mcp serve" takes no word "${word}".`);
  return 0;
}
