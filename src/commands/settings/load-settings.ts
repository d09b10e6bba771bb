import type { RunLimits } from '../../agents/agent.ts';
import type { CliAgentSettings } from '../../agents/cli-agent.ts';
import { adapters } from '../../agents/list.ts';
import type { BudgetLimits } from '../../model/budget.ts';
import type { ExecutionSettings } from '../../model/execution-settings.ts';
import { RunSettings } from '../../model/session.ts';
import { settingsTable } from '../../model/settings.ts';
import { listed } from '../../model/wording.ts';
import { type ContextSettings, contextSettings } from './context-settings.ts';
import { type Leaf, type Leaves, type Read, mergeLeaves, reader } from './leaf.ts';
import { analystNames, checkAgents, configuredAgents, expanded, withDefaults } from './roster.ts';
import { readConfigFile } from './config-file.ts';
import { homeFolder, userConfigFile } from '../folders.ts';
import { type ProjectFile, readProject, untrustedWarning } from './project.ts';
import { environmentLeaves } from './text-leaves.ts';

/** Everything that a run is set up with, checked. Paths are absolute, times in ms. */
export interface Settings {
  readonly run: RunSettings;
  readonly autoYes: boolean;
  /** The agent that plans, or null for the first that took part. */
  readonly planner: string | null;
  readonly limits: RunLimits;
  readonly budget: BudgetLimits;
  readonly execution: ExecutionSettings;
  readonly agents: Readonly<Record<string, CliAgentSettings>>;
  readonly context: ContextSettings;
  /** JSON Schemas of the user that extend ours. */
  readonly schemas: { readonly plan: string | undefined; readonly task: string | undefined };
  /** Any setting, in the words of the configuration. */
  readonly read: Read;
  /** One sentence each, for stderr. */
  readonly warnings: readonly string[];
  /** Each setting that holds, with where it was said, by its key. */
  readonly sources: readonly Leaf[];
  readonly files: SettingsFiles;
}

interface SettingsFiles {
  readonly user: { readonly file: string; readonly exists: boolean };
  readonly project: ProjectFile | null;
}

interface Place {
  /** Absolute; the project's file is looked for from here up to the root of the repository. */
  readonly cwd: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** What is said beside files and variables. */
interface Said {
  /** By the session that goes on. */
  readonly session?: readonly Leaf[];
  readonly flags?: readonly Leaf[];
}

/**
 * The settings of a run: defaults, the user's file, the project's file, `CONCLAVE_*` variables,
 * the session's own and flags, the later wins; constraints add up. An untrusted project only
 * narrows. Throws `config` (a file's or a variable's fault) or `usage` (a flag's).
 */
export async function loadSettings(given: Place & Said): Promise<Settings> {
  const { cwd, environment = process.env, session = [], flags = [] } = given;
  const { user, project, leaves } = await readFiles({ cwd, environment });
  const variables = environmentLeaves(environment, { folder: cwd, home: homeFolder(environment) });
  const settings = resolved([...leaves, ...variables.leaves, ...session, ...flags]);
  const untrusted = project === null ? [] : untrustedWarning(project);
  const warnings = [...untrusted, ...variables.warnings, ...settings.warnings];
  return { ...settings, warnings, files: { user, project } };
}

/** The settings where nobody says anything, e.g. in place of ones that do not hold. */
export function defaultSettings(): Settings {
  const user = { file: userConfigFile(process.env), exists: false };
  return { ...resolved([]), files: { user, project: null } };
}

/** The project's settings file alone, also where the settings as a whole do not hold. */
export async function loadProject(cwd: string): Promise<ProjectFile | null> {
  return (await readFiles({ cwd, environment: process.env })).project;
}

async function readFiles(
  place: Required<Place>,
): Promise<SettingsFiles & { readonly leaves: readonly Leaf[] }> {
  const file = userConfigFile(place.environment);
  const own = await readConfigFile(file, homeFolder(place.environment));
  const said = own?.leaves ?? [];
  const project = await readProject({ ...place, allowed: withDefaults(mergeLeaves(said)) });
  const leaves = [...said, ...(project?.leaves ?? [])];
  return { user: { file, exists: own !== null }, project, leaves };
}

/**
 * What the settings of all sources come to, in the order in which the later wins. Throws, blaming
 * the source, for an agent that nobody knows.
 */
function resolved(said: readonly Leaf[]): Omit<Settings, 'files'> {
  const leaves = withDefaults(mergeLeaves(said));
  checkAgents(leaves);
  const read = reader(leaves);
  const planner = leaves.has(settingsTable.planner.path) ? read(settingsTable.planner) : null;
  const names = [...new Set([...configuredAgents(leaves), planner ?? []].flat())];
  return {
    run: runSettings(leaves, read),
    read,
    autoYes: read(settingsTable.autoYes),
    planner,
    limits: {
      firstOutputMs: read(settingsTable.firstOutputTimeout) * 1000,
      idleMs: read(settingsTable.idleTimeout) * 1000,
      totalMs: read(settingsTable.timeout) * 1000,
      graceMs: read(settingsTable.killGrace) * 1000,
    },
    budget: budgetLimits(read),
    execution: executionOf(read),
    agents: Object.fromEntries(names.map((name) => [name, agentSettings(read, name)])),
    context: contextSettings(leaves),
    schemas: { plan: read(settingsTable.planSchema), task: read(settingsTable.taskSchema) },
    warnings: [...modelWarnings(read, names), ...idleWarnings(leaves)],
    sources: [...leaves.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
}

function executionOf(read: Read): ExecutionSettings {
  const runsAlone =
    read(settingsTable.phaseIsDestructive, 'execution') ||
    read(settingsTable.phaseDestructive, 'execution') === true;
  return {
    jobs: runsAlone ? 1 : read(settingsTable.jobs),
    taskMs: read(settingsTable.executionTimeout) * 1000,
    checkMs: read(settingsTable.checkTimeout) * 1000,
    setup: read(settingsTable.setUp),
    carries: read(settingsTable.uncommitted) === 'carry',
  };
}

function runSettings(leaves: Leaves, read: Read): RunSettings {
  const names = Object.keys(RunSettings.shape);
  const constraints = (read(settingsTable.constraints) ?? []).map((text) => text.trim());
  return RunSettings.parse({
    ...Object.fromEntries(names.map((name) => [name, leaves.get(`workflow.${name}`)?.value])),
    tools: expanded(read(settingsTable.tools)),
    fallback_chain: expanded(read(settingsTable.fallbackChain)),
    constraints: [...new Set(constraints.filter((text) => text !== ''))],
  });
}

function agentSettings(read: Read, name: string): CliAgentSettings {
  const model = whyNoModel(name) === null ? wantedModel(read, name) : undefined;
  const provider = model === undefined ? undefined : read(settingsTable.modelProvider, model);
  const seconds = read(settingsTable.agentTimeout, name);
  return {
    enabled: read(settingsTable.agentEnabled, name),
    path: read(settingsTable.agentPath, name),
    args: read(settingsTable.agentArgs, name),
    env: read(settingsTable.agentEnv, name),
    model,
    effort: read(settingsTable.agentEffort, name),
    isolation: read(settingsTable.agentIsolation, name),
    vendor: read(settingsTable.agentVendor, name) ?? provider,
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
  };
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

function wantedModel(read: Read, name: string): string | undefined {
  const ofPlanner =
    name === read(settingsTable.planner) ? read(settingsTable.plannerModel) : undefined;
  return read(settingsTable.agentModel, name) ?? ofPlanner;
}

/** Null for an agent whose model can be chosen. */
function whyNoModel(name: string): string | null {
  if (analystNames.includes(name)) return `${name} is built in and uses no model`;
  const adapter = adapters.find((one) => one.name === name);
  return adapter === undefined || adapter.can.model
    ? null
    : `${adapter.displayName} does not let a model be chosen`;
}

function modelWarnings(read: Read, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const [model, why] = [wantedModel(read, name), whyNoModel(name)];
    return model === undefined || why === null
      ? []
      : [`The model "${model}" does not count: ${why}.`];
  });
}

/** What is set without any effect in this version, one sentence for each kind. */
function idleWarnings(leaves: Leaves): readonly string[] {
  const idle = [...leaves.values()].filter(({ setting }) => setting.idle !== undefined);
  return [...Map.groupBy(idle, ({ setting }) => setting.idle)].map(([why, said]) => {
    const keys = listed(said.map(({ key }) => key));
    return `${keys} ${said.length === 1 ? 'has' : 'have'} no effect yet: ${why}.`;
  });
}
