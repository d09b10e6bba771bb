import type { ChosenTask } from '../faces/tui/state.ts';
import { type Failure, Stopped, failureText } from '../model/failure.ts';
import { readJournal, type Journal } from '../store/journal.ts';
import { finishedSteps } from '../store/recorded-steps.ts';
import { claimSession, type SessionFolder } from '../store/session-folder.ts';
import {
  plannedIn,
  recordedEnd,
  recordedTask,
  reopen,
  reopenReview,
} from '../workflow/recorded.ts';
import { sessionFlags } from './flags.ts';
import { flagLeaves } from './settings/text-leaves.ts';
import { latestSession, openSaved } from './saved-session.ts';
import { taskText } from './task-text.ts';
import { checkDefaultAgent, checkNamedAgents } from './wiring/agents-and-providers.ts';
import { pickedSession, type Face } from './wiring/face.ts';
import { openDesk } from './wiring/open-session.ts';
import {
  answersIn,
  missingFlags,
  runInFace,
  setUpAgain,
  setUpSession,
  type FlaggedSetup,
  type SessionSetup,
} from './wiring/run-session.ts';

/**
 * `conclave plan`: a new session from a task text to an approved plan. A person who gave no task
 * is asked for it, and may choose a saved session or leave instead. Returns the exit code.
 */
export async function planCommand(
  words: readonly string[],
  { values, face }: { readonly values: object; readonly face: Face },
): Promise<number> {
  const flags = await sessionFlags(values);
  const { person } = face;
  const isGiven = words.length > 0 || flags.taskFile !== undefined;
  const given = isGiven || person === null ? await taskText(words, flags) : null;
  const setup = { ...(await setUpSession({ face, cwd: flags.cwd, flags: flags.settings })), flags };
  if (given === null) return person === null ? 0 : await planChosen(person, setup, null);
  return await planTask(given, setup);
}

/** Plans what the person chooses. Where the last task led to nothing, it is offered again. */
async function planChosen(
  person: NonNullable<Face['person']>,
  setup: FlaggedSetup,
  last: { readonly task: string; readonly failure: Failure } | null,
): Promise<number> {
  const choice = await (last === null
    ? person.chosen()
    : person.chosen({ task: last.task, note: failureText(last.failure) }));
  if (choice?.kind === 'session') return await resumeSession(choice.id, setup);
  if (choice !== null) {
    return await planTask(await taskText([choice.task], {}), await withChosen(setup, choice));
  }
  if (last !== null) throw new Stopped(last.failure);
  return 0;
}

/** The settings with what was chosen on the start screen, as if flags had said it. */
async function withChosen(
  { flags, ...setup }: FlaggedSetup,
  { tools = [], models = {} }: ChosenTask,
): Promise<FlaggedSetup> {
  const model = Object.entries(models).map(([agent, name]) => `${agent}=${name}`);
  if (tools.length === 0 && model.length === 0) return { ...setup, flags };
  const chosen = flagLeaves({ model, ...(tools.length === 0 ? {} : { tools: tools.join(',') }) });
  const settings = [...flags.settings, ...chosen];
  const again = await setUpSession({ face: setup.face, cwd: flags.cwd, flags: settings });
  return { ...again, flags: { ...flags, settings } };
}

async function planTask(task: string, setup: FlaggedSetup): Promise<number> {
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
  const flags = await sessionFlags(values);
  const setup = { ...(await setUpSession({ face, cwd: flags.cwd, flags: flags.settings })), flags };
  const none = 'No session here is unfinished; start one with: conclave plan "TASK"';
  const pick = () => pickedSession(face, () => latestSession(setup.root, isUnfinished, none));
  const id = wanted ?? (await pick());
  return id === null ? 0 : await resumeSession(id, setup);
}

/** Goes on with one session. Returns the exit code. */
async function resumeSession(id: string, given: FlaggedSetup): Promise<number> {
  const { face, flags, root } = given;
  const folder = await openSaved(root, id);
  const setup = await setUpAgain(folder, given, flags.settings);
  const { settings } = setup;
  const missing = missingFlags(setup);
  if (missing !== null) await refuseToAsk(folder, missing);
  await checkNamedAgents({ settings, root });
  const isStale = await hasStalePlan(folder, setup);
  if (isStale && face.person === null) throw new Stopped({ reason: 'plan-stale', session: id });
  // A person is shown what they would have to approve anew.
  const prepare = isStale ? reopenReview : goOn;
  return await runInFace({ ...setup, folder, task: null, prepare, answers: answersIn(setup, id) });
}

/** Makes a session that has ended go on where it ended. */
async function goOn(journal: Journal): Promise<void> {
  const end = recordedEnd(journal);
  if (end !== null) await reopen(journal, end);
}

/** Whether a session has finished with a plan that is not on disk as it was approved. */
async function hasStalePlan(
  folder: SessionFolder,
  { root, settings }: SessionSetup,
): Promise<boolean> {
  const journal = await readJournal(folder);
  const planned = plannedIn(journal.records);
  if (recordedEnd(journal)?.kind !== 'done' || planned === null) return false;
  const { desk } = await openDesk({ folder, root, settings, planned });
  const { hash, approvedHash } = await desk.read();
  return hash !== approvedHash;
}

async function isUnfinished(folder: SessionFolder): Promise<boolean> {
  const journal = await readJournal(folder);
  const isEmpty = recordedTask(finishedSteps(journal.records)) === null;
  return !isEmpty && recordedEnd(journal)?.kind !== 'done';
}

/** Throws `unanswered` with the question that is open. A finished session asks nothing more. */
async function refuseToAsk(folder: SessionFolder, missing: string): Promise<void> {
  const journal = await readJournal(folder);
  if (recordedEnd(journal)?.kind === 'done') return;
  const [question, flags] =
    plannedIn(journal.records) === null
      ? ['No terminal to ask in, and no option was chosen.', `--auto-yes, or ${missing}`]
      : [
          'No terminal to ask in, and the plan is not approved yet.',
          `--auto-yes, or run: conclave review ${folder.id} --approve`,
        ];
  throw new Stopped({ reason: 'unanswered', question, flags });
}
