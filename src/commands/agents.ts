import type { Agent, Readiness } from '../agents/agent.ts';
import type { Login } from '../agents/check-login.ts';
import { printJson, printTable, printWarnings } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { projectRoot } from './working-folder.ts';
import { type Settings, loadSettings } from './settings/load-settings.ts';
import { poolToAsk } from './wiring/agent-pools.ts';

/** One agent as it is on this machine, under the settings of this folder. */
export interface AgentReport {
  readonly name: string;
  readonly kind: Agent['kind'];
  readonly state: Readiness['state'];
  /** Null where it is not known: a run shows it. */
  readonly logged_in: boolean | null;
  readonly version: string | null;
  readonly path: string | null;
  readonly model: string | null;
  readonly vendor: string | null;
  /** Whether it has a seat, stands in, or takes part only when named. */
  readonly part: 'seat' | 'stands in' | 'when named';
  readonly why: string | null;
  readonly remedy: string | null;
  readonly login: string | null;
}

/** `conclave agents`: who can take part, and what is missing where one is not ready. */
export async function run({ cwd, json }: CommonOptions): Promise<number> {
  const root = await projectRoot(cwd);
  const settings = await loadSettings({ cwd: root, environment: process.env, flags: {} });
  printWarnings(settings.warnings);
  const reports = await agentReports(settings, root);
  if (json) printJson(reports);
  else {
    printTable({
      head: ['AGENT', 'KIND', 'STATE', 'VERSION', 'MODEL', 'VENDOR', 'PART', 'WHAT IS MISSING'],
      rows: reports.map((one) => [
        one.name,
        one.kind,
        one.state.replaceAll('-', ' '),
        one.version ?? '-',
        one.model ?? (one.kind === 'model' ? 'its own default' : '-'),
        one.vendor ?? '-',
        one.part,
        [one.why, one.remedy].filter((text) => text !== null).join('. '),
      ]),
    });
  }
  return 0;
}

/** Asks every agent whether it is ready, and those that are whether they are logged in. */
export async function agentReports(
  settings: Settings,
  root: string,
): Promise<readonly AgentReport[]> {
  const { signal } = new AbortController();
  const pool = poolToAsk({ settings, environment: process.env, root, signal });
  return await Promise.all(
    [...pool.models(), ...pool.analysts].map(async (agent) => {
      const login = pool.adapterOf(agent.name)?.login ?? null;
      const report = { ...reportOf(agent, settings, await agent.ready(signal)), login };
      if (report.state !== 'ready') return report;
      return withLogin(report, await pool.checkLogin(agent.name, signal));
    }),
  );
}

/** What is known of an agent when it has been asked. */
export function reportOf(
  agent: Agent,
  settings: Settings,
  readiness: Readiness,
): Omit<AgentReport, 'login'> {
  const model = settings.agents[agent.name]?.model ?? null;
  const isReady = readiness.state === 'ready';
  return {
    name: agent.name,
    kind: agent.kind,
    state: readiness.state,
    logged_in: null,
    version: isReady ? readiness.version : null,
    path: isReady ? readiness.path : null,
    model,
    vendor: agent.vendorOf(model),
    part: partOf(agent, settings),
    why: isReady ? null : readiness.why,
    remedy: isReady ? null : readiness.remedy,
  };
}

/** The same when it is known whether it is logged in. */
export function withLogin<Report extends Omit<AgentReport, 'login'>>(
  report: Report,
  login: Login,
): Report {
  if (login.state !== 'logged-out') {
    return { ...report, logged_in: login.state === 'logged-in' ? true : null };
  }
  const { why, remedy } = login;
  return { ...report, state: 'not-logged-in', logged_in: false, why, remedy };
}

/** Under these settings. */
export function partOf(
  { name, kind }: Pick<Agent, 'name' | 'kind'>,
  settings: Settings,
): AgentReport['part'] {
  const { tools, fallback_chain: chain } = settings.run;
  if (tools.includes(name)) return 'seat';
  // The analysts are the end of every chain.
  return chain.includes(name) || kind === 'analyst' ? 'stands in' : 'when named';
}
