// Refuses a run if an agent that was named for the work or its review cannot do it.
import type { Agent } from '../agents/agent.ts';
import { agentOfMethod, agentOfReview, byHand } from '../model/team.ts';
import { type Stopped, wrongUsage } from '../model/failure.ts';
import { listed, sentence } from '../model/wording.ts';
import type { NamedTeam } from '../workflow/recorded-team.ts';
import { suggestion } from '../model/closest-name.ts';
import { poolToAsk } from './make-pool.ts';
import type { Workplace } from './workplace.ts';

/**
 * Throws `usage` if an agent named by `--execution` or `--review` does not exist, is not ready, or does not do
 * such work. No other agent replaces it; `agent` and `auto` do not name one.
 */
export async function checkTeam(
  workplace: Workplace,
  { execution, review }: NamedTeam,
  signal: AbortSignal,
): Promise<void> {
  if (execution !== null && execution !== 'Auto' && execution !== byHand) {
    await checkEditor('--execution', agentOfMethod(execution), { workplace, signal });
  }
  if (review !== null) {
    await readyAgent('--review', agentOfReview(review), { workplace, signal });
  }
}

/** Throws `usage` if an agent that is to resolve a conflict does not exist, is not ready, or cannot edit files. */
export async function checkResolver(
  workplace: Workplace,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  await checkEditor('--resolve-with', name, { workplace, signal });
}

async function checkEditor(
  flag: string,
  name: string | null,
  asked: { readonly workplace: Workplace; readonly signal: AbortSignal },
): Promise<void> {
  const agent = await readyAgent(flag, name, asked);
  if (agent?.traits.edits !== false) return;
  throw wrongUsage(
    `${flag}: ${agent.name} is a model behind an API, which only reads and edits no file; name another agent.`,
  );
}

/** The agent, if it is ready; null if none is named. */
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

/** The words that a flag accepts besides the names of agents. */
const wordsOf: Readonly<Record<string, readonly string[]>> = {
  '--execution': ['agent', 'auto'],
  '--review': ['skip', 'agent'],
};

function unknownAgent(flag: string, name: string, models: readonly Agent[]): Stopped {
  const words = wordsOf[flag] ?? [];
  const names = [...words, ...models.map((one) => one.name)];
  const known = suggestion(name, names, ` It takes ${listed(names)}.`);
  return wrongUsage(`${flag}: there is no agent ${JSON.stringify(name)}.${known}`);
}
