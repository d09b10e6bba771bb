// Runs `conclave plan` and `conclave resume`.
import type { ChosenTask } from '../faces/tui/state.ts';
import { type Failure, Stopped, failureText } from '../model/failure.ts';
import { readJournal, type Journal } from '../store/journal.ts';
import { finishedSteps } from '../store/recorded-steps.ts';
import { claimSession, type SessionFolder } from '../store/session-folder.ts';
import { recordedEnd, recordedTask, reopen, reopenReview } from '../workflow/recorded.ts';
import { sessionFlags } from './flags.ts';
import { flagLeaves } from '../app/settings/text-leaves.ts';
import { taskText } from './task-text.ts';
import { checkDefaultAgent, checkNamedAgents } from '../app/agents-and-providers.ts';
import type { Face } from './wiring/face.ts';
import { openDesk } from '../app/open-session.ts';
import {
  type Saved,
  type SessionSetup,
  answersIn,
  chosenSession,
  missingFlags,
  runInFace,
  savedSession,
  setUpSession,
} from './wiring/run-session.ts';

/**
 * `conclave plan`: a new session from a task text to an approved plan. A person who gave no task
 * is asked for it, and may choose a saved session or leave instead. Returns the exit code.
 */
export async function planCommand(
  words: readonly string[],
  { values, face }: { readonly values: object; readonly face: Face },
): Promise<number> {
  const setup = await setUpSession(await sessionFlags(values), face);
  const { person } = face;
  const isGiven = words.length > 0 || setup.flags.taskFile !== undefined;
  if (!isGiven && person !== null) return await planChosen(person, setup, null);
  return await planTask(await taskText(words, setup.flags), setup);
}

/** Plans what the person chooses. Where the last task led to nothing, it is offered again. */
async function planChosen(
  person: NonNullable<Face['person']>,
  setup: SessionSetup,
  last: { readonly task: string; readonly failure: Failure } | null,
): Promise<number> {
  const choice = await (last === null
    ? person.chosen()
    : person.chosen({ task: last.task, note: failureText(last.failure) }));
  if (choice?.kind === 'session') return await resume(await savedSession(choice.id, setup));
  if (choice !== null) {
    return await planTask(await taskText([choice.task], {}), await withChosen(setup, choice));
  }
  if (last !== null) throw new Stopped(last.failure);
  return 0;
}

/** The settings with what was chosen on the start screen, as if flags had said it. */
async function withChosen(
  setup: SessionSetup,
  { tools = [], models = {} }: ChosenTask,
): Promise<SessionSetup> {
  const model = Object.entries(models).map(([agent, name]) => `${agent}=${name}`);
  if (tools.length === 0 && model.length === 0) return setup;
  const chosen = flagLeaves({ model, ...(tools.length === 0 ? {} : { tools: tools.join(',') }) });
  const { flags, face } = setup;
  return await setUpSession({ ...flags, settings: [...flags.settings, ...chosen] }, face);
}

async function planTask(task: string, setup: SessionSetup): Promise<number> {
  const missing = missingFlags(setup);
  if (missing !== null) {
    const question = 'No terminal to ask in, and no option was chosen.';
    throw new Stopped({ reason: 'unanswered', question, flags: `--auto-yes, or ${missing}` });
  }
  const { root, settings, face } = setup;
  await checkNamedAgents({ settings, root });
  await checkDefaultAgent({ settings, root });
  const folder = await claimSession({ root, task, now: new Date() });
  const session = { ...setup, folder, task, resumed: null, answers: answersIn(setup, folder.id) };
  const { person } = face;
  if (person === null) return await runInFace(session);
  const again = (failure: Failure) => planChosen(person, setup, { task, failure });
  return await runInFace({ ...session, again });
}

/** `conclave resume`: goes on with a saved session; what was answered is not asked again. */
export async function resumeCommand(
  wanted: string | undefined,
  { values, face }: { readonly values: object; readonly face: Face },
): Promise<number> {
  const none = 'No session here is unfinished; start one with: conclave plan "TASK"';
  const setup = await setUpSession(await sessionFlags(values), face);
  const saved = await chosenSession(wanted, setup, { fits: isUnfinished, none });
  return saved === null ? 0 : await resume(saved);
}

/** Goes on with one session. Returns the exit code. */
async function resume(saved: Saved): Promise<number> {
  const { face, root, settings, folder } = saved;
  const missing = missingFlags(saved);
  if (missing !== null) refuseToAsk(saved, missing);
  await checkNamedAgents({ settings, root });
  const isStale = await hasStalePlan(saved);
  if (isStale && face.person === null) {
    throw new Stopped({ reason: 'plan-stale', session: folder.id });
  }
  // A person is shown what they would have to approve anew.
  const prepare = isStale ? reopenReview : goOn;
  return await runInFace({ ...saved, prepare, answers: answersIn(saved, folder.id) });
}

/** Makes a session that has ended go on where it ended. */
async function goOn(journal: Journal): Promise<void> {
  const end = recordedEnd(journal);
  if (end !== null) await reopen(journal, end);
}

/** Whether a session has finished with a plan that is not on disk as it was approved. */
async function hasStalePlan(saved: Saved): Promise<boolean> {
  const { planned } = saved;
  if (recordedEnd(saved)?.kind !== 'done' || planned === null) return false;
  const { desk } = await openDesk({ ...saved, planned });
  const { hash, approvedHash } = await desk.read();
  return hash !== approvedHash;
}

async function isUnfinished(folder: SessionFolder): Promise<boolean> {
  const journal = await readJournal(folder);
  const isEmpty = recordedTask(finishedSteps(journal.records)) === null;
  return !isEmpty && recordedEnd(journal)?.kind !== 'done';
}

/** Throws `unanswered` with the question that is open. A finished session asks nothing more. */
function refuseToAsk(saved: Saved, missing: string): void {
  if (recordedEnd(saved)?.kind === 'done') return;
  const [question, flags] =
    saved.planned === null
      ? ['No terminal to ask in, and no option was chosen.', `--auto-yes, or ${missing}`]
      : [
          'No terminal to ask in, and the plan is not approved yet.',
          `--auto-yes, or run: conclave review ${saved.folder.id} --approve`,
        ];
  throw new Stopped({ reason: 'unanswered', question, flags });
}
