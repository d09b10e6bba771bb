// Refuses settings of agents that do not exist or settings that conflict, and warns about models.
import { acpProgramOf, presets } from '../../agents/acp/programs.ts';
import { analystNames } from '../../model/agent-settings.ts';
import { adapters } from '../../agents/cli/list.ts';
import { carrierOf, isAnyModel, meaningOf } from '../../agents/model-vocabulary.ts';
import { chosenPhases } from '../../model/phase-choice.ts';
import type { Setting } from '../../model/setting.ts';
import { settingsTable } from '../../model/settings.ts';
import { suggestion } from '../../model/closest-name.ts';
import { type Leaf, type Leaves, keyOf, leafFor, pathOf, reader } from './leaf.ts';
import {
  adapterNames,
  agentNamesIn,
  analystsWord,
  apiModels,
  expandLocal,
  isOfAgent,
} from './roster.ts';

const { agent: planner, agents, phases } = settingsTable;

/** Throws, blaming the source, if a setting names an agent that does not exist or that lacks the setting. */
export function checkAgents(leaves: Leaves, guests: readonly string[] = []): void {
  const settable = agentNamesIn(leaves);
  for (const leaf of leaves.values()) {
    // A session continues with the agents from its start, whether or not they are still configured.
    if (leaf.source.name === 'the session') continue;
    // A guest is set up only by its own program.
    const known = isOfAgent(leaf) ? settable : [...guests, ...settable];
    const fault =
      analystFault(leaf) ??
      unknownAgent(leaf, known) ??
      kindFault(leaf, leaves) ??
      modelFault(leaf, leaves) ??
      phaseFault(leaf, leaves);
    if (fault !== null) throw leaf.source.stop(pathOf(leaf.setting, leaf.name), fault);
  }
}

function analystFault({ setting, name }: Leaf): string | null {
  if (!isOfAgent({ setting })) return null;
  if (name === analystsWord) {
    return `cannot be set: "${analystsWord}" stands for the built-in analysts; take another name`;
  }
  if (!analystNames.includes(name) || setting === agents.enabled) return null;
  return `cannot be set: ${name} is built in; it starts no program and uses no model`;
}

function unknownAgent(leaf: Leaf, known: readonly string[]): string | null {
  const missing = namedIn(leaf).filter((name) => !known.includes(name));
  const [nobody] = isOfAgent(leaf) ? [] : missing.flatMap((name) => nobodyFault(name, known) ?? []);
  if (nobody !== undefined) return nobody;
  const isModel = leaf.setting.names === 'models';
  const candidates = known.filter((name) => !isModel || !analystNames.includes(name));
  const wrong = namedIn(leaf).find((name) => !candidates.includes(name));
  if (wrong === undefined) return null;
  const key = (setting: Setting) => keyOf(pathOf(setting, wrong));
  const own = ` A program of your own needs ${key(agents.path)} or ${key(agents.acp)}, a model behind an API ${key(agents.provider)}.`;
  const hint = suggestion(wrong, candidates, own);
  const agent = isModel ? 'agent with a model' : 'agent';
  return `names "${wrong}", and there is no such ${agent}.${hint} Known agents: ${candidates.join(', ')}`;
}

/** The agents that a setting names. */
function namedIn({ setting, name, value }: Leaf): readonly string[] {
  if (isOfAgent({ setting })) return [name];
  return setting.names === undefined ? [] : expandLocal([value].flat().map(String));
}

/** Explains why a name of an agent or a model has no match, as a demand on its setting. */
function nobodyFault(name: string, known: readonly string[]): string | null {
  const meaning = meaningOf(name, known);
  return meaning.kind === 'nobody' ? `cannot be taken: ${meaning.why}` : null;
}

const common: readonly Setting[] = [
  agents.enabled,
  agents.model,
  agents.env,
  agents.vendor,
  agents.timeoutMs,
  agents.atOnce,
  agents.allowFlags,
];
const ofClis = [...common, agents.effort, agents.path, agents.args, agents.isolation];
const { provider, baseUrl, keyEnv, keyCommand, contextTokens } = agents;
const ofApis = [...common, agents.effort, provider, baseUrl, keyEnv, keyCommand, contextTokens];
const ofAcp = [...common, agents.acp, agents.mode];

/** Says what kind of agent a name stands for, and which settings such an agent takes. */
function kindOf(name: string, has: (setting: Setting) => boolean) {
  if (adapterNames.includes(name))
    return { is: 'a CLI; take another name for another kind of agent', takes: ofClis };
  if (has(provider)) return { is: 'a model behind an API, which starts no program', takes: ofApis };
  if (has(agents.acp)) return { is: 'an ACP agent, which its command starts', takes: ofAcp };
  if (has(agents.cli)) return { is: 'another name of a CLI', takes: [...ofClis, agents.cli] };
  if (presets.has(name))
    return { is: 'a known ACP program', takes: [...ofClis, agents.acp, agents.mode] };
  return { is: 'a program of your own', takes: ofClis };
}

/** Explains why a setting does not fit the kind of its agent, or has no effect there. */
function kindFault({ setting, name, value }: Leaf, leaves: Leaves): string | null {
  if (!isOfAgent({ setting })) return null;
  const has = (other: Setting) => leafFor(leaves, other, name) !== undefined;
  const { is, takes } = kindOf(name, has);
  if (!takes.includes(setting)) return `cannot be set: ${name} is ${is}`;
  if (setting === agents.cli && !adapterNames.includes(String(value))) {
    const hint = suggestion(String(value), adapterNames);
    return `names "${String(value)}", and there is no such CLI.${hint} The known ones: ${adapterNames.join(', ')}`;
  }
  const needed = value === 'compatible' ? [agents.model, baseUrl] : [agents.model];
  const missing = setting === provider ? needed.find((other) => !has(other)) : undefined;
  if (missing !== undefined) return `needs ${keyOf(pathOf(missing, name))}`;
  if (setting !== agents.isolation) return null;
  const choices: readonly unknown[] = adapters.find((one) => one.name === name)?.isolations ?? [];
  if (choices.includes(value)) return null;
  return `cannot be ${JSON.stringify(value)}: ${name} takes ${choices.join(', ') || 'nothing'}`;
}

/** Explains why no agent can be asked for a model. */
function modelFault({ setting, name, value }: Leaf, leaves: Leaves): string | null {
  const model = String(value);
  const api = reader(leaves)(provider, name);
  // A user’s own server may give a model any name.
  if (setting === agents.model && api !== undefined && api !== 'compatible') {
    return isAnyModel(model)
      ? `cannot be ${JSON.stringify(value)}: an API is asked for a model by its name`
      : null;
  }
  if (setting !== planner.model) return null;
  const isChosen = leafFor(leaves, planner.cli)?.source.name !== 'default';
  const isOwn = apiModels(leaves, { toRead: true }).has(model);
  return isChosen || isOwn ? null : nobodyFault(model, adapterNames);
}

/** Explains why a phase’s setting does not fit; a model and an effort have no meaning without their agent. */
function phaseFault({ setting, name, value }: Leaf, leaves: Leaves): string | null {
  const choices: readonly Setting[] = [phases.agent, phases.model, phases.effort];
  if (!choices.includes(setting)) return null;
  if (!chosenPhases.some((phase) => phase === name)) {
    const hint = suggestion(name, chosenPhases);
    return `cannot be set: "${name}" is not a phase for which an agent can be chosen.${hint} They are: ${chosenPhases.join(', ')}`;
  }
  const isApi = leafFor(leaves, agents.provider, String(value)) !== undefined;
  if (setting === phases.agent && name === 'execution' && isApi) {
    return `cannot be "${String(value)}": a model behind an API only reads, and edits no file`;
  }
  const needed = keyOf(pathOf(phases.agent, name));
  return leaves.has(needed) ? null : `needs ${needed}, as it is a word of one agent`;
}

/** Writes a sentence about each model that its agent is not known to carry, but that another CLI is. */
export function modelWarnings(all: readonly Leaf[], leaves: Leaves): readonly string[] {
  const read = reader(leaves);
  return all
    .filter(({ setting }) => setting === agents.model)
    .flatMap(({ key, name, value, source }) => {
      const acp = acpProgramOf(read(agents.acp, name) ?? []);
      const cli = read(agents.cli, name) ?? acp?.cli.name ?? name;
      const { models = [] } = adapters.find((one) => one.name === cli) ?? {};
      const carrier = carrierOf(String(value));
      // A CLI with models of many vendors lists no name prefixes, or only one that fits any.
      const isOpen = models.length === 0 || models.includes('/');
      if (isOpen || carrier === null || carrier === cli || String(value).includes('/')) return [];
      return [
        `${source.name}: ${key} is ${JSON.stringify(value)}, a model of ${carrier}, which ${cli} is not known to carry.`,
      ];
    });
}
