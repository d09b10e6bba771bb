// Extracts the plan that a host is about to show from what the host tells a hook.
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isObject, jsonIn } from '../model/json.ts';
import { nullIfAbsent } from '../store/system-error.ts';

/** The forms in which hosts take an answer. */
export type HostForm = 'claude-tool' | 'gemini-tool' | 'stop';

/** A plan that a host is about to show. */
export interface HostPlan {
  readonly form: HostForm;
  readonly plan: string;
  readonly cwd: string;
  readonly session: string;
}

/** Recognises the host by its fields. Null for a turn without a plan; throws if an expected plan is missing. */
export async function readHostPlan(
  said: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): Promise<HostPlan | null> {
  const { cwd, session_id: id } = said;
  if (typeof cwd !== 'string' || !isAbsolute(cwd))
    throw new Error('the host named no absolute path as cwd');
  const found = await planIn(said, environment);
  if (found.plan === null && found.form !== 'stop') throw new Error('the host sent no plan');
  const session = typeof id === 'string' ? id : cwd;
  return found.plan === null ? null : { cwd, session, ...found, plan: found.plan };
}

type FoundPlan = Pick<HostPlan, 'form'> & { readonly plan: string | null };

async function planIn(
  said: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): Promise<FoundPlan> {
  const { hook_event_name: event, tool_name: tool, tool_input: given } = said;
  const input = isObject(given) ? given : {};
  if (event === 'PreToolUse' && tool === 'ExitPlanMode') {
    const plan = textOf(input['plan']) ?? (await textIn(input['planFilePath']));
    return { form: 'claude-tool', plan };
  }
  // It hands over a summary, which may not be the whole plan.
  if (event === 'PreToolUse' && tool === 'exit_plan_mode') {
    return { form: 'claude-tool', plan: textOf(input['summary']) };
  }
  if (event === 'BeforeTool' && tool === 'exit_plan_mode') {
    const path = input['plan_path'] ?? geminiPlan(said, input['plan_filename']);
    return { form: 'gemini-tool', plan: await textIn(path) };
  }
  if (event === 'Stop') {
    return { form: 'stop', plan: await stoppedPlan(said, environment) };
  }
  throw new Error('the host sent an event that shows no plan');
}

/** Finds the file of gemini’s plan, which gemini only names and keeps next to the record of the session. */
function geminiPlan(said: Readonly<Record<string, unknown>>, name: unknown): string | null {
  const { transcript_path: transcript, session_id: session } = said;
  if (typeof transcript !== 'string' || typeof session !== 'string') return null;
  if (typeof name !== 'string' || basename(name) !== name) return null;
  return join(dirname(dirname(transcript)), basename(session), 'plans', name);
}

/** The plan with which a turn ends: the last message in claude’s plan mode, a proposed plan in codex. */
async function stoppedPlan(
  said: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  if (said['stop_hook_active'] === true && said['turn_id'] === undefined) return null;
  const last = textOf(said['last_assistant_message']);
  const proposed = /<proposed_plan>([^]*?)<\/proposed_plan>/.exec(last ?? '')?.[1];
  if (proposed !== undefined) return proposed;
  if (said['turn_id'] === undefined) {
    // With a person present, claude ends a plan with a tool call; other text in plan mode is then a question.
    const isAlone = environment['CLAUDE_CODE_ENTRYPOINT']?.startsWith('sdk') === true;
    return isAlone && said['permission_mode'] === 'plan' ? last : null;
  }
  const transcript = await textIn(said['transcript_path']);
  return transcript === null ? null : planInTranscript(transcript, said['turn_id']);
}

/** The last plan of this turn in codex’s own record of the session. */
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

/** The largest file that is read, in bytes. */
const largestFile = 64 * 1024 * 1024;

async function textIn(path: unknown): Promise<string | null> {
  if (typeof path !== 'string' || !isAbsolute(path)) return null;
  const found = await nullIfAbsent(stat(path));
  if (found?.isFile() !== true) return null;
  if (found.size > largestFile) throw new Error(`${path} has more than ${largestFile} bytes`);
  return textOf(await readFile(path, 'utf8'));
}
