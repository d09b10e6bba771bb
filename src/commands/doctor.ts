import { isolationNotes } from '../agents/cli-setup.ts';
import { type Probe, unknownFlags } from '../agents/probe.ts';
import { duration } from '../faces/short-forms.ts';
import { Stopped } from '../model/failure.ts';
import { version } from '../version.ts';
import { agentReports, type AgentReport } from './agents.ts';
import {
  type MachineCheck,
  machineChecks,
  platformNotes,
  repositoryCheck,
} from './machine-checks.ts';
import { printJson, printLines, printTable, printWarnings } from './output.ts';
import { earlierProbe, probeReady } from './probes.ts';
import type { CommonOptions } from './program/options.ts';
import { defaultSettings, loadSettings, type Settings } from './settings/load-settings.ts';
import { poolToAsk } from './wiring/agents-and-providers.ts';

/**
 * `conclave doctor`: what is there and what is missing; 3 if no agent at all could answer (with
 * `--probe`: if none with a model did), and 2 if git refuses the repository, or if the settings do
 * not hold, which are the defaults for the rest of the report then.
 */
export async function doctorCommand(options: CommonOptions): Promise<number> {
  const { root, json } = options;
  const { settings, fault } = await settingsOrDefaults(root);
  const [machine, repository, { agents, isProbed }] = await Promise.all([
    machineChecks(settings, fault),
    repositoryCheck(root),
    examinedAgents(settings, options),
  ]);
  const checks = [...machine, repository, ...platformNotes()];
  const usable = agents.filter(
    ({ state, probe }) => state === 'ready' && (!isProbed || probe?.failure === null),
  );
  printWarnings(settings.warnings);
  if (json) printJson({ version, can_answer: usable.length > 0, checks, agents });
  else printReport(checks, agents, summary(agents, usable, isProbed));
  if (fault !== null || repository.state === 'missing') return 2;
  return usable.length > 0 ? 0 : 3;
}

/** The settings, or the defaults and what is wrong with the settings. */
async function settingsOrDefaults(
  root: string,
): Promise<{ readonly settings: Settings; readonly fault: string | null }> {
  try {
    return { settings: await loadSettings({ cwd: root }), fault: null };
  } catch (error) {
    if (!(error instanceof Stopped) || error.failure.reason !== 'config') throw error;
    return { settings: defaultSettings(), fault: error.message };
  }
}

interface ExaminedAgent extends AgentReport {
  /** The versions that it was tested with. */
  readonly tested: string | null;
  /** What keeps it read-only. */
  readonly read_only_by: string | null;
  /** Flags of a read-only run that its help does not list. */
  readonly unknown_flags: readonly string[];
  /** Of an isolation that is not the default. */
  readonly isolation_notes: readonly string[];
  /** What the latest probe of this very program showed. */
  readonly probe: Probe | null;
}

async function examinedAgents(
  settings: Settings,
  { root, probe = false, yes }: CommonOptions,
): Promise<{ readonly agents: readonly ExaminedAgent[]; readonly isProbed: boolean }> {
  const { signal } = new AbortController();
  const pool = poolToAsk({ settings, root, signal });
  const reports = await agentReports({ settings, root });
  const isProbed = probe && (await probeReady(reports, { pool, yes }));
  const agents = await Promise.all(
    reports.map(async (report) => {
      const setup = pool.setupOf(report.name);
      const isThere = setup !== undefined && report.path !== null;
      return {
        ...report,
        tested: setup?.adapter.tested ?? null,
        read_only_by: setup?.adapter.readOnlyBy ?? null,
        unknown_flags: isThere ? await unknownFlags(setup, signal) : [],
        isolation_notes: setup === undefined ? [] : isolationNotes(setup),
        probe: await earlierProbe(report, pool),
      };
    }),
  );
  return { agents, isProbed };
}

function printReport(
  checks: readonly MachineCheck[],
  agents: readonly ExaminedAgent[],
  conclusion: string,
): void {
  printTable({
    head: ['CHECK', 'STATE', 'FOUND'],
    rows: checks.map(({ name, state, found }) => [name, state, found]),
  });
  printLines('');
  printTable({
    head: ['AGENT', 'FOUND AT', 'VERSION', 'TESTED WITH', 'LOGIN', 'READ-ONLY BY', 'NOTES'],
    rows: agents.map(agentRow),
  });
  const remedies = [...checks, ...agents.map((agent) => ({ ...agent, remedy: remedyOf(agent) }))];
  printLines('', ...remedyLines(remedies), conclusion);
}

function agentRow(agent: ExaminedAgent): readonly string[] {
  const { name, kind, path, version: installed, tested, read_only_by: guard } = agent;
  const isAnalyst = kind === 'analyst';
  return [
    name,
    isAnalyst ? 'built in' : (path ?? agent.state.replaceAll('-', ' ')),
    installed ?? '-',
    tested ?? '-',
    isAnalyst ? 'needs none' : loginWord(agent),
    isAnalyst ? 'uses no model' : (guard ?? '-'),
    notesOf(agent).join('; ') || '-',
  ];
}

function loginWord({ path, login_state: login }: ExaminedAgent): string {
  if (path === null) return '-';
  return login === 'stored' ? 'stored (not tested)' : login.replaceAll('-', ' ');
}

function notesOf(agent: ExaminedAgent): readonly string[] {
  const { why, tested, version: installed, unknown_flags: flags, probe } = agent;
  const isOther = tested !== null && installed !== null && !isWithin(installed, tested);
  return [
    ...(why === null ? [] : [why]),
    ...(isOther ? [`tested with ${tested}; yours is ${installed}`] : []),
    ...(flags.length === 0 ? [] : [`its version does not list ${flags.join(', ')}`]),
    ...agent.isolation_notes,
    ...(probe === null ? [] : [probeNote(probe)]),
  ];
}

function probeNote({ date, failure, duration_ms: ms, model, ...learned }: Probe): string {
  const when = `probed on ${date.slice(0, 10)}`;
  if (failure !== null) return `${when}: ${failure}`;
  return [
    `${when}: answered in ${duration(ms)} with ${model ?? 'an unknown model'}`,
    learned.fits_schema ? 'in the form asked for' : 'not in the form asked for',
    ...(learned.resumes === null ? [] : [`${learned.resumes ? 'can' : 'cannot'} resume`]),
  ].join(', ');
}

/** Whether a version is one of a range like `2.1.x`. */
function isWithin(installed: string, tested: string): boolean {
  return `${installed}.`.startsWith(tested.replace(/x$/, ''));
}

function remedyOf(agent: ExaminedAgent): string | null {
  const { name, state, remedy, login, tested, unknown_flags: flags } = agent;
  if (state === 'not-installed') return login === null ? remedy : `${remedy} Log in with: ${login}`;
  if (remedy !== null || flags.length === 0) return remedy;
  return `Runs of ${name} may fail; install version ${tested}.`;
}

function remedyLines(all: readonly Pick<MachineCheck, 'name' | 'remedy'>[]): readonly string[] {
  const lines = all.flatMap(({ name, remedy }) =>
    remedy === null ? [] : [`  ${name}: ${remedy}`],
  );
  return lines.length === 0 ? [] : ['What you can do:', ...lines, ''];
}

function summary(
  agents: readonly AgentReport[],
  usable: readonly AgentReport[],
  isProbed: boolean,
): string {
  const ready = usable.filter((agent) => agent.kind === 'model');
  const names = ready.map((agent) => agent.name).join(', ');
  if (usable.length === 0) return isProbed ? 'No agent answered.' : 'No agent could answer.';
  if (ready.length === 0) {
    const lacks = agents.some((agent) => agent.state === 'not-logged-in')
      ? 'logged in'
      : 'installed';
    return `No agent with a model is ${lacks}; the built-in analysts answer instead.`;
  }
  if (ready.length === 1) {
    return `Only ${names} is ready; agreement needs two agents whose models come from different vendors.`;
  }
  return isProbed
    ? `Ready: ${names}.`
    : `Ready: ${names}. Only a run, or --probe, shows whether their logins are accepted.`;
}
