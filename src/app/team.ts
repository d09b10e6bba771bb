// Refuses a run of whose agents one that was named for the work or its review cannot do that.
import type { Agent } from '../agents/agent.ts';
import { agentOfMethod, agentOfReview } from '../model/team.ts';
import { type Stopped, wrongUsage } from '../model/failure.ts';
import { listed, sentence } from '../model/wording.ts';
import type { NamedTeam } from '../workflow/recorded-team.ts';
import { suggestion } from './closest-name.ts';
import { poolToAsk } from './pool.ts';
import type { Workplace } from './workplace.ts';

/**
 * Throws `usage` where who is named by `--execution` or `--review` is not there, not ready, or does
 * no such work. Nobody else does it then; `agent` and `auto` name nobody.
 */
export async function checkTeam(
  workplace: Workplace,
  { execution, review }: NamedTeam,
  signal: AbortSignal,
): Promise<void> {
  if (execution !== null && execution !== 'Auto') {
    const agent = await readyAgent('--execution', agentOfMethod(execution), { workplace, signal });
    if (agent?.traits.edits === false) {
      throw wrongUsage(
        `--execution: ${agent.name} is a model behind an API, which only reads and edits no file; name another agent.`,
      );
    }
  }
  if (review !== null) {
    await readyAgent('--review', agentOfReview(review), { workplace, signal });
  }
}

/** Null where nobody is named. */
async function readyAgent(
  flag: string,
  name: string | null,
  { workplace, signal }: { readonly workplace: Workplace; readonly signal: AbortSignal },
): Promise<Agent | null> {
  if (name === null) return null;
  const pool = poolToAsk(workplace);
  const agent = pool.get(name);
  if (agent?.kind !== 'model') throw unknownAgent(flag, name, pool.models());
  const readiness = await agent.ready(signal);
  if (readiness.state === 'ready') return agent;
  const { why, remedy } = readiness;
  throw wrongUsage(`${flag}: the agent ${name} is not ready: ${sentence(why)} ${remedy}`);
}

function unknownAgent(flag: string, name: string, models: readonly Agent[]): Stopped {
  const words = flag === '--review' ? ['skip', 'agent'] : ['agent', 'auto'];
  const names = [...words, ...models.map((one) => one.name)];
  const known = suggestion(name, names, ` It takes ${listed(names)}.`);
  return wrongUsage(`${flag}: there is no agent ${JSON.stringify(name)}.${known}`);
}
