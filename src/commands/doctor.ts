import { Stopped } from '../model/failure.ts';
import { version } from '../version.ts';
import { type AgentReport, agentReports, loginNote } from './agents.ts';
import {
  type MachineCheck,
  machineChecks,
  platformNotes,
  repositoryCheck,
} from './machine-checks.ts';
import { printJson, printLines, printTable, printWarnings } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { projectRoot } from './working-folder.ts';
import { type Settings, defaultSettings, loadSettings } from './settings/load-settings.ts';

/**
 * `conclave doctor`: what is there and what is missing; 3 if no agent at all could answer, and 2
 * if git refuses the repository, or if the settings do not hold, which are the defaults for the
 * rest of the report then.
 */
export async function doctorCommand({ cwd, json }: CommonOptions): Promise<number> {
  const root = await projectRoot(cwd);
  const { settings, fault } = await settingsOrDefaults(root);
  const [machine, repository, agents] = await Promise.all([
    machineChecks(settings, fault),
    repositoryCheck(root),
    agentReports({ settings, root }),
  ]);
  const checks = [...machine, repository, ...agents.map(agentCheck), ...platformNotes()];
  const canAnswer = agents.some((agent) => agent.state === 'ready');
  printWarnings(settings.warnings);
  if (json) printJson({ version, can_answer: canAnswer, checks, agents });
  else {
    printTable({
      head: ['CHECK', 'STATE', 'FOUND'],
      rows: checks.map(({ name, state, found }) => [name, state, found]),
    });
    printLines('', ...remedyLines(checks), summary(canAnswer, agents));
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

function agentCheck(agent: AgentReport): MachineCheck {
  const name = `agent ${agent.name}`;
  if (agent.kind === 'analyst') {
    const found = agent.why ?? 'built in; reads the repository, uses no model';
    return { name, state: agent.state === 'ready' ? 'ok' : 'missing', found, remedy: agent.remedy };
  }
  const program = `${agent.version ?? 'unknown version'} (${agent.path ?? 'no path'})`;
  if (agent.state === 'ready') {
    const found = [program, loginNote(agent), agent.why].filter((part) => part !== null).join('; ');
    return { name, state: 'ok', found, remedy: null };
  }
  if (agent.state === 'not-logged-in') {
    const found = `${program}; logged out: ${agent.why}`;
    return { name, state: 'log in', found, remedy: agent.remedy };
  }
  const state = agent.state === 'disabled' ? 'note' : 'missing';
  const login = agent.login === null || state === 'note' ? '' : ` Log in with: ${agent.login}`;
  return { name, state, found: agent.why ?? agent.state, remedy: `${agent.remedy ?? ''}${login}` };
}

function remedyLines(checks: readonly MachineCheck[]): readonly string[] {
  const lines = checks.flatMap(({ name, remedy }) =>
    remedy === null ? [] : [`${name}: ${remedy}`],
  );
  return lines.length === 0 ? [] : ['What you can do:', ...lines.map((line) => `  ${line}`), ''];
}

function summary(canAnswer: boolean, agents: readonly AgentReport[]): string {
  if (!canAnswer) return 'No agent could answer.';
  const models = agents.filter((agent) => agent.kind === 'model');
  const ready = models.filter((agent) => agent.state === 'ready');
  const names = namesOf(ready);
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

function namesOf(agents: readonly AgentReport[]): string {
  return agents.map((agent) => agent.name).join(', ');
}
