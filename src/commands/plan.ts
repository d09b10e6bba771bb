import { type Failure, Stopped, failureText } from '../model/failure.ts';
import { claimSession } from '../store/session-folder.ts';
import { sessionFlags } from './flags.ts';
import { resumeSession } from './resume.ts';
import { taskText } from './task-text.ts';
import { checkNamedAgents } from './wiring/agent-pools.ts';
import type { Face, Person } from './wiring/face.ts';
import {
  type FlaggedSetup,
  answersIn,
  missingFlags,
  runInFace,
  setUpSession,
} from './wiring/run-session.ts';

/**
 * `conclave plan`: a new session from a task text to an approved plan. A person who gave no task
 * is asked for it, and may choose a saved session or leave instead. Returns the exit code.
 */
export async function planCommand(
  words: readonly string[],
  { values, face }: { readonly values: unknown; readonly face: Face },
): Promise<number> {
  const flags = await sessionFlags(values);
  const { person } = face;
  const isGiven = words.length > 0 || flags.taskFile !== undefined;
  const given = isGiven || person === null ? await taskText(words, flags) : null;
  const setup = { ...(await setUpSession({ face, cwd: flags.cwd, flags })), flags };
  if (given === null) return person === null ? 0 : await planChosen(person, setup, null);
  return await planTask(given, setup);
}

/** Plans what the person chooses. Where the last task led to nothing, it is offered again. */
async function planChosen(
  person: Person,
  setup: FlaggedSetup,
  last: { readonly task: string; readonly failure: Failure } | null,
): Promise<number> {
  const choice = await (last === null
    ? person.chosen()
    : person.chosen({ task: last.task, note: failureText(last.failure) }));
  if (choice?.kind === 'session') return await resumeSession(choice.id, setup);
  if (choice !== null) return await planTask(await taskText([choice.task], {}), setup);
  if (last !== null) throw new Stopped(last.failure);
  return 0;
}

async function planTask(task: string, setup: FlaggedSetup): Promise<number> {
  const missing = missingFlags(setup);
  if (missing !== null) {
    const question = 'No terminal to ask in, and no option was chosen.';
    throw new Stopped({ reason: 'unanswered', question, flags: `--auto-yes, or ${missing}` });
  }
  const { flags, root, settings, face } = setup;
  await checkNamedAgents({ flags, settings, root });
  const folder = await claimSession({ root, task, now: new Date() });
  const session = { ...setup, folder, task, resumed: null, answers: answersIn(setup, folder.id) };
  const { person } = face;
  if (person === null) return await runInFace(session);
  const nothingFound = (failure: Failure) => planChosen(person, setup, { task, failure });
  return await runInFace({ ...session, nothingFound });
}
