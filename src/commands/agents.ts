import type { Agent, Readiness } from '../agents/agent.ts';
import type { Login } from '../agents/cli-readiness.ts';
import type { AgentPool } from '../agents/pool.ts';
import { printJson, printTable, printWarnings } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { type Settings, loadSettings } from './settings/load-settings.ts';
import { poolToAsk } from './wiring/agents-and-providers.ts';
import { projectRoot } from './working-folder.ts';

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
  readonly why: string | null;
  readonly remedy: string | null;
  readonly login: string | null;
}

/** `conclave agents`: who can take part, and what is missing where one is not ready. */
export async function agentsCommand({ cwd, json }: CommonOptions): Promise<number> {
  const root = await projectRoot(cwd);
  const settings = await loadSettings({ cwd: root });
  printWarnings(settings.warnings);
  const reports = await agentReports({ settings, root });
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
        [loginNote(one), one.why, one.remedy].filter((text) => text !== null).join('. '),
      ]),
    });
  }
  return 0;
}

/**
 * Asks every agent whether it is ready, and those that are whether they are logged in. Each is told
 * of at once as `looking`, and again when more is known.
 */
export async function agentReports(
  { settings, root }: { readonly settings: Settings; readonly root: string },
  tell: (report: AgentReport) => void = () => undefined,
): Promise<readonly AgentReport[]> {
  const { signal } = new AbortController();
  const pool = poolToAsk({ settings, root, signal });
  return await Promise.all(
    [...pool.models(), ...pool.analysts].map(async (agent) => {
      const unasked = unaskedReport(agent, settings, pool);
      const known = { ...unasked, login: pool.adapterOf(agent.name)?.login ?? null };
      tell(known);
      const report = { ...known, ...factsOf(await agent.ready(signal)) };
      tell(report);
      if (report.state !== 'ready') return report;
      const login = await pool.checkLogin(agent.name, signal);
      if (login.state !== 'logged-out') return { ...report, login_state: login.state };
      const { state: login_state, why, remedy } = login;
      const out = { ...report, state: 'not-logged-in', login_state, why, remedy } as const;
      tell(out);
      return out;
    }),
  );
}

/** What is known of the login of a ready agent that asks a model; null for others. */
export function loginNote({ kind, state, login_state: login }: AgentReport): string | null {
  if (kind === 'analyst' || state !== 'ready') return null;
  return login === 'stored' ? 'a login is stored (not tested)' : 'only a run shows its login';
}

function unaskedReport(agent: Agent, settings: Settings, pool: AgentPool): AgentReport {
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
    part: partOf(agent, settings),
    why: null,
    remedy: null,
    login: null,
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

function partOf({ name, kind }: Agent, settings: Settings): AgentReport['part'] {
  const { tools, fallback_chain: chain } = settings.run;
  if (tools.includes(name)) return 'asked';
  // The analysts are the end of every chain.
  return chain.includes(name) || kind === 'analyst' ? 'backup' : 'not used';
}
