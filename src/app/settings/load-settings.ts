// Loads settings from all sources and turns them into values of the domain; a new setting is read here.
import type { AgentSettings } from '../../agents/pool.ts';
import type { BudgetLimits } from '../../model/budget.ts';
import type { ConversationSettings } from '../../model/conversation-settings.ts';
import type { ExecutionSettings } from '../../model/execution-settings.ts';
import type { McpSettings } from '../../model/mcp-settings.ts';
import { type PhaseChoice, type PhaseChoices, chosenPhases } from '../../model/phase-choice.ts';
import { RunSettings } from '../../model/session.ts';
import { longFlag, type Setting } from '../../model/setting.ts';
import { settingsTable } from '../../model/settings.ts';
import { userConfigFile } from '../folders.ts';
import { homeFolder } from '../user-folders.ts';
import { apiSettingsOf, acpSettingsOf } from './api-agents.ts';
import { readConfigFile } from './config-file.ts';
import { contextSettings } from './context-settings.ts';
import { keyOf, type Leaf, type Leaves, mergeLeaves, pathOf, type Read, reader } from './leaf.ts';
import { modelWarnings } from './model-agents.ts';
import { factsOfUntrusted, type ProjectFile, readProject, warnOfUntrusted } from './project.ts';
import {
  checkAgents,
  agentTablesIn,
  depthLeaves,
  expandLocal,
  withDefaults,
  withoutModels,
} from './roster.ts';
import { environmentLeaves } from './text-leaves.ts';

/** Everything that a run is set up with, checked. Paths are absolute, times in ms. */
export type Settings = Awaited<ReturnType<typeof loadSettings>>;

/**
 * The settings of a run: defaults, the user's file, the project's file, `CONCLAVE_*` variables,
 * the session's own and flags, the later wins; constraints and tables add up. An untrusted
 * project only narrows. Throws `config` (a file's or a variable's fault) or `usage` (a flag's).
 */
export async function loadSettings(given: {
  /** The project's folder, absolute. */
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Those of the session that goes on. */
  readonly session?: readonly Leaf[];
  readonly flags?: readonly Leaf[];
  /** The names of agents of the program that this one is a part of. */
  readonly guests?: readonly string[];
}) {
  const { root, environment, session = [], flags = [], guests = [] } = given;
  const { leaves, ...files } = await readFiles(root, environment);
  const base = { folder: root, home: homeFolder(environment) };
  const variables = environmentLeaves(environment, base);
  const all = [
    ...leaves,
    ...variables.leaves,
    ...session,
    ...(session.length === 0 ? [] : depthOf(flags)),
    ...flags,
  ];
  const settings = resolved(all, root, guests);
  const untrusted = files.project === null ? [] : warnOfUntrusted(files.project);
  const facts = files.project === null ? [] : factsOfUntrusted(files.project);
  /** One sentence each, for stderr. */
  const ofModels = modelWarnings(mergeLeaves(settings.sources));
  const warnings: readonly string[] = [...untrusted, ...variables.warnings, ...ofModels];
  return { ...settings, context: { ...settings.context, facts }, warnings, files };
}

/** A depth that is said for a session that goes on wins over what the session has kept. */
function depthOf(flags: readonly Leaf[]): readonly Leaf[] {
  const { depth } = settingsTable;
  const said = flags.some(({ key }) => key === depth.path);
  return said ? depthLeaves(reader(mergeLeaves(flags))(depth), longFlag(depth)) : [];
}

/** The defaults alone. */
export function defaultSettings(environment: NodeJS.ProcessEnv): Settings {
  const user = { file: userConfigFile(environment), exists: false };
  return { ...resolved([], ''), warnings: [], files: { user, project: null } };
}

/** The project's settings file alone, even where the settings as a whole do not hold. */
export async function loadProject(
  root: string,
  environment: NodeJS.ProcessEnv,
): Promise<ProjectFile | null> {
  return (await readFiles(root, environment)).project;
}

async function readFiles(root: string, environment: NodeJS.ProcessEnv) {
  const file = userConfigFile(environment);
  const own = await readConfigFile(file, homeFolder(environment));
  const leaves = own?.leaves ?? [];
  const allowed = withDefaults(mergeLeaves(leaves));
  const project = await readProject({ root, environment, allowed });
  const all = [...leaves, ...(project?.leaves ?? [])];
  return { user: { file, exists: own !== null }, project, leaves: all };
}

/** The result of leaves of which the later win. Throws, blaming the source, for unknown agents. */
function resolved(all: readonly Leaf[], root: string, guests: readonly string[] = []) {
  const known = withDefaults(mergeLeaves(all), guests);
  checkAgents(known, guests);
  const leaves = withoutModels(known);
  const read = reader(leaves);
  const planner = plannerIn(leaves);
  const names = new Set([...agentTablesIn(known), ...[plannerIn(known) ?? []].flat()]);
  return {
    run: runSettings(read),
    /** Reads any setting, in the words of the configuration. */
    read,
    autoYes: read(settingsTable.autoYes),
    /** The agent that plans, or null for the first that took part. */
    planner,
    limits: {
      firstOutputMs: read(settingsTable.firstOutputTimeout) * 1000,
      idleMs: read(settingsTable.idleTimeout) * 1000,
      totalMs: read(settingsTable.timeout) * 1000,
      graceMs: read(settingsTable.killGrace) * 1000,
    },
    budget: budgetLimits(read),
    execution: executionSettings(read, root),
    conversation: conversationValues(read),
    mcp: mcpValues(read),
    agents: Object.fromEntries([...names].map((name) => [name, agentSettings(known, name)])),
    context: contextSettings(leaves),
    /** The agents that were chosen for phases. */
    phases: phaseChoices(read),
    /** The number of vendors that read a plan of another one. */
    planReaders: read(settingsTable.planReaders),
    /** JSON Schemas of the user that extend ours. */
    schemas: { plan: read(settingsTable.planSchema), task: read(settingsTable.taskSchema) },
    /** Each setting that has a value, with its source, ordered by key. */
    sources: [...leaves.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

function plannerIn(leaves: Leaves): string | null {
  const { planner } = settingsTable;
  return leaves.has(planner.path) ? reader(leaves)(planner) : null;
}

function runSettings(read: Read): RunSettings {
  const constraints = (read(settingsTable.constraints) ?? []).map((text) => text.trim());
  return RunSettings.parse({
    tools: expandLocal(read(settingsTable.tools)),
    fallback_chain: expandLocal(read(settingsTable.fallbackChain)),
    mode: read(settingsTable.mode),
    max_rounds: read(settingsTable.maxRounds),
    constraints: [...new Set(constraints.filter((text) => text !== ''))],
    require_convergence: read(settingsTable.requireConvergence),
  });
}

function budgetLimits(read: Read): BudgetLimits {
  return {
    session: {
      usd: read(settingsTable.budgetUsd),
      tokens: read(settingsTable.budgetTokens),
      calls: read(settingsTable.budgetCalls),
      minutes: read(settingsTable.budgetMinutes),
    },
    round: {
      usd: read(settingsTable.roundUsd),
      tokens: read(settingsTable.roundTokens),
      calls: read(settingsTable.roundCalls),
      minutes: read(settingsTable.roundMinutes),
    },
  };
}

function executionSettings(read: Read, root: string): ExecutionSettings {
  const isDestructive =
    read(settingsTable.phaseIsDestructive, 'execution') ||
    read(settingsTable.phaseDestructive, 'execution') === true;
  return {
    jobs: isDestructive ? 1 : read(settingsTable.jobs),
    isDestructive,
    apply: read(settingsTable.applyHow),
    applyHooks: read(settingsTable.applyHooks),
    commitStyle:
      read(settingsTable.projectCommitStyle, root) ?? read(settingsTable.commitStyle) ?? null,
    branchPrefix: read(settingsTable.branchPrefix),
    taskMs: read(settingsTable.executionTimeout) * 1000,
    checkMs: read(settingsTable.checkTimeout) * 1000,
    setup: read(settingsTable.projectSetUp, root) ?? read(settingsTable.setUp),
    rehearses: read(settingsTable.rehearse),
    copy: read(settingsTable.copied),
    link: read(settingsTable.linked),
    env: read(settingsTable.executionEnv) ?? {},
    at: read(settingsTable.begins),
    carries: read(settingsTable.uncommitted) === 'carry',
    confine: read(settingsTable.confine),
    mayRun: read(settingsTable.mayRun),
  };
}

function mcpValues(read: Read): McpSettings {
  return {
    mayDecide: read(settingsTable.mcpMayDecide),
    mayExecute: read(settingsTable.mcpMayExecute),
    mayWrite: read(settingsTable.mcpMayWrite),
    budgetTokens: read(settingsTable.mcpBudgetTokens),
  };
}

function conversationValues(read: Read): ConversationSettings {
  return {
    workMs: read(settingsTable.workTimeout) * 1000,
    consultMs: read(settingsTable.consultTimeout) * 1000,
    handOffTokens: read(settingsTable.handOffTokens),
    summarizer: read(settingsTable.summarizer) ?? null,
    summarize: read(settingsTable.summarize),
    keepDays: read(settingsTable.keepDays) ?? null,
  };
}

function phaseChoices(read: Read): PhaseChoices {
  const choices = chosenPhases.map((phase) => {
    const choice: PhaseChoice = {
      agent: read(settingsTable.phaseAgent, phase) ?? null,
      model: read(settingsTable.phaseModel, phase) ?? null,
      effort: read(settingsTable.phaseEffort, phase) ?? null,
    };
    return [phase, choice];
  });
  return Object.fromEntries(choices);
}

/** Another name of a CLI has the settings of that CLI, where it has none of its own, but for the model. */
function agentSettings(leaves: Leaves, name: string): AgentSettings {
  const read = reader(leaves);
  const cli = read(settingsTable.agentCli, name);
  const has = (setting: Setting) => leaves.has(keyOf(pathOf(setting, name)));
  function own<T>(setting: Setting<T>): T | undefined {
    return read(setting, cli === undefined || has(setting) ? name : cli);
  }
  const enabledBy = leaves.get(keyOf(pathOf(settingsTable.agentEnabled, name)))?.source.name;
  const isPlanner = name === read(settingsTable.planner);
  const planning = isPlanner ? read(settingsTable.plannerModel) : undefined;
  const model = read(settingsTable.agentModel, name) ?? planning;
  const provider = model === undefined ? undefined : read(settingsTable.modelProvider, model);
  const seconds = own(settingsTable.agentTimeout);
  return {
    enabled: read(settingsTable.agentEnabled, name),
    enabledBy,
    cli,
    path: own(settingsTable.agentPath),
    args: own(settingsTable.agentArgs),
    allowFlags: own(settingsTable.agentAllowFlags),
    env: own(settingsTable.agentEnv),
    model,
    effort: own(settingsTable.agentEffort),
    isolation: own(settingsTable.agentIsolation),
    vendor: own(settingsTable.agentVendor) ?? provider,
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    api: apiSettingsOf(leaves, name, model),
    acp: acpSettingsOf(read, name),
  };
}
