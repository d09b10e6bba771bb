// Runs `conclave critique` as a session: other vendors examine an existing plan.
import { examinePlan } from '../app/examine-plan.ts';
import { goOnAfterVerdict } from '../app/sessions.ts';
import type { AfterVerdict, GivenPlan } from '../model/critique.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { planText } from './critique-command.ts';
import type { RawOptions } from './program/shared-options.ts';
import { checkTask } from './task-text.ts';
import { runInFace } from './wiring/interruptions.ts';
import {
  answersIn,
  missingFlags,
  selectSession,
  type SessionCall,
  type SessionSetup,
  setUpSession,
} from './wiring/session-setup.ts';

interface CritiqueCall extends SessionCall {
  readonly values: RawOptions;
}

/** `conclave critique [PLAN.md|-] [TASK...]`; the exit code is 4 if something speaks against the plan. */
export async function examineCommand(
  words: readonly string[],
  call: CritiqueCall,
): Promise<number> {
  const { revise = false, plan = false, session } = call.values;
  const after = { revise, plan };
  if (session !== undefined) return await goOn(session, words, { call, after });
  const [file = '-', ...task] = words;
  if (words.length === 0 && process.stdin.isTTY) {
    throw wrongUsage('Name the plan to examine: a file, or - for standard input.');
  }
  const setup = await setUpSession(call);
  requireAnswers(setup, after);
  const text = await planText(file);
  const given: GivenPlan = {
    text,
    host_vendor: vendorIn(call.values),
    parts: null,
    ...after,
  };
  return await runInFace({
    face: setup.face,
    answers: answersIn(setup),
    run: (door) => examinePlan({ ...setup, ...door, task: taskOf(task), given }),
  });
}

/** The task in words; without any, the plan states it. */
function taskOf(words: readonly string[]): string {
  return words.length === 0 ? '' : checkTask(words.join(' '), 'conclave critique plan.md');
}

function vendorIn({ hostVendor }: RawOptions): string | null {
  if (hostVendor === undefined) return null;
  const vendor = hostVendor.trim().toLowerCase();
  if (vendor === '') throw wrongUsage('--host-vendor needs a value.');
  return vendor;
}

/** Continues with an examined plan. */
async function goOn(
  wanted: string,
  words: readonly string[],
  { call, after }: { readonly call: CritiqueCall; readonly after: AfterVerdict },
): Promise<number> {
  if (words.length > 0)
    throw wrongUsage('--session goes on with its own plan, so leave out the file.');
  if (!after.plan && !after.revise) {
    throw wrongUsage('Add --revise or --plan: what is to become of the examined plan.');
  }
  const setup = await setUpSession(call);
  requireAnswers(setup, after);
  const session = await selectSession(wanted, setup, ['resume']);
  if (session === null) return 0;
  return await runInFace({
    face: session.face,
    answers: answersIn(session),
    run: (door) => goOnAfterVerdict({ ...session, ...door, after }),
  });
}

/** Throws `unanswered` if `--plan` needs a decision that nobody can take; a critique alone asks nothing. */
function requireAnswers(setup: SessionSetup, { plan }: AfterVerdict): void {
  const missing = plan ? missingFlags(setup) : null;
  if (missing === null) return;
  const question = '--plan asks for a decision, and there is no terminal to ask in.';
  throw new Stopped({ reason: 'unanswered', question, flags: `--auto-yes, or ${missing}` });
}
