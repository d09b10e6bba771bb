// Finds who shortens long answers and older turns.
import type { Agent } from '../agents/agent.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { agentForModel } from './conversation-agent.ts';
import { poolToAsk } from './pool.ts';
import type { Workplace } from './workplace.ts';

/** The summarizer of the settings; null where none is set. Throws `usage` where nobody is known for it. */
export function summarizerFor(
  workplace: Workplace,
): { readonly agent: Agent; readonly model: string | null } | null {
  const { settings, environment } = workplace;
  const name = settings.conversation.summarizer;
  if (name === null) return null;
  const asked = askedFor(name, { settings, environment });
  const agent = asked && poolToAsk({ ...workplace, settings: asked.settings }).get(asked.agent);
  if (agent?.kind === 'model') return { agent, model: asked?.model ?? null };
  throw wrongUsage(
    `conversation.summarizer: nobody is known for ${JSON.stringify(name)}; name an agent of yours, or a model that one carries.`,
  );
}

function askedFor(model: string, place: Pick<Workplace, 'settings' | 'environment'>) {
  try {
    return agentForModel({ ...place, model, tool: 'consult' });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return null;
  }
}
