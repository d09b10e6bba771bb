// Runs `conclave critique --hook`: judges the plan that a host is about to show, and answers in its form.
import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { isFolder, projectRoot } from '../app/folders.ts';
import type { NamedPlace } from '../model/critique.ts';
import { isObject, jsonIn } from '../model/json.ts';
import { counted, wordsOfError } from '../model/wording.ts';
import type { CheckedPlan } from '../phases/critique/judge-places.ts';
import { type HostForm, type HostPlan, readHostPlan } from './host-plan.ts';

/** The longest time, in ms, for everything that asks no model: a host waits as long as its hook runs. */
const longest = 5000;
/** The longest reason, in characters: the model of the host reads all of it. */
const longestReason = 2000;
/** The most denials in one session of a host, so that no session runs in circles. */
const mostDenials = 3;

/** Always exits with 0. A plan that could not be read or checked passes, with a message saying so. */
export async function critiqueHook(environment: NodeJS.ProcessEnv): Promise<number> {
  const isOff =
    environment['CONCLAVE_CRITIQUE'] === 'off' || environment['CONCLAVE_RUN'] !== undefined;
  const signal = timeLimit();
  try {
    const host = await readHost(environment);
    const { denial, note } =
      host === null || isOff ? silence : await judge(host, { environment, signal });
    const told = note === null ? {} : { systemMessage: note.slice(0, longestReason) };
    const answer =
      host === null || denial === null ? told : { ...denialOf(host.form, denial), ...told };
    // Printing nothing leaves claude’s dialog to the person.
    if (host?.form !== 'claude-tool' || Object.keys(answer).length > 0) print(answer);
  } catch (error) {
    const why = wordsOfError(error);
    const note = `Conclave could not check the plan (${why}), so it passes unchecked.`;
    print(isOff ? {} : { systemMessage: note });
  }
  return 0;
}

/** Ends both the reading and the checking, each with a sentence. */
function timeLimit(): AbortSignal {
  const limit = new AbortController();
  const why = new Error(`it took longer than ${longest / 1000} seconds`);
  setTimeout(() => {
    limit.abort(why);
    process.stdin.destroy(why);
  }, longest).unref();
  return limit.signal;
}

/** Reads what the host sends; null if its turn has no plan. Throws if that cannot be determined. */
async function readHost(environment: NodeJS.ProcessEnv): Promise<HostPlan | null> {
  const bytes = await buffer(process.stdin);
  // The decoder drops a byte order mark.
  const said: unknown = isUtf8(bytes) ? jsonIn(new TextDecoder().decode(bytes)) : null;
  if (!isObject(said)) throw new Error('the host sent no JSON object, or not in UTF-8');
  return await readHostPlan(said, environment);
}

/** The answer of the gate. */
interface GateAnswer {
  /** The reason why the plan should be changed first; null if it passes. */
  readonly denial: string | null;
  /** A note that is shown to the person. */
  readonly note: string | null;
}

const silence: GateAnswer = { denial: null, note: null };

async function judge(
  { plan, cwd, session }: HostPlan,
  {
    environment,
    signal,
  }: { readonly environment: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<GateAnswer> {
  if (!(await isFolder(cwd))) throw new Error(`the folder ${cwd} is gone`);
  const { openJudgedPlans } = await import('./judged-plans.ts');
  const judged = await openJudgedPlans(session, environment);
  // A plan is denied once: a host that shows it again has heard the verdict, and may be right.
  if (judged.wasDenied(plan)) return silence;
  if (judged.denials >= mostDenials) {
    const note = `Conclave has sent ${mostDenials} plans of this session back, so this one passes unchecked. To examine it: conclave critique`;
    return { denial: null, note };
  }
  const { checkPlan } = await import('../phases/critique/check-work-tree.ts');
  const checked = await checkPlan(plan, await projectRoot(cwd), signal);
  const denial = placesReason(checked);
  if (denial === null) return { denial, note: checked.unchecked };
  await judged.rememberDenied(plan);
  return { denial, note: null };
}

function placesReason({ places, unchecked }: CheckedPlan<NamedPlace>): string | null {
  const wrong = places.filter(({ status }) => status === 'wrong');
  if (wrong.length === 0) return null;
  const lines = wrong.map(
    ({ text, plan_line: at, why }) => `- ${text} (line ${at} of the plan): ${why}`,
  );
  const head = `Conclave checked the places that this plan names: ${counted(wrong.length, 'place')} of ${places.length} ${wrong.length === 1 ? 'is' : 'are'} wrong. Correct the plan, or say in it that they are new; if it is shown again unchanged, it passes.`;
  return [head, ...(unchecked === null ? [] : [unchecked]), ...lines]
    .join('\n')
    .slice(0, longestReason);
}

function denialOf(form: HostForm, text: string): object {
  const reason = text.slice(0, longestReason);
  if (form === 'gemini-tool') return { decision: 'deny', reason };
  if (form === 'stop') return { decision: 'block', reason };
  const decision = { permissionDecision: 'deny', permissionDecisionReason: reason };
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } };
}

function print(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
