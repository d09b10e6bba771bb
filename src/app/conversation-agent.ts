// Chooses the agent for a conversation, by the name of an agent or a model, and the one that summarizes it.
import { isHarmlessFlag } from '../agents/cli/list.ts';
import { agentNameOf, meaningOf, ownModels } from '../agents/model-vocabulary.ts';
import { addressOf } from '../agents/api/api-setup.ts';
import { providers } from '../agents/api/api-providers.ts';
import type { ProviderName } from '../model/agent-settings.ts';
import { wrongUsage, Stopped } from '../model/failure.ts';
import { settingsTable } from '../model/settings.ts';
import { neverAborted } from '../model/signal.ts';
import { listed } from '../model/wording.ts';
import { pricesIn, type Settings } from './settings/load-settings.ts';
import type { Agent } from '../agents/agent.ts';
import { isChosen, poolToAsk } from './make-pool.ts';
import type { Workplace } from './workplace.ts';

interface Asked {
  readonly agent: string;
  /** The model; null for the agent’s own. */
  readonly model: string | null;
  /** The user’s settings, with the agent that was created for the model, if any. */
  readonly settings: Settings;
  /** Tells the user which of two ways was taken; null if there is only one. */
  readonly way: string | null;
  /** The agent whose program could be asked instead; null if there is only one way. */
  readonly program: string | null;
}

/** The makers of models whose CLI and API use the same names. */
const apiOf: Readonly<Record<string, ProviderName>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'google',
};

const oneWay = { way: null, program: null };

/**
 * Chooses the agent for a model that was named alone: in `consult` the API if the user has set it up or has a
 * key for it, otherwise the CLI that carries the model. Throws `usage` for a model that no agent carries.
 */
export function agentForModel({
  model,
  tool,
  settings,
  environment,
}: {
  readonly model: string;
  readonly tool: 'work' | 'consult';
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
}): Asked {
  const { agents: configured } = settings;
  const own = ownModels(Object.entries(configured), { toRead: tool === 'consult' });
  const meaning = meaningOf(model, Object.keys(configured), own);
  if (meaning.kind === 'agent') return { agent: meaning.agent, model: null, settings, ...oneWay };
  if (meaning.kind !== 'model') {
    const why = meaning.kind === 'nobody' ? `: ${meaning.why}` : '';
    throw wrongUsage(
      `--model: no agent is known for ${JSON.stringify(model)}${why}; name its agent with --agent.`,
    );
  }
  const { agent } = meaning;
  const provider = tool === 'consult' ? apiOf[agent] : undefined;
  const key = provider && providers[provider].keys.find((name) => (environment[name] ?? '') !== '');
  // An alias such as "opus" is known to the CLI only.
  if (provider === undefined || key === undefined || !/\d/.test(model)) {
    return { agent, model: meaning.model, settings, ...oneWay };
  }
  const name = agentNameOf(model, (taken) => Object.hasOwn(configured, taken));
  const prices = pricesIn(settings.sources);
  const api = { provider, model: meaning.model, prices };
  const agents = { ...configured, [name]: { api } };
  const { address, source } = addressOf({ api, settings: {}, environment });
  const at = source === 'base_url' ? '' : ` at ${address}, as ${source} says,`;
  const way = `${providers[provider].label} is asked by its API${at || ','} with the key in ${key}`;
  return { agent: name, model: null, settings: { ...settings, agents }, way, program: agent };
}

/**
 * Checks the flags that a host gives for the program of an agent. Throws `usage` for flags that are neither
 * known to be harmless nor allowed by the user.
 */
export function checkHostFlags(
  agent: string,
  flags: readonly string[],
  { agents: configured }: Pick<Settings, 'agents'>,
): void {
  const meaning = meaningOf(agent, Object.keys(configured));
  const name = 'agent' in meaning ? meaning.agent : agent;
  const { allowFlags = [], cli = name } = configured[name] ?? {};
  const isAllowed = (flag: string) =>
    isHarmlessFlag(cli, flag) || allowFlags.includes(flag) || allowFlags.includes('*');
  const refused = flags.filter((flag) => !isAllowed(flag));
  if (refused.length === 0) return;
  throw wrongUsage(
    `cli_flags: ${name} takes ${listed(refused.map((flag) => JSON.stringify(flag)))} from a host only where your own settings allow it: [agents.${name}] allow_flags = ${JSON.stringify(refused)}.`,
  );
}

/** The summarizer in the settings; null if none is set. Throws `usage` if no agent is known for it. */
export function summarizerFor(
  workplace: Workplace,
): { readonly agent: Agent; readonly model: string | null } | null {
  const { settings, environment } = workplace;
  const name = settings.conversation.summarizer;
  if (name === undefined) return null;
  const asked = answererOf(name, { settings, environment });
  const agent = poolToAsk({ ...workplace, settings: asked.settings }).get(asked.agent);
  if (agent?.kind === 'model') return { agent, model: asked.model };
  throw wrongUsage(
    `conversation.summarizer: there is no agent or model ${JSON.stringify(name)}; name one of your agents, or a model that one carries.`,
  );
}

/**
 * Names the agent for a turn where none is named: the default agent, or where that is not ready the first that
 * is, with a note for the person. A default agent that the user chose is the only one that may work.
 */
export async function readyAgent(
  workplace: Workplace,
  tool: 'work' | 'consult',
): Promise<{ readonly agent: string; readonly note: string | null }> {
  const { settings } = workplace;
  const usual = settings.read(settingsTable.agent.cli);
  const isWork = tool === 'work';
  if (isWork && isChosen(settings, settingsTable.agent.cli)) return { agent: usual, note: null };
  const agents = poolToAsk(workplace);
  const { tools, fallback_chain: chain } = settings.run;
  const names = [usual, ...tools, ...chain, ...agents.models().map(({ name }) => name)];
  const able = names.filter((name) => !isWork || agents.get(name)?.traits.edits === true);
  const { findReadyModel } = await import('../phases/asking/ask-seat.ts');
  const agent = (await findReadyModel([...new Set(able)], agents, neverAborted)) ?? usual;
  return { agent, note: agent === usual ? null : `${usual} is not ready, so ${agent} is asked.` };
}

/** Chooses like `agentForModel` in `consult`; a name for which no agent is known is returned unchanged. */
export function answererOf(
  model: string,
  place: Pick<Workplace, 'settings' | 'environment'>,
): Asked {
  try {
    return agentForModel({ ...place, model, tool: 'consult' });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { agent: model, model: null, settings: place.settings, ...oneWay };
  }
}
