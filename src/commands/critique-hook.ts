// Runs `conclave critique --hook`: judges the plan that a host is about to show, and answers in its form.
import { buffer } from 'node:stream/consumers';
import { isFolder, projectRoot } from '../app/folders.ts';
import type { NamedPlace } from '../model/critique.ts';
import { isObject, jsonIn } from '../model/json.ts';
import { neverAborted } from '../model/signal.ts';
import { counted } from '../model/wording.ts';
import type { CheckedPlan } from '../phases/critique/check-places.ts';
import { type HostForm, type HostPlan, readHostPlan } from './host-plan.ts';
import type { GateAnswer } from './hook-examination.ts';

/** In ms: a host waits as long as its hook. */
const longest = 10_000;
/** In characters: the model of the host reads all of it. */
const longestReason = 2000;
/** Of one session of a host, so that no session goes round in circles. */
const mostDenials = 3;

/** Always ends with 0; a fault of ours lets the plan pass, and says so. */
export async function critiqueHook(environment: NodeJS.ProcessEnv): Promise<number> {
  const said: unknown = jsonIn((await buffer(process.stdin)).toString('utf8'));
  const host = isObject(said) ? await readHostPlan(said, environment) : null;
  const isOff =
    environment['CONCLAVE_CRITIQUE'] === 'off' || environment['CONCLAVE_RUN'] !== undefined;
  if (host === null || host.plan === null || isOff) {
    if (host?.form !== 'claude-tool') print({});
    return 0;
  }
  try {
    const { denial, note } = await judge({ ...host, plan: host.plan }, environment);
    const told = note === null ? {} : { systemMessage: note.slice(0, longestReason) };
    const answer = denial === null ? told : { ...denialOf(host.form, denial), ...told };
    // No word from us leaves claude’s dialog to the person.
    if (host.form !== 'claude-tool' || Object.keys(answer).length > 0) print(answer);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    print({ systemMessage: `Conclave could not check the plan (${why}), so it passes unchecked.` });
  }
  return 0;
}

const silence: GateAnswer = { denial: null, note: null, as: null };

type ShownPlan = HostPlan & { readonly plan: string };

async function judge(host: ShownPlan, environment: NodeJS.ProcessEnv): Promise<GateAnswer> {
  const { plan, cwd, session } = host;
  if (!(await isFolder(cwd))) throw new Error(`the folder ${cwd} is gone`);
  const { openJudgedPlans } = await import('./judged-plans.ts');
  const judged = await openJudgedPlans(session, environment);
  // Judged once: who shows the same plan again has heard it, and may be right.
  if (judged.knows(plan)) return silence;
  if (judged.denials >= mostDenials) {
    const note = `Conclave has sent ${mostDenials} plans of this session back, so this one passes unchecked. To examine it: conclave critique`;
    return { ...silence, note };
  }
  const answer = await answerTo(host, { environment, wasAsked: judged.wasAsked });
  if (answer.as !== null) await judged.remember(plan, answer.as);
  return answer;
}

/** A wrong place sends a plan back at once, and costs nothing. */
async function answerTo(
  host: ShownPlan,
  {
    environment,
    wasAsked,
  }: { readonly environment: NodeJS.ProcessEnv; readonly wasAsked: boolean },
): Promise<GateAnswer> {
  const { checkPlan } = await import('../phases/critique/check-work-tree.ts');
  const signal = AbortSignal.any([neverAborted, AbortSignal.timeout(longest)]);
  const checked = await checkPlan(host.plan, await projectRoot(host.cwd), signal);
  const denial = placesReason(checked);
  if (denial !== null) return { denial, note: null, as: 'denied' };
  const { answerBySettings } = await import('./hook-examination.ts');
  const answer = await answerBySettings(host, { environment, wasAsked });
  const notes = [answer.note, checked.unchecked].flatMap((note) => note ?? []);
  return { ...answer, note: notes.length === 0 ? null : notes.join('\n') };
}

function placesReason({ places, unchecked }: CheckedPlan<NamedPlace>): string | null {
  const wrong = places.filter(({ status }) => status === 'wrong');
  if (wrong.length === 0) return null;
  const lines = wrong.map(
    ({ text, plan_line: at, why }) => `- ${text} (line ${at} of the plan): ${why}`,
  );
  const head = `Conclave checked the places that this plan names: ${counted(wrong.length, 'place')} of ${places.length} ${wrong.length === 1 ? 'is' : 'are'} wrong. Correct the plan, or say in it that they are new; shown once more as it is, it passes.`;
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
