import { unknownFlags } from '../agents/unknown-flags.ts';
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
import type { CommonOptions } from './program/options.ts';
import { defaultSettings, loadSettings, type Settings } from './settings/load-settings.ts';
import { poolToAsk } from './wiring/agents-and-providers.ts';

/**
 * `conclave doctor`: what is there and what is missing; 3 if no agent at all could answer, and 2
 * if git refuses the repository, or if the settings do not hold, which are the defaults for the
 * rest of the report then.
 */
export async function doctorCommand({ root, json }: CommonOptions): Promise<number> {
  const { settings, fault } = await settingsOrDefaults(root);
  const [machine, repository, agents] = await Promise.all([
    machineChecks(settings, fault),
    repositoryCheck(root),
    examinedAgents({ settings, root }),
  ]);
  const checks = [...machine, repository, ...platformNotes()];
  const canAnswer = agents.some((agent) => agent.state === 'ready');
  printWarnings(settings.warnings);
  if (json) printJson({ version, can_answer: canAnswer, checks, agents });
  else {
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
    printLines('', ...remedyLines(remedies), summary(canAnswer, agents));
  }
  if (fault !== null || repository.state === 'missing') return 2;
  return canAnswer ? 0 : 3;
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
}

async function examinedAgents(place: {
  readonly settings: Settings;
  readonly root: string;
}): Promise<readonly ExaminedAgent[]> {
  const { signal } = new AbortController();
  const pool = poolToAsk({ ...place, signal });
  const reports = await agentReports(place);
  return await Promise.all(
    reports.map(async (report) => {
      const setup = pool.setupOf(report.name);
      const isThere = setup !== undefined && report.path !== null;
      return {
        ...report,
        tested: setup?.adapter.tested ?? null,
        read_only_by: setup?.adapter.readOnlyBy ?? null,
        unknown_flags: isThere ? await unknownFlags(setup, signal) : [],
      };
    }),
  );
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
  const { why, tested, version: installed, unknown_flags: flags } = agent;
  const isOther = tested !== null && installed !== null && !isWithin(installed, tested);
  return [
    ...(why === null ? [] : [why]),
    ...(isOther ? [`tested with ${tested}; yours is ${installed}`] : []),
    ...(flags.length === 0 ? [] : [`its version does not list ${flags.join(', ')}`]),
  ];
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

function summary(canAnswer: boolean, agents: readonly AgentReport[]): string {
  if (!canAnswer) return 'No agent could answer.';
  const models = agents.filter((agent) => agent.kind === 'model');
  const ready = models.filter((agent) => agent.state === 'ready');
  const names = ready.map((agent) => agent.name).join(', ');
  if (ready.length === 0) {
    const lacks = models.some((agent) => agent.state === 'not-logged-in')
      ? 'logged in'
      : 'installed';
    return `No agent with a model is ${lacks}; the built-in analysts answer instead.`;
  }
  if (ready.length === 1) {
    return `Only ${names} is ready; agreement needs two agents whose models come from different vendors.`;
  }
  return `Ready: ${names}. Only a run shows whether their logins are accepted.`;
}
