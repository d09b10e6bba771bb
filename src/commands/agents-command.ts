// Runs `conclave agents` and `conclave login`.
import type { Agent, Readiness } from '../agents/agent.ts';
import type { Login } from '../agents/cli/login.ts';
import type { AgentProgram } from '../agents/cli/describe.ts';
import { localOffers, offerLocalAgents } from './local-models.ts';
import type { AgentPool } from '../agents/pool.ts';
import type { AgentState } from '../faces/tui/ports.ts';
import type { Transport } from '../model/receipt.ts';
import { neverAborted } from '../model/signal.ts';
import { wrongUsage } from '../model/failure.ts';
import { suggestion } from '../model/closest-name.ts';
import { projectRoot, workingFolder } from '../app/folders.ts';
import { alignColumns, printTable } from './columns.ts';
import { pageWidth, printJson, printLines, printWarnings } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';
import { loadSettings, type Settings } from '../app/settings/load-settings.ts';
import { poolToAsk, seatsAreChosen } from '../app/make-pool.ts';
import type { Workplace } from '../app/workplace.ts';

/** The state of an agent on this machine, under the settings of this folder. */
export interface AgentReport extends AgentState {
  readonly transport: Transport;
  /** The address at which a model behind an API is asked; null for other agents. */
  readonly address: string | null;
  /** The states `stored` and `unknown` are untested; only a run shows if they work. */
  readonly login_state: Login['state'];
  readonly path: string | null;
  readonly vendor: string | null;
}

/**
 * `conclave agents`: which agents can take part, and what the others lack. With a name, also how that agent is
 * called, and what this does not enforce.
 */
export async function agentsCommand(
  name: string | undefined,
  { root, environment, json }: CommonOptions,
): Promise<number> {
  const settings = await loadSettings({ root, environment });
  printWarnings(settings.warnings);
  const pool = poolToAsk({ settings, environment, root });
  const meant = name === undefined ? undefined : pool.get(name)?.name;
  const all = await agentReports({ settings, environment, root, also: name });
  const names = all.map((one) => one.name);
  if (name !== undefined && meant === undefined) throw unknownAgent(name, names);
  const reports = all.filter((one) => name === undefined || one.name === meant);
  const program = name === undefined ? undefined : pool.describe(name);
  const calls = program?.callsIn(root) ?? [];
  if (json) {
    const offered = name === undefined ? await offerLocalAgents(settings, environment) : [];
    printJson([
      ...reports.map((one) => (name === undefined ? one : { ...one, calls })),
      ...offered,
    ]);
  } else {
    const notes = await planNotes(reports, root);
    printTable({
      head: ['AGENT', 'BY', 'STATE', 'VERSION', 'MODEL', 'VENDOR', 'PART', 'NOTE'],
      rows: reports.map((one) => [
        one.name,
        one.transport.replaceAll('-', ' '),
        one.state.replaceAll('-', ' '),
        one.version ?? '-',
        one.model ?? (one.kind === 'model' ? 'its own default' : '-'),
        one.vendor ?? '-',
        one.part,
        [noteOn(one), notes.get(one.name) ?? ''].filter(Boolean).join('. '),
      ]),
    });
    printLines(...(await localOffers(settings, environment)).map((offer) => `\n${offer}`));
    if (program !== undefined) printLines(...callLines(program, calls));
  }
  return 0;
}

/** `conclave login AGENT`: runs the CLI’s own login in this terminal; 3 if it is not logged in afterwards. */
export async function loginCommand(name: string, cwd: string | undefined): Promise<number> {
  const root = await projectRoot(await workingFolder(cwd));
  const { env: environment } = process;
  const settings = await loadSettings({ root, environment });
  printWarnings(settings.warnings);
  const pool = poolToAsk({ settings, environment, root });
  const { login, keyWays } = programOf(name, pool);
  if (keyWays.length > 0) return tellKeyWays(name, keyWays, pool.loginOf(name));
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw wrongUsage(`A login needs a terminal. In one, type: conclave login ${name}`);
  }
  printLines(`To log ${name} in: ${login}`, '');
  await pool.logIn(name);
  const after = pool.loginOf(name);
  if (after.state === 'logged-out') {
    printLines('', `${name} is not logged in: ${after.why}. ${after.remedy}`);
    return 3;
  }
  const isStored = after.state === 'stored';
  const unknown = `A run will show whether ${name} is logged in.`;
  printLines('', isStored ? `A login of ${name} is stored.` : unknown);
  return 0;
}

/** Explains how to provide a key; 3 if there is none yet. */
function tellKeyWays(name: string, ways: readonly string[], login: Login): number {
  const isMissing = login.state === 'logged-out';
  const state = isMissing
    ? `${name} has no key: ${login.why}.`
    : login.state === 'stored'
      ? `${name} has what it needs (not tested).`
      : `A program of yours prints the key of ${name}; a run shows whether it does.`;
  printLines(`The key of ${name}:`, ...ways.map((way) => `  ${way}`), '', state);
  return isMissing ? 3 : 0;
}

/** The program of an agent with a model, by its name. Throws `usage` for any other name. */
function programOf(name: string, pool: AgentPool): AgentProgram {
  const program = pool.describe(name);
  if (program !== undefined) return program;
  throw unknownAgent(
    name,
    pool.models().map((one) => one.name),
  );
}

function unknownAgent(name: string, names: readonly string[]): Error {
  const hint = suggestion(name, names);
  return wrongUsage(`There is no agent "${name}".${hint} There are ${names.join(', ')}.`);
}

/**
 * Asks every agent if it is ready, and ready ones if they are logged in; `also` is an agent made from a model.
 * `tell` is called with all of them at once as `looking`, and again whenever more is known.
 */
export async function agentReports(
  { also, ...workplace }: Workplace & { readonly also?: string | undefined },
  tell: (reports: readonly AgentReport[]) => void = () => undefined,
): Promise<readonly AgentReport[]> {
  const pool = poolToAsk(workplace);
  const named = (also !== undefined && pool.get(also)) || [];
  const agents = [...new Set([...pool.models(), ...pool.analysts].concat(named))];
  let reports = agents.map((agent) => unaskedReport(agent, pool));
  const add = (name: string, facts: Partial<AgentReport>) => {
    const known = reports.map((one) => (one.name === name ? { ...one, ...facts } : one));
    reports = withParts(known, workplace.settings);
    tell(reports);
  };
  add('', {});
  const ask = async (agent: Agent) => {
    const readiness = await agent.ready(neverAborted);
    add(agent.name, factsOf(readiness));
    if (readiness.state === 'not-logged-in') add(agent.name, { login_state: 'logged-out' });
    if (readiness.state !== 'ready') return;
    const login = pool.loginOf(agent.name);
    const { state: login_state } = login;
    if (login.state !== 'logged-out') return add(agent.name, { login_state });
    const { why, remedy } = login;
    add(agent.name, { state: 'not-logged-in', login_state, why, remedy });
  };
  await Promise.all(agents.map(ask));
  return reports;
}

function unaskedReport(agent: Agent, pool: AgentPool): AgentReport {
  const model = pool.modelOf(agent.name);
  const program = pool.describe(agent.name);
  return {
    name: agent.name,
    kind: agent.kind,
    transport: agent.traits.transport,
    address: program?.address ?? null,
    state: 'looking',
    login_state: 'unknown',
    version: null,
    path: null,
    model,
    vendor: agent.vendorOf(model),
    part: 'not used',
    turn: null,
    tellsPlan: program?.tellsPlan ?? false,
    why: null,
    remedy: null,
    login: program?.login ?? null,
  };
}

function factsOf(readiness: Readiness): Partial<AgentReport> {
  const { state } = readiness;
  if (readiness.state !== 'ready') return { state, why: readiness.why, remedy: readiness.remedy };
  const { version, path, note = null } = readiness;
  return { state, version, path, why: note };
}

/** Adds the roles in the first round, as far as the ready agents are known. */
function withParts(reports: readonly AgentReport[], settings: Settings): AgentReport[] {
  const { tools, fallback_chain: chain } = settings.run;
  // An agent that is still being looked for may turn out to be ready.
  const able = reports.filter(({ state }) => state === 'ready' || state === 'looking');
  const namesOf = (kind: Agent['kind']) =>
    able.filter((one) => one.kind === kind).map(({ name }) => name);
  const [models, analysts] = [namesOf('model'), namesOf('analyst')];
  const usable = new Set([...tools, ...chain, ...analysts]);
  const inOrder = [...usable].filter((name) => able.some((one) => one.name === name));
  const onlyModels = inOrder.filter((name) => models.includes(name));
  const isOpen = !seatsAreChosen(settings) && onlyModels.length > 0;
  const seated = (isOpen ? onlyModels : inOrder).slice(0, tools.length);
  return reports.map((report) => {
    const turn = seated.indexOf(report.name);
    if (turn !== -1) return { ...report, turn, part: 'asked' };
    const isBackup = able.includes(report) && usable.has(report.name);
    const part = isBackup ? 'backup' : 'not used';
    return { ...report, turn: null, part, isMissed: tools.includes(report.name) };
  });
}

/** The login of an agent, or what it lacks and how to get it. */
export function noteOn({ kind, transport, state, login_state, why, remedy }: AgentReport): string {
  const isStored = login_state === 'stored';
  const [stored, unknown] =
    transport === 'api'
      ? ['its key is set, or none is needed (not tested)', 'a program prints its key']
      : ['a login is stored (not tested)', 'only a run shows its login'];
  const login = isStored ? stored : unknown;
  const isAsked = kind === 'model' && state === 'ready';
  return [isAsked ? login : null, why, remedy].filter((text) => text !== null).join('. ');
}

/** Says how much of the plan of each agent that is there a session here uses, as far as the agent tells. */
async function planNotes(
  reports: readonly AgentReport[],
  root: string,
): Promise<ReadonlyMap<string, string>> {
  const there = reports.filter((one) => one.state === 'ready' && one.kind === 'model');
  if (there.length === 0) return new Map();
  const { usualUse } = await import('../app/saved-session.ts');
  const { planUnknownText, windowText } = await import('../faces/short-forms.ts');
  const { windows = [] } = (await usualUse(root)) ?? {};
  return new Map(
    there.map(({ name, tellsPlan = false }) => {
      const own = windows.filter(({ agent }) => agent === name).map(windowText);
      const unknown = tellsPlan ? planUnknownText(['it']) : '';
      return [name, own.length === 0 ? unknown : `a session here uses ${own.join(', ')}`];
    }),
  );
}

/** Describes how an agent is called with each permission, and what that does not enforce. */
function callLines(
  program: AgentProgram,
  calls: ReturnType<AgentProgram['callsIn']>,
): readonly string[] {
  const { isolation, isolations, isolationNotes, explained } = program;
  const of = isolations.length < 2 ? '' : ` (of ${isolations.join(', ')})`;
  const rows = calls.flatMap(({ permission, tools, argv, variables, files, not_enforced }) => [
    ['', ''],
    [permission, tools.join(', ')],
    ['', argv.join(' ')],
    ...Object.entries(variables).map(([name, value]) => ['', `${name}=${value}`]),
    ...(files.length === 0 ? [] : [['', `files: ${files.join(', ')}`]]),
    ...not_enforced.map((sentence) => ['', `not enforced: ${sentence}`]),
  ]);
  const notes = [...isolationNotes, ...explained].map((note) => ['', note]);
  return [
    '',
    'How it is called. Any file that changes meanwhile is noticed.',
    '',
    ...alignColumns(
      [['isolation', (isolation ?? 'none that we know') + of], ...notes, ...rows],
      pageWidth(),
    ),
  ];
}
