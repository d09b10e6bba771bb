// Starts the examination of an existing plan, for every door.
import { Critique, type GivenPlan } from '../model/critique.ts';
import { wrongUsage } from '../model/failure.ts';
import { readAs } from '../model/json.ts';
import { redactOutput } from '../model/secrets.ts';
import { critiqueFile } from '../phases/critique/judge-plan.ts';
import { titleOf } from '../phases/critique/structure-plan.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import type { SessionEnd } from '../workflow/recorded.ts';
import { type Door, startSession } from './sessions.ts';
import type { Workplace } from './workplace.ts';

/** The largest size of a plan, in bytes. */
const largestPlan = 1024 * 1024;

interface Examination extends Workplace, Door {
  /** The task; empty if the plan itself says what it is for. */
  readonly task: string;
  readonly given: GivenPlan;
}

/** Runs a session in which other vendors examine a plan. Throws like `startSession`. */
export async function examinePlan({ task, given, ...door }: Examination): Promise<SessionEnd> {
  const { text, host_vendor: vendor } = given;
  if (text.trim() === '') throw wrongUsage('The plan is empty.');
  if (Buffer.byteLength(text) > largestPlan)
    throw wrongUsage(`The plan has more than ${largestPlan} bytes.`);
  const about = task === '' ? `Examine the plan: ${titleOf(text)}` : task;
  const host_vendor = vendor?.trim().toLowerCase() || null;
  const examined = { ...given, text: redactOutput(text), host_vendor };
  return await startSession({ ...door, task: about, given: examined });
}

/** The verdict of a session; null if it has none. */
export async function readCritique(folder: Pick<SessionFolder, 'read'>): Promise<Critique | null> {
  return readAs(Critique, await folder.read(critiqueFile));
}
