// Runs `conclave doctor`: shows the machine and the agents as tables; `--probe` asks the agents.
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { Text } from '../model/plain-shapes.ts';
import type { AgentPool } from '../agents/pool.ts';
import { Probe, probe as probeAgent } from '../agents/cli/probe.ts';
import { Stopped } from '../model/failure.ts';
import { neverAborted } from '../model/signal.ts';
import { readAs } from '../model/json.ts';
import { duration, listed } from '../model/wording.ts';
import { digestOf } from '../store/digest.ts';
import { openSmallFile, type SmallFile, writeUserJson } from '../store/small-file.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { version } from '../version.ts';
import { localOffers } from './local-models.ts';
import { llamaPlace, usualPlaces } from '../agents/api/local-servers.ts';
import { agentReports, type AgentReport } from './agents-command.ts';
import { type MachineCheck, machineChecks } from './machine-checks.ts';
import { probesFile } from '../app/folders.ts';
import { printTable } from './columns.ts';
import { confirm, printJson, printLines, printWarnings, progressLine } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';
import { settingsBytes } from '../app/settings/config-file.ts';
import { defaultSettings, loadSettings, type Settings } from '../app/settings/load-settings.ts';
import { poolToAsk } from '../app/make-pool.ts';
import { interruptible } from './wiring/interruptions.ts';

/**
 * `conclave doctor`: reports what works and what is missing; the exit code is 3 if no agent could answer (with
 * `--probe`: if none with a model did), and 2 if git refuses the repository or the settings are invalid; the
 * rest of the report then uses the defaults.
 */
export async function doctorCommand(options: CommonOptions): Promise<number> {
  const { root, environment, json } = options;
  const { settings, fault } = await settingsOrDefaults(root, environment);
  const places = [...usualPlaces(environment), llamaPlace(environment)];
  // Done separately, because the servers have little time to answer, which starting so many programs would use up.
  const offers = await localOffers(settings, environment, places);
  const [checks, { agents, isProbed }] = await Promise.all([
    machineChecks({ settings, environment, fault, root }),
    examinedAgents(settings, options),
  ]);
  const usable = agents.filter(
    ({ state, probe }) => state === 'ready' && (!isProbed || probe?.failure === null),
  );
  printWarnings(settings.warnings);
  if (json) printJson({ version, can_answer: usable.length > 0, checks, agents, offers });
  else printReport(checks, agents, [...offers, ...payText(usable), summary(usable, isProbed)]);
  const isRefused = checks.some(({ name, state }) => name === 'repository' && state === 'missing');
  if (fault !== null || isRefused) return 2;
  return usable.length > 0 ? 0 : 3;
}

/** The settings, or the defaults with what is wrong with the settings. */
async function settingsOrDefaults(
  root: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly settings: Settings; readonly fault: string | null }> {
  try {
    return { settings: await loadSettings({ root, environment }), fault: null };
  } catch (error) {
    if (!(error instanceof Stopped) || error.failure.reason !== 'config') throw error;
    return { settings: defaultSettings(environment), fault: error.message };
  }
}

interface ExaminedAgent extends AgentReport {
  /** The versions with which it was tested. */
  readonly tested: string | null;
  /** The means that keep it read-only. */
  readonly read_only_by: string | null;
  /** Flags of a read-only run that its help does not list. */
  readonly unknown_flags: readonly string[];
  /** Notes on an isolation that is not the default. */
  readonly isolation_notes: readonly string[];
  /** The key, plan or credit that pays for its calls, or that this is not known. */
  readonly paid_by: string | null;
  /** Warnings for people who use its program without Conclave. */
  readonly warnings: readonly string[];
  /** The result of the latest probe of exactly this program. */
  readonly probe: Probe | null;
}

async function examinedAgents(
  settings: Settings,
  { root, environment, probe = false, yes }: CommonOptions,
): Promise<{ readonly agents: readonly ExaminedAgent[]; readonly isProbed: boolean }> {
  const probes = openProbes(environment);
  const pool = poolToAsk({ settings, environment, root });
  const reports = await agentReports({ settings, environment, root });
  const isProbed = probe && (await probeReady(reports, { pool, yes, probes }));
  const agents = await Promise.all(
    reports.map(async (report) => {
      const program = pool.describe(report.name);
      const isThere = program !== undefined && report.path !== null;
      return {
        ...report,
        tested: program?.tested ?? null,
        read_only_by: program?.readOnlyBy ?? null,
        unknown_flags: isThere ? await program.unknownFlags(neverAborted) : [],
        isolation_notes: program?.isolationNotes ?? [],
        paid_by: isThere ? program.paidBy() : null,
        warnings: isThere ? program.warnings : [],
        probe: await earlierProbe(report, pool, probes),
      };
    }),
  );
  return { agents, isProbed };
}

function printReport(
  checks: readonly MachineCheck[],
  agents: readonly ExaminedAgent[],
  conclusion: readonly string[],
): void {
  printTable({
    head: ['CHECK', 'STATE', 'FOUND'],
    rows: checks.map(({ name, state, found }) => [name, state, found]),
  });
  printLines('');
  printTable({
    head: agentHead,
    rows: agents.map(agentRow),
  });
  const remedies = [...checks, ...agents.map((agent) => ({ ...agent, remedy: remedyOf(agent) }))];
  printLines('', ...remedyLines(remedies), ...conclusion);
}

const agentHead = [
  'AGENT',
  'BY',
  'FOUND AT',
  'VERSION',
  'TESTED WITH',
  'MODEL',
  'VENDOR',
  'LOGIN',
  'READ-ONLY BY',
  'NOTES',
];

function agentRow(agent: ExaminedAgent): readonly string[] {
  const { name, path, version: installed, tested, login_state: login } = agent;
  const notes = notesOf(agent).join('; ') || '-';
  if (agent.kind === 'analyst') {
    const own = [installed ?? '-', '-', '-', '-', 'needs none', 'uses no model', notes];
    return [name, 'built in', '-', ...own];
  }
  const isThere = path !== null || (agent.transport === 'api' && agent.state === 'ready');
  const where = path ?? (isThere ? agent.address : null) ?? agent.state.replaceAll('-', ' ');
  if (!isThere) return [name, agent.transport, where, '-', '-', '-', '-', '-', '-', notes];
  return [
    name,
    agent.transport,
    where,
    installed ?? '-',
    tested ?? '-',
    agent.model ?? 'its own default',
    agent.vendor ?? '-',
    login === 'stored' ? 'stored (not tested)' : login.replaceAll('-', ' '),
    agent.read_only_by ?? '-',
    notes,
  ];
}

function notesOf(agent: ExaminedAgent): readonly string[] {
  const { why, tested, version: installed, unknown_flags: flags, probe } = agent;
  const isOther = tested !== null && installed !== null && !isWithin(installed, tested);
  return [
    ...(why === null ? [] : [why]),
    ...(isOther ? [`tested with ${tested}; yours is ${installed}`] : []),
    ...(flags.length === 0 ? [] : [`its version does not list ${flags.join(', ')}`]),
    ...agent.isolation_notes,
    ...agent.warnings,
    ...(probe === null ? [] : [probeNote(probe)]),
    ...(probe === null ? [] : offerNotes(agent.model, probe)),
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

/** Lists the models that the program offers, and says if the chosen one is not among them. */
function offerNotes(chosen: string | null, { models }: Probe): readonly string[] {
  if (models === null) return [];
  const isOther = chosen !== null && !models.includes(chosen);
  const missing = isOther ? `, and not the chosen ${chosen}` : '';
  return [`it offers ${listed(models)}${missing}`];
}

/** True for a version in a range like `2.1.x`. */
function isWithin(installed: string, tested: string): boolean {
  return `${installed}.`.startsWith(tested.replace(/x$/, ''));
}

function remedyOf(agent: ExaminedAgent): string | null {
  const { name, state, remedy, login, tested, unknown_flags: flags } = agent;
  if (state === 'not-installed') return login === null ? remedy : `${remedy} Then log in: ${login}`;
  if (remedy !== null || flags.length === 0) return remedy;
  return `Runs of ${name} may fail; install version ${tested}.`;
}

function remedyLines(all: readonly Pick<MachineCheck, 'name' | 'remedy'>[]): readonly string[] {
  const lines = all.flatMap(({ name, remedy }) =>
    remedy === null ? [] : [`  ${name}: ${remedy}`],
  );
  return lines.length === 0 ? [] : ['What you can do:', ...lines, ''];
}

/** Says what pays for the calls of each agent that is ready. */
function payText(usable: readonly ExaminedAgent[]): readonly string[] {
  const models = usable.filter(({ kind }) => kind === 'model');
  const payers = models.flatMap(({ name, paid_by: payer }) =>
    payer === null ? [] : [`${name} by ${payer}`],
  );
  const unknown = models.filter(({ paid_by: payer }) => payer === null).map(({ name }) => name);
  return [
    ...(payers.length === 0 ? [] : [`Calls are paid for: ${payers.join('; ')}.`]),
    ...(unknown.length === 0 ? [] : [`Who pays for calls of ${listed(unknown)} is not known.`]),
  ];
}

function summary(usable: readonly AgentReport[], isProbed: boolean): string {
  const names = usable.filter(({ kind }) => kind === 'model').map(({ name }) => name);
  if (usable.length === 0) return isProbed ? 'No agent answered.' : 'No agent could answer.';
  if (names.length === 0) {
    return 'No agent with a model is ready; the built-in analysts answer instead.';
  }
  if (names.length === 1) {
    return `Only ${names[0]} is ready; agreement needs two agents whose models come from different vendors.`;
  }
  const doubt = isProbed ? '' : ' Only a run, or --probe, shows whether their logins are accepted.';
  return `Ready: ${names.join(', ')}.${doubt}`;
}

/** Probes by agent; a probe applies only to exactly the program that was probed, called in the same way. */
const Kept = z.record(Text, z.strictObject({ program: Text, probe: Probe }));
type Kept = z.infer<typeof Kept>;

/** The result of the latest probe of exactly this program; null if there is none. */
async function earlierProbe(
  report: AgentReport,
  pool: AgentPool,
  probes: SmallFile<Kept>,
): Promise<Probe | null> {
  const { [report.name]: saved } = await probes.read();
  return saved?.program === (await programOf(report, pool)) ? saved.probe : null;
}

/** Probes the ready agents one after the other; false if the user declines. */
async function probeReady(
  reports: readonly AgentReport[],
  {
    pool,
    yes,
    probes,
  }: { readonly pool: AgentPool; readonly yes: boolean; readonly probes: SmallFile<Kept> },
): Promise<boolean> {
  const ready = reports.filter(({ kind, state }) => kind === 'model' && state === 'ready');
  const names = ready.map(({ name }) => name);
  const question = `This makes one or two small paid calls to each of ${names.join(', ')}. Go on?`;
  if (ready.length > 0 && !yes && !(await confirm(question))) return false;
  await interruptible(async ({ signal, markPrefix }) => {
    const line = progressLine();
    try {
      for (const report of ready) {
        const { name } = report;
        const agent = pool.get(name);
        if (agent === undefined) continue;
        line.say(`Asking ${name} …`);
        const found = await probeAgent(agent, { signal, mark: `${markPrefix}${name}` });
        const offered = (await pool.describe(name)?.offeredModels(signal)) ?? null;
        const probe = { ...found, models: offered === null ? null : [...offered] };
        const latest = { program: await programOf(report, pool), probe };
        await probes.write({ ...(await probes.read()), [name]: latest });
      }
    } finally {
      line.end();
    }
  });
  return true;
}

/** A digest of the program and of how it is called. */
async function programOf(agent: AgentReport, pool: AgentPool) {
  const { path } = agent;
  const file = path === null ? null : await nullIfAbsent(stat(path));
  const { args, isolation } = pool.describe(agent.name)?.changes ?? {};
  const called = { version: agent.version, model: agent.model, args, isolation };
  return digestOf({ path, size: file?.size, changed: file?.mtimeMs, ...called });
}

function openProbes(environment: NodeJS.ProcessEnv): SmallFile<Kept> {
  const file = probesFile(environment);
  return openSmallFile({
    read: async () => (await settingsBytes(file))?.toString() ?? null,
    // Unreadable results are dropped, because they can be obtained again.
    parse: (text) => readAs(Kept, text),
    write: (probes) => writeUserJson(file, probes),
    missing: {},
  });
}
