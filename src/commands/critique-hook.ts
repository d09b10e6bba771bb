// Runs `conclave critique --hook`: reads what a host tells of a plan, and answers in its form.
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { critiquesFile, projectRoot } from '../app/folders.ts';
import type { NamedPlace } from '../model/critique.ts';
import { isObject, jsonIn } from '../model/json.ts';
import { neverAborted } from '../model/signal.ts';
import { counted } from '../model/wording.ts';
import { sha256Of } from '../store/digest.ts';
import { writeUserJson } from '../store/small-file.ts';
import { nullIfAbsent } from '../store/system-error.ts';

/** The forms in which hosts take an answer. */
type HostForm = 'claude-tool' | 'gemini-tool' | 'stop';

/** A plan that a host is about to show. */
interface HostPlan {
  readonly form: HostForm;
  /** Null where this turn has no plan. */
  readonly plan: string | null;
  readonly cwd: string;
  readonly session: string;
  /** Of the model that wrote it, who is not asked; null where the host carries several. */
  readonly vendor: string | null;
}

/** In ms: a host waits as long as its hook. */
const longest = 10_000;
/** In characters: the model of the host reads all of it. */
const longestReason = 2000;
/** Of one session of a host, so that no session goes round in circles. */
const mostDenials = 3;

/** Always ends with 0; a fault of ours lets the plan pass, and says so. */
export async function critiqueHook(environment: NodeJS.ProcessEnv): Promise<number> {
  const said: unknown = jsonIn(await standardInput());
  const host = isObject(said) ? await hostPlan(said) : null;
  const isOff =
    environment['CONCLAVE_CRITIQUE'] === 'off' || environment['CONCLAVE_RUN'] !== undefined;
  if (host === null || host.plan === null || isOff) {
    if (host?.form !== 'claude-tool') print({});
    return 0;
  }
  try {
    const reason = await judge({ ...host, plan: host.plan }, environment);
    if (reason !== null) print(denialOf(host.form, reason));
    else if (host.form !== 'claude-tool') print({});
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    print({ systemMessage: `Conclave could not check the plan (${why}), so it passes unchecked.` });
  }
  return 0;
}

/** Why the plan should be changed first; null where it passes. */
async function judge(
  { plan, cwd, session, vendor }: HostPlan & { readonly plan: string },
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  const file = critiquesFile(environment);
  const key = sha256Of(session).slice(0, 16);
  const denied = await denialsIn(file);
  const before = denied[key] ?? [];
  const hash = sha256Of(plan).slice(0, 16);
  // Judged once: who shows the same plan again has heard it, and may be right.
  if (before.includes(hash) || before.length >= mostDenials) return null;
  const { checkPlan } = await import('../phases/critique/check-work-tree.ts');
  const signal = AbortSignal.any([neverAborted, AbortSignal.timeout(longest)]);
  const places = await checkPlan(plan, await projectRoot(cwd), signal);
  const wrong = places.filter(({ status }) => status === 'wrong');
  // A wrong place sends it back at once, and costs nothing.
  const reason =
    wrong.length > 0
      ? placesReason(wrong, places.length)
      : await examinationReason({ plan, cwd, vendor, environment });
  if (reason === null) return null;
  const latest = Object.entries(denied)
    .filter(([one]) => one !== key)
    .slice(-99);
  await writeUserJson(file, { ...Object.fromEntries(latest), [key]: [...before, hash] });
  return reason;
}

function placesReason(wrong: readonly NamedPlace[], all: number): string {
  const lines = wrong.map(
    ({ text, plan_line: at, why }) => `- ${text} (line ${at} of the plan): ${why}`,
  );
  const head = `Conclave checked the places that this plan names: ${counted(wrong.length, 'place')} of ${all} ${wrong.length === 1 ? 'is' : 'are'} wrong. Correct the plan, or say in it that they are new; shown once more as it is, it passes.`;
  return [head, ...lines].join('\n').slice(0, longestReason);
}

/** Why other vendors send it back; null where they do not, or are not asked. */
async function examinationReason(examined: {
  readonly plan: string;
  readonly cwd: string;
  readonly vendor: string | null;
  readonly environment: NodeJS.ProcessEnv;
}): Promise<string | null> {
  const { examineForHook } = await import('./hook-examination.ts');
  const verdict = await examineForHook(examined);
  if (verdict === null || !verdict.isBlocking) return null;
  const head =
    'Conclave had other vendors examine this plan. Meet what is marked ✗, or answer it in the plan; shown once more as it is, it passes.';
  return [head, ...verdict.lines.map((line) => `- ${line}`)].join('\n').slice(0, longestReason);
}

async function denialsIn(file: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const text = await nullIfAbsent(readFile(file, 'utf8'));
  const known: unknown = text === null ? {} : jsonIn(text);
  if (!isObject(known)) return {};
  const entries = Object.entries(known).flatMap(([key, value]) =>
    Array.isArray(value) ? [[key, value.filter((one) => typeof one === 'string')] as const] : [],
  );
  return Object.fromEntries(entries);
}

function denialOf(form: HostForm, reason: string): object {
  if (form === 'gemini-tool') return { decision: 'deny', reason };
  if (form === 'stop') return { decision: 'block', reason };
  const decision = { permissionDecision: 'deny', permissionDecisionReason: reason };
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } };
}

/** Tells the hosts apart by their fields; null for what is about no plan at all. */
async function hostPlan(said: Readonly<Record<string, unknown>>): Promise<HostPlan | null> {
  const { hook_event_name: event, tool_name: tool, tool_input: given, cwd, session_id: id } = said;
  if (typeof cwd !== 'string' || !isAbsolute(cwd)) return null;
  const session = typeof id === 'string' ? id : cwd;
  const input = isObject(given) ? given : {};
  const common = { cwd, session };
  if (event === 'PreToolUse' && tool === 'ExitPlanMode') {
    return { ...common, form: 'claude-tool', vendor: 'anthropic', plan: textOf(input['plan']) };
  }
  // It hands over a summary, perhaps not the whole plan.
  if (event === 'PreToolUse' && tool === 'exit_plan_mode') {
    return { ...common, form: 'claude-tool', vendor: null, plan: textOf(input['summary']) };
  }
  if (event === 'BeforeTool' && tool === 'exit_plan_mode') {
    return {
      ...common,
      form: 'gemini-tool',
      vendor: 'google',
      plan: await textIn(input['plan_path'] ?? geminiPlan(said, input['plan_filename'])),
    };
  }
  if (event === 'Stop') {
    const vendor = said['turn_id'] === undefined ? 'anthropic' : 'openai';
    return { ...common, form: 'stop', vendor, plan: await stoppedPlan(said) };
  }
  return null;
}

/** Gemini names its plan only; it keeps it beside the record of the session. */
function geminiPlan(said: Readonly<Record<string, unknown>>, name: unknown): string | null {
  const { transcript_path: transcript, session_id: session } = said;
  if (typeof transcript !== 'string' || typeof session !== 'string') return null;
  if (typeof name !== 'string' || basename(name) !== name) return null;
  return join(dirname(dirname(transcript)), basename(session), 'plans', name);
}

/** The plan with which a turn ends: in claude’s plan mode its last message, in codex a proposed plan. */
async function stoppedPlan(said: Readonly<Record<string, unknown>>): Promise<string | null> {
  if (said['stop_hook_active'] === true && said['turn_id'] === undefined) return null;
  const last = textOf(said['last_assistant_message']);
  const proposed = /<proposed_plan>([^]*?)<\/proposed_plan>/.exec(last ?? '')?.[1];
  if (proposed !== undefined) return proposed;
  if (said['turn_id'] === undefined) return said['permission_mode'] === 'plan' ? last : null;
  const transcript = await textIn(said['transcript_path']);
  return transcript === null ? null : planInTranscript(transcript, said['turn_id']);
}

/** The last plan of that turn in codex’s own record of the session. */
function planInTranscript(transcript: string, turn: unknown): string | null {
  for (const line of transcript.split('\n').toReversed()) {
    if (!line.includes('"Plan"')) continue;
    const entry: unknown = jsonIn(line);
    const payload = isObject(entry) && isObject(entry['payload']) ? entry['payload'] : entry;
    if (!isObject(payload) || !isObject(payload['item'])) continue;
    const { item } = payload;
    if (item['type'] === 'Plan' && (payload['turn_id'] ?? turn) === turn)
      return textOf(item['text']);
  }
  return null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** In bytes. */
const largestFile = 64 * 1024 * 1024;

async function textIn(path: unknown): Promise<string | null> {
  if (typeof path !== 'string' || !isAbsolute(path)) return null;
  const found = await nullIfAbsent(stat(path));
  if (found?.isFile() !== true || found.size > largestFile) return null;
  return textOf(await readFile(path, 'utf8'));
}

async function standardInput(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

function print(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
