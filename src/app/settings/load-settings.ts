// Loads settings from all sources and turns them into values of the domain; a new setting is read here.
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Prices } from '../../agents/api/api-setup.ts';
import type { AgentSettings } from '../../agents/pool.ts';
import { type McpServer, presets } from '../../context/mcp/known-servers.ts';
import { contextNames } from '../../context/provider.ts';
import { type PhaseChoice, type PhaseChoices, chosenPhases } from '../../model/phase-choice.ts';
import type { RunSettings } from '../../model/run-settings.ts';
import type { Setting, ValuesOf } from '../../model/setting.ts';
import { type ExecutionSettings, settingsTable } from '../../model/settings.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import { isAbsent, nullIfAbsent } from '../../store/system-error.ts';
import { probesFile, userConfigFile } from '../folders.ts';
import { homeFolder } from '../user-folders.ts';
import { checkAgents, modelWarnings } from './agent-faults.ts';
import {
  type Leaf,
  type Leaves,
  leafFor,
  mergeLeaves,
  type Read,
  reader,
  valuesOf,
} from './leaf.ts';
import type { ProjectFile } from './project.ts';
import {
  agentTablesIn,
  depthOfFlags,
  expandLocal,
  type Roster,
  withDefaults,
  withoutModels,
} from './roster.ts';

/** All checked settings of a run. Paths are absolute, times are in ms. */
export type Settings = Awaited<ReturnType<typeof loadSettings>>;

/**
 * The settings of a run: defaults, the user's file, the project's file, `CONCLAVE_*` variables, the session's
 * own and flags; later ones win, while constraints and tables accumulate. An untrusted project can only narrow
 * settings. Throws `config` (a fault of a file or variable) or `usage` (of a flag).
 */
export async function loadSettings(given: {
  /** The absolute path of the project’s folder. */
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The settings of the resumed session. */
  readonly session?: readonly Leaf[];
  readonly flags?: readonly Leaf[];
  /** The names of agents of the program that contains this one. */
  readonly guests?: readonly string[];
}) {
  const { root, environment, session = [], flags = [], guests = [] } = given;
  const { leaves, ...files } = await readFiles(root, environment);
  const variables = await readVariables(environment);
  const depth = session.length === 0 ? [] : depthOfFlags(flags);
  const all = [...leaves, ...variables.leaves, ...session, ...depth, ...flags];
  const answered = await answeredProbes(environment);
  const settings = resolveLeaves(all, root, { guests, answered });
  const { sources } = settings;
  const untrusted = await untrustedIn(files.project);
  /** Warnings for stderr, one sentence each. */
  const warnings: readonly string[] = [
    ...untrusted.warnings,
    ...variables.warnings,
    ...modelWarnings(sources, mergeLeaves(sources)),
  ];
  const { facts } = untrusted;
  return { ...settings, context: { ...settings.context, facts }, warnings, files };
}

/** The default settings, without any other source. */
export function defaultSettings(environment: NodeJS.ProcessEnv): Settings {
  const user = { file: userConfigFile(environment), exists: false };
  const { context, ...settings } = resolveLeaves([], '');
  return {
    ...settings,
    context: { ...context, facts: [] },
    warnings: [],
    files: { user, project: null },
  };
}

/** The project's settings file alone, even if the settings as a whole are invalid. */
export async function loadProject(
  root: string,
  environment: NodeJS.ProcessEnv,
): Promise<ProjectFile | null> {
  return (await readFiles(root, environment)).project;
}

/** Throws, blaming the source, if the leaves of a file conflict. */
export function checkSettings(leaves: readonly Leaf[]): void {
  resolveLeaves(leaves, '');
}

/** Reads the settings files that are there. Only these need what parses and checks them, which takes a while to load. */
async function readFiles(root: string, environment: NodeJS.ProcessEnv) {
  const file = userConfigFile(environment);
  const own = (await isThere(file))
    ? await (await import('./config-file.ts')).readConfigFile(file, homeFolder(environment))
    : null;
  const leaves = own?.leaves ?? [];
  const allowed = withDefaults(mergeLeaves(leaves));
  const project = (await isThere(join(root, 'conclave.toml')))
    ? await (await import('./project.ts')).readProject({ root, environment, allowed })
    : null;
  const all = [...leaves, ...(project?.leaves ?? [])];
  return { user: { file, exists: own !== null }, project, leaves: all };
}

/** True unless nothing has this path; whoever reads what cannot be looked at says why. */
async function isThere(path: string): Promise<boolean> {
  try {
    return Boolean(await lstat(path));
  } catch (error) {
    return !isAbsent(error);
  }
}

async function readVariables(environment: NodeJS.ProcessEnv) {
  if (!Object.keys(environment).some((name) => name.startsWith('CONCLAVE_')))
    return { leaves: [], warnings: [] };
  return (await import('./text-leaves.ts')).environmentLeaves(environment);
}

/** The agents that answered when `doctor --probe` last asked them. */
async function answeredProbes(environment: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const text = await nullIfAbsent(readFile(probesFile(environment), 'utf8'));
  const probes = text === null ? null : jsonIn(text);
  return Object.entries(isObject(probes) ? probes : {}).flatMap(([name, one]) =>
    isObject(one) && isObject(one['probe']) && one['probe']['failure'] === null ? [name] : [],
  );
}

/** The warnings about an untrusted project's file, and its own texts as data. */
async function untrustedIn(project: ProjectFile | null) {
  if (project === null) return { warnings: [], facts: [] };
  const { factsOfUntrusted, warnOfUntrusted } = await import('./project.ts');
  return { warnings: warnOfUntrusted(project), facts: factsOfUntrusted(project) };
}

/** Resolves leaves, of which later ones win. Throws, blaming the source, for unknown agents. */
function resolveLeaves(all: readonly Leaf[], root: string, roster: Roster = {}) {
  const known = withDefaults(mergeLeaves(all), roster);
  checkAgents(known, roster.guests);
  const leaves = withoutModels(known);
  const read = reader(leaves);
  const { agent, budget, conversation, mcp, schemas } = settingsTable;
  const workflow = valuesOf(settingsTable.workflow, read);
  const names = new Set([...agentTablesIn(known), ...[plannerIn(known) ?? []].flat()]);
  return {
    run: runSettings(workflow),
    /** Reads any setting, in the terms of the configuration. */
    read,
    autoYes: workflow.autoYes,
    /** The agent that plans; null for the first participant. */
    planner: plannerIn(leaves),
    limits: limitsOf(workflow, leafFor(leaves, settingsTable.workflow.idleMs)),
    budget: valuesOf(budget, read),
    execution: executionSettings(read, root),
    conversation: valuesOf(conversation, read),
    mcp: valuesOf(mcp, read),
    agents: Object.fromEntries([...names].map((name) => [name, agentSettings(known, name)])),
    machines: machinesIn(leaves),
    queue: valuesOf(settingsTable.queue, read),
    /** The machine on which all agents run; null for the usual one of each. */
    machine: read(settingsTable.phases.machine, 'all') ?? null,
    context: contextSettings(leaves),
    /** The agents that were chosen for phases. */
    phases: phaseChoices(read),
    /** The number of other vendors that read a plan. */
    planReaders: { quick: 0, normal: 1, deep: mostReaders }[workflow.depth],
    /** JSON Schemas of the user that extend ours. */
    schemas: valuesOf(schemas, read),
    /** Each setting that has a value, with its source, ordered by key. */
    sources: [...leaves.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };

  function plannerIn(these: Leaves): string | null {
    return leafFor(these, agent.cli) === undefined ? null : reader(these)(agent.cli);
  }
}

/** More than the number of vendors, so that all of them read. */
const mostReaders = 20;

type Workflow = ValuesOf<typeof settingsTable.workflow>;

function runSettings(workflow: Workflow): RunSettings {
  const constraints = (workflow.constraints ?? []).map((text) => text.trim());
  return {
    tools: [...expandLocal(workflow.tools)],
    fallback_chain: [...expandLocal(workflow.fallbackChain)],
    mode: workflow.mode,
    max_rounds: workflow.maxRounds,
    constraints: [...new Set(constraints.filter((text) => text !== ''))],
    require_convergence: workflow.requireConvergence,
  };
}

/**
 * The limits of a run; a completely silent agent is given up earlier than one that has begun, unless the user
 * set the time.
 */
function limitsOf({ totalMs, idleMs }: Workflow, idle: Leaf | undefined) {
  const isUsual = idle?.source.name === 'default';
  return { firstOutputMs: isUsual ? 120_000 : idleMs, idleMs, totalMs, graceMs: 5_000 };
}

function executionSettings(read: Read, root: string): ExecutionSettings {
  const { projects, phases } = settingsTable;
  const { auto: _, ...execution } = valuesOf(settingsTable.execution, read);
  const isDestructive = read(phases.isDestructive, 'execution');
  return {
    ...execution,
    isDestructive,
    jobs: isDestructive ? 1 : execution.jobs,
    env: execution.env ?? {},
    commitStyle: read(projects.commitStyle, root) ?? execution.commitStyle ?? null,
    setup: read(projects.setup, root) ?? execution.setup,
    copy: read(projects.copy, root) ?? execution.copy,
    codeBeforeApproval:
      read(projects.codeBeforeApproval, root) ?? read(settingsTable.workflow.codeBeforeApproval),
  };
}

/** The number of files that agents are shown, and the longest time for a search. */
const search = { maxFiles: 12, timeoutMs: 15_000 };

/**
 * Reads the settings of the code search. Throws, blaming the setting, for a provider that does not exist and
 * for conflicting settings of the server.
 */
function contextSettings(leaves: Leaves) {
  const providers = reader(leaves)(settingsTable.context.providers);
  const stop = (demand: string) =>
    leafFor(leaves, settingsTable.context.providers)?.source.stop(['context', 'providers'], demand);
  const known: readonly string[] = contextNames;
  const unknown = providers.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw stop(`names "${unknown}"; it takes ${known.join(', ')}`);
  }
  if (providers.at(-1) === 'mcp') {
    const advice = 'add another provider after it, as its results are never used alone';
    throw stop(`ends with mcp; ${advice}`);
  }
  const mcp = providers.includes('mcp') ? serverOf(leaves) : null;
  return {
    ...search,
    /** The providers in the order in which they are asked. */
    providers: providers.filter((name) => name !== 'mcp' || mcp !== null),
    /** The server; null if none is configured or it is not among the providers. */
    mcp,
  };
}

/** The server that the user named; null if none is configured. */
function serverOf(leaves: Leaves): McpServer | null {
  const [first] = [...leaves.values()].filter(({ key }) => key.startsWith('context.mcp.'));
  if (first === undefined) return null;
  const { preset, command = [], env = {} } = valuesOf(settingsTable.server, reader(leaves));
  const [program, ...args] = command;
  if (program === undefined || preset === undefined) {
    throw first.source.stop(['context', 'mcp'], 'needs a preset and a command');
  }
  // The time allows for a server that has to read the whole repository first.
  return {
    ...presets[preset],
    command: program,
    args,
    env,
    timeoutMs: 30_000,
    maxBytes: 8_000_000,
  };
}

/** The machines by name; one without a command is reached by the queue. */
function machinesIn(leaves: Leaves) {
  const of = [...leaves.values()].filter(({ setting }) => setting.path.startsWith('machines.'));
  const first = new Map(of.map((leaf) => [leaf.name, leaf]));
  return [...first.keys()].map((name) => {
    const { command = [], ...rest } = valuesOf(settingsTable.machines, (setting) =>
      reader(leaves)(setting, name),
    );
    return { name, command, ...rest };
  });
}

function machineOf(machine: string | undefined): Pick<PhaseChoice, 'machine'> {
  return machine === undefined ? {} : { machine };
}

function phaseChoices(read: Read): PhaseChoices {
  const { agent, model, effort, machine } = settingsTable.phases;
  const choices = chosenPhases.map((phase) => {
    const choice: PhaseChoice = {
      agent: read(agent, phase) ?? null,
      model: read(model, phase) ?? null,
      effort: read(effort, phase) ?? null,
      ...machineOf(read(machine, phase)),
    };
    return [phase, choice];
  });
  return Object.fromEntries(choices);
}

/** Reads an agent’s settings; an alias inherits those of its CLI, except for the ones that each alias has itself. */
function agentSettings(leaves: Leaves, name: string): AgentSettings {
  const read = reader(leaves);
  const { agent, agents } = settingsTable;
  const cli = read(agents.cli, name);
  const own: readonly Setting[] = [agents.enabled, agents.model, agents.acp, agents.mode];
  const values = valuesOf(agents, (setting) => {
    const isOwn = cli === undefined || own.includes(setting) || leafFor(leaves, setting, name);
    return read(setting, isOwn ? name : cli);
  });
  const { acp: [program, ...words] = [], provider, ...rest } = values;
  const planning = name === read(agent.cli) ? read(agent.model) : undefined;
  const model = values.model ?? planning;
  const isApi = provider !== undefined && model !== undefined;
  return {
    ...rest,
    enabledBy: leafFor(leaves, agents.enabled, name)?.source.name,
    cli,
    model,
    api: isApi ? { ...rest, provider, model, prices: pricesIn(leaves.values()) } : undefined,
    acp: program === undefined ? undefined : [program, ...words],
  };
}

/** The prices of the models for which the user set them. */
export function pricesIn(leaves: Iterable<Leaf>): ReadonlyMap<string, Prices> {
  const { prices } = settingsTable.models;
  const told = mergeLeaves([...leaves].filter(({ setting }) => setting === prices));
  const read = reader(told);
  return new Map(
    [...told.values()].flatMap(({ name }) => {
      const value = read(prices, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
