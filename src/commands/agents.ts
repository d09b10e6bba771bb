import type { Agent, Readiness } from '../agents/agent.ts';
import type { Login } from '../agents/login.ts';
import type { CliSetup } from '../agents/cli-setup.ts';
import type { AgentPool } from '../agents/pool.ts';
import { type Stopped, wrongUsage } from '../model/failure.ts';
import { printJson, printTable, printWarnings, printLines } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { loadSettings, type Settings } from './settings/load-settings.ts';
import { poolToAsk, seatsAreChosen } from './wiring/agents-and-providers.ts';
import { suggestion } from './closest-name.ts';

/** One agent as it is on this machine, under the settings of this folder. */
export interface AgentReport {
  readonly name: string;
  readonly kind: Agent['kind'];
  /** `looking` until it has been asked. */
  readonly state: Readiness['state'] | 'looking';
  /** `stored` is not tested, and `unknown` neither: a run shows it. */
  readonly login_state: Login['state'];
  readonly version: string | null;
  readonly path: string | null;
  readonly model: string | null;
  readonly vendor: string | null;
  /** Whether it is asked in the first round, a backup for those who are, or not used. */
  readonly part: 'asked' | 'backup' | 'not used';
  /** Its place among those who are asked, from 0; null where it is not. */
  readonly turn: number | null;
  readonly why: string | null;
  readonly remedy: string | null;
  readonly login: string | null;
}

/**
 * `conclave agents`: who can take part, and what is missing where one is not ready; `NAME --explain`
 * says what it is held to, and by what.
 */
export async function agentsCommand(
  name: string | undefined,
  { root, json, explain = false }: CommonOptions,
): Promise<number> {
  const settings = await loadSettings({ cwd: root });
  printWarnings(settings.warnings);
  if (explain) {
    const { signal } = new AbortController();
    const pool = poolToAsk({ settings, root, signal });
    const setup = namedAgent(name ?? '', pool);
    (await import('./explain-agent.ts')).explainAgent(setup, { root, json });
    return 0;
  }
  const all = await agentReports({ settings, root });
  const reports = name === undefined ? all : all.filter((one) => one.name === name);
  if (reports.length === 0)
    throw unknownAgent(
      name ?? '',
      all.map((one) => one.name),
    );
  if (json) printJson(reports);
  else {
    printTable({
      head: ['AGENT', 'KIND', 'STATE', 'VERSION', 'MODEL', 'VENDOR', 'PART', 'NOTE'],
      rows: reports.map((one) => [
        one.name,
        one.kind,
        one.state.replaceAll('-', ' '),
        one.version ?? '-',
        one.model ?? (one.kind === 'model' ? 'its own default' : '-'),
        one.vendor ?? '-',
        one.part,
        noteOn(one),
      ]),
    });
  }
  return 0;
}

/** An agent that asks a model, by its name. Throws `usage` for any other name. */
function namedAgent(name: string, pool: AgentPool): CliSetup {
  const setup = pool.setupOf(name);
  if (setup !== undefined) return setup;
  throw unknownAgent(
    name,
    pool.models().map((agent) => agent.name),
  );
}

function unknownAgent(name: string, names: readonly string[]): Stopped {
  const hint = suggestion(name, names);
  const there = name === '' ? 'Name an agent.' : `There is no agent "${name}".${hint}`;
  return wrongUsage(`${there} There are ${names.join(', ')}.`);
}

/**
 * Asks every agent whether it is ready, and those that are whether they are logged in. All are told
 * of at once as `looking`, and again whenever more is known.
 */
export async function agentReports(
  { settings, root }: { readonly settings: Settings; readonly root: string },
  tell: (reports: readonly AgentReport[]) => void = () => undefined,
): Promise<readonly AgentReport[]> {
  const { signal } = new AbortController();
  const pool = poolToAsk({ settings, root, signal });
  const agents = [...pool.models(), ...pool.analysts];
  let reports = withParts(
    agents.map((agent) => unaskedReport(agent, pool)),
    settings,
  );
  tell(reports);
  const add = (name: string, facts: Partial<AgentReport>) => {
    const known = reports.map((one) => (one.name === name ? { ...one, ...facts } : one));
    reports = withParts(known, settings);
    tell(reports);
  };
  const ask = async (agent: Agent) => {
    const facts = factsOf(await agent.ready(signal));
    add(agent.name, facts);
    if (facts.state !== 'ready') return;
    const login = pool.loginOf(agent.name);
    const { state: login_state } = login;
    if (login.state !== 'logged-out') return add(agent.name, { login_state });
    const { why, remedy } = login;
    add(agent.name, { state: 'not-logged-in', login_state, why, remedy });
  };
  await Promise.all(agents.map(ask));
  return reports;
}

/** The parts as the first round gives them out, as far as it is known who is ready. */
function withParts(reports: readonly AgentReport[], settings: Settings): readonly AgentReport[] {
  const { fallback_chain: chain } = settings.run;
  const seated = firstSeats(reports, settings);
  return reports.map((report) => {
    const turn = seated.indexOf(report.name);
    // The analysts are the end of every chain.
    const isBackup = chain.includes(report.name) || report.kind === 'analyst';
    const otherwise = isBackup && canSit(report) ? 'backup' : 'not used';
    return turn === -1
      ? { ...report, turn: null, part: otherwise }
      : { ...report, turn, part: 'asked' };
  });
}

/** Fills the seats as a round does: the chosen ones one by one, others with the first that are ready. */
function firstSeats(reports: readonly AgentReport[], settings: Settings): readonly string[] {
  const { tools, fallback_chain: chain } = settings.run;
  const able = new Map(reports.filter(canSit).map(({ name, kind }) => [name, kind]));
  const analysts = [...able.keys()].filter((name) => able.get(name) === 'analyst');
  const inOrder = [...new Set([...tools, ...chain])].filter((name) => able.has(name));
  if (!seatsAreChosen(settings) && inOrder.some((name) => able.get(name) === 'model')) {
    return inOrder.filter((name) => able.get(name) === 'model').slice(0, tools.length);
  }
  const others = [...new Set([...inOrder, ...analysts])].filter((name) => !tools.includes(name));
  return tools.flatMap((name) => (able.has(name) ? name : (others.shift() ?? [])));
}

// Who is still looked for may turn out to be ready.
function canSit({ state }: AgentReport): boolean {
  return state === 'ready' || state === 'looking';
}

/** What a person should know of an agent: its login, or what it lacks and how to get it. */
export function noteOn(report: AgentReport): string {
  const { why, remedy } = report;
  return [loginNote(report), why, remedy].filter((text) => text !== null).join('. ');
}

/** What is known of the login of a ready agent that asks a model; null for others. */
function loginNote({ kind, state, login_state: login }: AgentReport): string | null {
  if (kind === 'analyst' || state !== 'ready') return null;
  return login === 'stored' ? 'a login is stored (not tested)' : 'only a run shows its login';
}

function unaskedReport(agent: Agent, pool: AgentPool): AgentReport {
  const model = pool.modelOf(agent.name);
  return {
    name: agent.name,
    kind: agent.kind,
    state: 'looking',
    login_state: 'unknown',
    version: null,
    path: null,
    model,
    vendor: agent.vendorOf(model),
    part: 'not used',
    turn: null,
    why: null,
    remedy: null,
    login: pool.adapterOf(agent.name)?.login ?? null,
  };
}

function factsOf(readiness: Readiness): Partial<AgentReport> {
  const { state } = readiness;
  if (readiness.state === 'ready') {
    const { version, path, note } = readiness;
    return { state, version, path, why: note ?? null };
  }
  return { state, why: readiness.why, remedy: readiness.remedy };
}

/** `conclave login AGENT`: the CLI’s own login, in this terminal; 3 where it is not logged in then. */
export async function loginCommand(name: string, { root }: CommonOptions): Promise<number> {
  const settings = await loadSettings({ cwd: root });
  printWarnings(settings.warnings);
  const { signal } = new AbortController();
  const pool = poolToAsk({ settings, root, signal });
  const { login } = namedAgent(name, pool).adapter;
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
