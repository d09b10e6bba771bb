import { missingAnswers } from '../faces/answers.ts';
import { Stopped } from '../model/failure.ts';
import { type Journal, readJournal } from '../store/journal.ts';
import { finishedSteps } from '../store/recorded-steps.ts';
import { type SessionFolder, listSessionIds, openSessionFolder } from '../store/session-folder.ts';
import { plannedIn } from '../workflow/review-start.ts';
import { recordedEnd, reopen } from '../workflow/session.ts';
import { recordedTask } from '../workflow/start.ts';
import type { ResumeFlags } from './flags.ts';
import { projectRoot } from './project-root.ts';
import { type Settings, loadSettings } from './settings/load-settings.ts';
import { givenAnswers } from './wiring/given-answers.ts';
import { checkNamedAgents } from './wiring/named-agents.ts';
import { openDesk } from './wiring/open-desk.ts';
import { runInSession, unattended } from './wiring/run-in-session.ts';

/** `conclave resume`: goes on with a saved session; what was answered is not asked again. */
export async function run(id: string | undefined, flags: ResumeFlags): Promise<number> {
  const root = await projectRoot(flags.cwd);
  const folder =
    id === undefined ? await latestUnfinished(root) : await openSessionFolder(root, id);
  const settings = await loadSettings({ cwd: root, environment: process.env, flags });
  const answers = givenAnswers(flags, settings);
  const missing = missingAnswers(answers);
  if (missing !== null) await refuseToAsk(folder, missing);
  await checkNamedAgents({ flags, settings, root, environment: process.env });
  if (await isStale({ folder, root, settings })) {
    throw new Stopped({ reason: 'plan-stale', session: folder.id });
  }
  return runInSession({
    folder,
    root,
    settings,
    face: unattended({ folder, answers, json: flags.json }),
    task: null,
    prepare: goOn,
  });
}

/** Makes a session that has ended go on where it ended. */
export async function goOn(journal: Journal): Promise<void> {
  const end = recordedEnd(journal);
  if (end !== null) await reopen(journal, end);
}

/** Whether a session has finished with a plan that is not on disk as it was approved. */
export async function isStale(at: {
  readonly folder: SessionFolder;
  readonly root: string;
  readonly settings: Settings;
}): Promise<boolean> {
  const journal = await readJournal(at.folder);
  const planned = plannedIn(journal.records);
  if (recordedEnd(journal)?.kind !== 'done' || planned === null) return false;
  const { desk } = await openDesk({ ...at, planned });
  const { hash, approvedHash } = await desk.read();
  return hash !== approvedHash;
}

async function latestUnfinished(root: string): Promise<SessionFolder> {
  for (const id of await listSessionIds(root)) {
    const folder = await openSessionFolder(root, id);
    const journal = await readJournal(folder);
    const isEmpty = recordedTask(finishedSteps(journal.records)) === null;
    if (!isEmpty && recordedEnd(journal)?.kind !== 'done') return folder;
  }
  const message = 'There is no unfinished session here; start one with: conclave plan "TASK"';
  throw new Stopped({ reason: 'usage', message });
}

/** Throws `unanswered` with the question that is open. A finished session asks nothing more. */
async function refuseToAsk(folder: SessionFolder, missing: string): Promise<void> {
  const journal = await readJournal(folder);
  if (recordedEnd(journal)?.kind === 'done') return;
  const [question, flags] =
    plannedIn(journal.records) === null
      ? ['Nobody is there to choose an option.', `--auto-yes, or ${missing}`]
      : [
          'The option is chosen, and nobody is there to approve the plan.',
          `--auto-yes, or with: conclave review ${folder.id} --approve`,
        ];
  throw new Stopped({ reason: 'unanswered', question, flags });
}
