import { Stopped } from '../model/failure.ts';
import { claimSession } from '../store/session-folder.ts';
import { sessionFlags } from './flags.ts';
import { resumeSession } from './resume.ts';
import { taskText } from './task-text.ts';
import { checkNamedAgents } from './wiring/agent-pools.ts';
import type { Face } from './wiring/face.ts';
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
  const isGiven = words.length > 0 || flags.taskFile !== undefined;
  const given = isGiven || face.person === null ? await taskText(words, flags) : null;
  const setup = { ...(await setUpSession({ face, cwd: flags.cwd, flags })), flags };
  if (given !== null) return await planTask(given, setup);
  const choice = (await face.person?.chosen()) ?? null;
  if (choice === null) return 0;
  if (choice.kind === 'session') return await resumeSession(choice.id, setup);
  return await planTask(await taskText([choice.task], {}), setup);
}

async function planTask(task: string, setup: FlaggedSetup): Promise<number> {
  const missing = missingFlags(setup);
  if (missing !== null) {
    const question = 'No terminal to ask in, and no option was chosen.';
    throw new Stopped({ reason: 'unanswered', question, flags: `--auto-yes, or ${missing}` });
  }
  const { flags, root, settings } = setup;
  await checkNamedAgents({ flags, settings, root });
  const folder = await claimSession({ root, task, now: new Date() });
  return await runInFace({ ...setup, folder, task, answers: answersIn(setup, folder.id) });
}
