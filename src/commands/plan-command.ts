// Runs `conclave plan` and `conclave resume`.
import type { ToldConversation } from '../app/conversation-history.ts';
import { resumeSession, startSession } from '../app/sessions.ts';
import { checkTeam } from '../app/check-team.ts';
import { settingLeaves } from '../app/settings/text-leaves.ts';
import type { ChosenTask } from '../faces/tui/screen-state.ts';
import { type Failure, Stopped, failureText, wrongUsage } from '../model/failure.ts';
import { neverAborted } from '../model/signal.ts';
import { findApproval, findEnd, findGiven } from '../workflow/recorded.ts';
import { readPipedTask, taskText } from './task-text.ts';
import type { Face } from './wiring/choose-face.ts';
import { runInFace } from './wiring/interruptions.ts';
import {
  answersIn,
  type ChosenSession,
  selectSession,
  missingFlags,
  teamOf,
  sessionOf,
  type SessionCall,
  type SessionSetup,
  setUpSession,
} from './wiring/session-setup.ts';

/**
 * Runs a new session from a task text to an approved plan. A person who gave no task is asked for it, and may
 * choose a saved session or leave instead. Returns the exit code.
 */
export async function planCommand(words: readonly string[], call: SessionCall): Promise<number> {
  const setup = await setUpSession(call);
  const { person } = setup.face;
  const { taskFile, conversation: wanted } = setup.flags;
  const isGiven = words.length > 0 || taskFile !== undefined;
  if (wanted !== undefined) {
    const { tellConversation } = await import('../app/conversation-history.ts');
    const conversation = await tellConversation(setup, wanted);
    const task = isGiven ? await taskText(words, setup.flags) : conversation.question;
    return await planTask(task, { ...setup, conversation });
  }
  if (!isGiven && person !== null) return await planChosen(person, setup, null);
  if (setup.face.input !== undefined && (!isGiven || taskFile === '-')) {
    throw wrongUsage(
      '--stdin-events takes answers on standard input; give the task in words, or as --task-file FILE.',
    );
  }
  const isPiped = !isGiven && !process.stdin.isTTY;
  const task = isPiped ? await readPipedTask() : await taskText(words, setup.flags);
  return await planTask(task, setup);
}

/** Plans what the person chooses. If the last task led to nothing, it is offered again. */
async function planChosen(
  person: NonNullable<Face['person']>,
  setup: SessionSetup,
  last: { readonly task: string; readonly failure: Failure } | null,
): Promise<number> {
  const choice = await (last === null
    ? person.chosen()
    : person.chosen({ task: last.task, note: failureText(last.failure) }));
  if (choice?.kind === 'session') {
    const session = await sessionOf(choice.id, setup);
    return session === null ? 0 : await resume(session);
  }
  if (choice !== null) {
    return await planTask(await taskText([choice.task], {}), await withChosen(setup, choice));
  }
  if (last !== null) throw new Stopped(last.failure);
  return 0;
}

/** The settings with the choices from the start screen, as if flags had made them. */
async function withChosen(
  setup: SessionSetup,
  { tools = [], models = {} }: ChosenTask,
): Promise<SessionSetup> {
  const model = Object.entries(models).map(([agent, name]) => `${agent}=${name}`);
  if (tools.length === 0 && model.length === 0) return setup;
  const chosen = settingLeaves({
    model,
    ...(tools.length !== 0 && { tools: tools.join(',') }),
  });
  const settings = [...setup.flags.settings, ...chosen];
  return { ...setup, ...(await setUpSession({ ...setup, flags: { ...setup.flags, settings } })) };
}

async function planTask(
  task: string,
  setup: SessionSetup & { readonly conversation?: ToldConversation },
): Promise<number> {
  const missing = missingFlags(setup);
  if (missing !== null) {
    const question = 'No terminal to ask in, and no option was chosen.';
    throw new Stopped({ reason: 'unanswered', question, flags: `--auto-yes, or ${missing}` });
  }
  await checkTeam(setup, teamOf(setup), neverAborted);
  const { face } = setup;
  const { person } = face;
  return await runInFace({
    face,
    answers: answersIn(setup),
    run: (door) => startSession({ ...setup, ...door, task }),
    ...(person === null
      ? {}
      : { again: (failure: Failure) => planChosen(person, setup, { task, failure }) }),
  });
}

/** Continues a saved session without asking answered questions again. Returns the exit code. */
export async function resumeCommand(
  wanted: string | undefined,
  call: SessionCall,
): Promise<number> {
  const session = await selectSession(wanted, await setUpSession(call), ['resume']);
  return session === null ? 0 : await resume(session);
}

async function resume(session: ChosenSession): Promise<number> {
  const { face } = session;
  // A plan that is only examined asks nothing.
  const given = findGiven(session.records);
  const missing = given?.after.plan === false ? null : missingFlags(session);
  if (missing !== null) refuseToAsk(session, missing);
  const isAsked = face.person !== null || face.input !== undefined;
  await checkTeam(session, teamOf(session), neverAborted);
  // A person or program that can answer is shown what it would have to approve again.
  const stalePlan = isAsked ? 'review' : 'refuse';
  return await runInFace({
    face,
    answers: answersIn(session),
    run: (door) => resumeSession({ ...session, ...door, stalePlan }),
  });
}

/** Throws `unanswered` with the open question. A finished session asks nothing more. */
function refuseToAsk(session: ChosenSession, missing: string): void {
  if (findEnd(session)?.kind === 'done') return;
  const { planned, records, folder } = session;
  const [question, flags] =
    planned === null
      ? ['no option was chosen', missing]
      : findApproval(records) === null
        ? ['the plan is not approved yet', `see what is open in it: conclave review ${folder.id}`]
        : [
            'the approved plan has not been fully carried out',
            `run: conclave execute ${folder.id} -y`,
          ];
  throw new Stopped({
    reason: 'unanswered',
    question: `No terminal to ask in, and ${question}.`,
    flags: `--auto-yes, or ${flags}`,
  });
}
