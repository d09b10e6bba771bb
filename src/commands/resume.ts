import { Stopped } from '../model/failure.ts';
import { readJournal, type Journal } from '../store/journal.ts';
import { finishedSteps } from '../store/recorded-steps.ts';
import { listSessionIds, openSessionFolder, type SessionFolder } from '../store/session-folder.ts';
import { plannedIn, recordedTask, reopenReview } from '../workflow/recorded.ts';
import { recordedEnd, reopen } from '../workflow/session.ts';
import { sessionFlags } from './flags.ts';
import { checkNamedAgents } from './wiring/agent-pools.ts';
import { pickedSession, type Face } from './wiring/face.ts';
import { openDesk } from './wiring/open-desk.ts';
import {
  answersIn,
  missingFlags,
  runInFace,
  setUpAgain,
  setUpSession,
  type FlaggedSetup,
  type SessionSetup,
} from './wiring/run-session.ts';

/** `conclave resume`: goes on with a saved session; what was answered is not asked again. */
export async function resumeCommand(
  wanted: string | undefined,
  { values, face }: { readonly values: unknown; readonly face: Face },
): Promise<number> {
  const flags = await sessionFlags(values);
  const setup = { ...(await setUpSession({ face, cwd: flags.cwd, flags })), flags };
  const pick = () => pickedSession(face, () => latestUnfinished(setup.root));
  const id = wanted ?? (await pick());
  return id === null ? 0 : await resumeSession(id, setup);
}

/** Goes on with one session. Returns the exit code. */
export async function resumeSession(id: string, given: FlaggedSetup): Promise<number> {
  const { face, flags, root } = given;
  const folder = await openSessionFolder(root, id);
  const setup = await setUpAgain(folder, given, flags);
  const { settings } = setup;
  const missing = missingFlags(setup);
  if (missing !== null) await refuseToAsk(folder, missing);
  await checkNamedAgents({ flags, settings, root });
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

async function latestUnfinished(root: string): Promise<string> {
  for (const id of await listSessionIds(root)) {
    const journal = await readJournal(await openSessionFolder(root, id));
    const isEmpty = recordedTask(finishedSteps(journal.records)) === null;
    if (!isEmpty && recordedEnd(journal)?.kind !== 'done') return id;
  }
  const message = 'No session here is unfinished; start one with: conclave plan "TASK"';
  throw new Stopped({ reason: 'usage', message });
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
