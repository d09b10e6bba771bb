import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { missingAnswers } from '../faces/answers.ts';
import { Stopped } from '../model/failure.ts';
import { longestTask } from '../model/task-text.ts';
import { claimSession } from '../store/session-folder.ts';
import { isAbsent, isSystemError } from '../store/system-error.ts';
import type { PlanFlags } from './flags.ts';
import { projectRoot } from './project-root.ts';
import { loadSettings } from './settings/load-settings.ts';
import { checkNamedAgents } from './wiring/named-agents.ts';
import { givenAnswers } from './wiring/given-answers.ts';
import { runInSession, unattended } from './wiring/run-in-session.ts';

/** `conclave plan`: a new session from a task text to an approved plan. */
export async function run(words: readonly string[], flags: PlanFlags): Promise<number> {
  const task = await taskText(words, flags);
  const root = await projectRoot(flags.cwd);
  const settings = await loadSettings({ cwd: root, environment: process.env, flags });
  const answers = givenAnswers(flags, settings);
  const missing = missingAnswers(answers);
  if (missing !== null) {
    const question = 'Nobody is there to choose an option.';
    throw new Stopped({ reason: 'unanswered', question, flags: `--auto-yes, or ${missing}` });
  }
  await checkNamedAgents({ flags, settings, root, environment: process.env });
  const folder = await claimSession({ root, task, now: new Date() });
  const face = unattended({ folder, answers, json: flags.json });
  return runInSession({ folder, root, settings, face, task });
}

/** The task text of words or of a file. Throws `usage`, also where both are given. */
export async function taskText(words: readonly string[], flags: PlanFlags): Promise<string> {
  if (flags.taskFile !== undefined && words.length > 0) {
    const message = '--task-file and a task in words exclude each other; give one of them.';
    throw new Stopped({ reason: 'usage', message });
  }
  const task = (
    flags.taskFile === undefined ? words.join(' ') : await fromFile(flags.taskFile)
  ).trim();
  if (task === '') {
    const message =
      'The task text is empty; say what to plan, e.g. conclave plan "Add a --json flag".';
    throw new Stopped({ reason: 'usage', message });
  }
  const bytes = Buffer.byteLength(task);
  if (bytes > longestTask) {
    const message = `The task text has ${bytes} bytes and at most ${longestTask} are taken; shorten it and name files for the rest.`;
    throw new Stopped({ reason: 'usage', message });
  }
  return task;
}

async function fromFile(path: string): Promise<string> {
  if (path === '-') return textOf(process.stdin);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const message = isAbsent(error)
      ? `--task-file takes a file, and there is no ${path}.`
      : `--task-file ${path} cannot be read (${error.code}).`;
    throw new Stopped({ reason: 'usage', message });
  }
}
