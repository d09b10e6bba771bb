// Runs `conclave execute`, and prints its `--dry-run`.
import { z } from 'zod';
import type { Way } from '../app/load-session.ts';
import { answersOnly, executionAnswers, replanAnswers } from '../app/flag-answers.ts';
import {
  checkExecution,
  discardExecution,
  letUnconfined,
  openForExecution,
  staleTasks,
} from '../app/check-execution.ts';
import { executeSession, replanSession } from '../app/sessions.ts';
import { rememberChoices } from '../app/settings/edit-config.ts';
import type { ExecutionResult } from '../model/execution.ts';
import { checkResolver, checkTeam } from '../app/check-team.ts';
import { refuseForeign } from '../app/trust.ts';
import { wrongUsage } from '../model/failure.ts';
import { neverAborted } from '../model/signal.ts';
import { proposeSetUp, settingsFrom } from '../phases/execution/propose-set-up.ts';
import { readResult } from '../phases/execution/read-result.ts';
import { printPreview } from './execution-preview.ts';
import { printLines } from './output.ts';
import {
  type Acceptance,
  acceptanceOf,
  checkBeginning,
  checkNamed,
  checkSteering,
  ExecuteFlags,
  retryOf,
} from './steering-flags.ts';
import { isUnderWay } from '../workflow/recorded.ts';
import type { Answers, ExecuteQuestion } from '../workflow/view-port.ts';
import { type Intent, isMeantBy } from './confirm.ts';
import { runInFace } from './wiring/interruptions.ts';
import {
  type ChosenSession,
  teamOf,
  selectSession,
  type SessionCall,
  type SessionSetup,
  setUpSession,
} from './wiring/session-setup.ts';

/** Returns the exit code. */
export async function executeCommand(
  named: string | undefined,
  call: SessionCall,
): Promise<number> {
  const flags = ExecuteFlags.parse(call.values);
  const { wanted, form } = applyWords(flags, named);
  if (flags.apply !== false && flags.discard) {
    throw wrongUsage('--apply and --discard exclude each other; use one of them.');
  }
  checkSteering(flags);
  const setup = await setUpSession(call);
  const { autoYes: isAgreed } = setup.settings;
  const session = await selectSession(wanted, setup, waysOf(flags));
  if (session === null) return 0;
  const result = await readResult(session);
  const how = howOf(flags, result);
  checkBeginning(flags, { how, isUnderWay: isUnderWay(session.records) });
  const team = teamOf(session);
  checkNamed(team, flags, { only: how === 'apply' || how === 'accept' ? how : null });
  await checkTeam(session, team, neverAborted);
  if (flags.resolveWith !== undefined)
    await checkResolver(session, flags.resolveWith, neverAborted);
  const isMeant =
    isAgreed ||
    flags.dryRun ||
    (await isMeantBy(session, { wanted, intent: intentOf(flags, how) }));
  if (!isMeant) return 0;
  if (flags.discard) return await discard(session);
  if (flags.replan) return await replan(session);
  if (!flags.dryRun) refuseForeign(session);
  const accepted = how === 'apply' || how === 'accept' ? acceptanceOf(flags, result) : null;
  const taken = flags.takeSetup ? await takeSetUp(session, flags) : session.settings;
  const settings = withForm(taken, form);
  const wish =
    flags.unconfined.length > 0
      ? await letUnconfined(session, flags.unconfined)
      : { how, retry: retryOf(flags, team) };
  const execution = { ...session, settings, ...wish, team, force: flags.force };
  if (flags.dryRun) {
    await printPreview(execution, flags);
    return 0;
  }
  return await runInFace({
    face: session.face,
    answers: () => answersFor(session, flags, { how, accepted, isAgreed }),
    run: (door) => executeSession({ ...execution, ...door }),
  });
}

const ApplyForm = z.enum(['merge', 'squash', 'linear']);
type ApplyForm = z.infer<typeof ApplyForm>;

/** The form in which the result is applied; any other word after `--apply` names the session. */
function applyWords(
  { apply }: Pick<ExecuteFlags, 'apply'>,
  named: string | undefined,
): { readonly wanted: string | undefined; readonly form: ApplyForm | null } {
  if (typeof apply === 'boolean') return { wanted: named, form: null };
  const form = ApplyForm.safeParse(apply);
  if (form.success) return { wanted: named, form: form.data };
  if (named === undefined) return { wanted: apply, form: null };
  throw wrongUsage(`--apply takes one of merge, squash, linear, not ${JSON.stringify(apply)}.`);
}

function withForm<T extends ChosenSession['settings']>(settings: T, form: ApplyForm | null): T {
  return form === null
    ? settings
    : { ...settings, execution: { ...settings.execution, apply: form } };
}

/** Adds the set-up that a file of the project suggests to the settings, and remembers it. */
async function takeSetUp(
  { root, environment, settings }: ChosenSession,
  { dryRun }: Pick<ExecuteFlags, 'dryRun'>,
): Promise<ChosenSession['settings']> {
  const own = settings.execution;
  const found = await proposeSetUp({ root, environment, settings: own });
  if (found === null && own.setup.length > 0) {
    throw wrongUsage(
      `--take-setup: your settings have the set-up "${own.setup.join(' ')}" already.`,
    );
  }
  if (found === null)
    throw wrongUsage('--take-setup: no file in this repository proposes a set-up.');
  if (found.missing !== null) {
    throw wrongUsage(
      `--take-setup: ${found.missing} is not installed, so "${found.argv.join(' ')}" cannot run. Nothing was written; install it, then try again.`,
    );
  }
  const taken = settingsFrom(found);
  const why = dryRun ? null : await rememberChoices(root, taken, environment);
  if (why !== null) throw wrongUsage(why);
  return { ...settings, execution: { ...own, ...taken } };
}

function howOf({ accept, apply, retry }: ExecuteFlags, result: ExecutionResult | null): How {
  if (retry.length > 0) return 'retry';
  if (accept.length > 0) return 'accept';
  return apply !== false && result !== null ? 'apply' : 'again';
}

type How = Parameters<typeof checkExecution>[0]['how'];

/** Lists what a session must have for these flags: mostly a result; `--apply` may also execute an approved plan. */
function waysOf(flags: ExecuteFlags): readonly [Way, ...Way[]] {
  const { accept, apply, retry } = flags;
  if (flags.discard || accept.length > 0 || retry.length > 0) return ['result', 'execute'];
  return apply === false ? ['execute'] : ['apply', 'execute', 'result'];
}

/** Says what the flags do, for the confirmation; null if nothing but accepting is left, which needs none. */
function intentOf(flags: ExecuteFlags, how: How): Intent | null {
  const { accept, apply, resolveWith } = flags;
  if (flags.discard) return { does: 'remove the result of', asks: true };
  if (flags.replan) return { does: 'plan again', asks: true };
  if (how === 'again') return { does: 'carry out', asks: false };
  if (how === 'retry') return { does: 'have tasks done again of', asks: true };
  return apply === false
    ? null
    : { does: 'apply the result of', asks: accept.length > 0 || resolveWith !== undefined };
}

async function discard(session: ChosenSession): Promise<number> {
  await discardExecution(session);
  await session.face.person?.close();
  printLines(`Discarded. To carry the plan out again: conclave execute ${session.folder.id}`);
  return 0;
}

/** Has tasks whose files changed planned again for the current code. */
async function replan(session: ChosenSession): Promise<number> {
  refuseForeign(session);
  const { face, folder } = session;
  const seen = await (await openForExecution(session)).desk.read();
  const comments = staleTasks(seen);
  const given = { session: folder.id, version: seen.version, comments };
  return await runInFace({
    face,
    answers: () => replanAnswers(given, face.person?.view ?? null),
    run: (door) => replanSession({ ...session, ...door }),
  });
}

type Preset = ExecuteQuestion['preset'];

function withTeam(preset: Preset, { execution, review }: SessionSetup['flags']): Preset {
  const { execution_method, code_review_tool } = preset;
  return {
    execution_method: execution ?? execution_method,
    code_review_tool: review ?? code_review_tool,
  };
}

/** Answers from the flags where they say something, otherwise from a person. */
function answersFor(
  { face, flags: session }: SessionSetup,
  flags: ExecuteFlags,
  {
    how,
    accepted,
    isAgreed,
  }: { readonly how: How; readonly accepted: Acceptance | null; readonly isAgreed: boolean },
): Answers {
  const { execution = null, review = null } = session;
  const { person } = face;
  const given = executionAnswers(
    {
      execute: true,
      force: flags.force,
      apply: flags.apply === false ? 'no' : how === 'again' || how === 'retry' ? 'good' : 'any',
      againstReview: flags.againstReview,
      resolver: flags.resolveWith ?? null,
      accepted,
      execution,
      review,
    },
    'all',
  );
  if (person === null) return answersOnly({ ...given, choose: async ({ usual }) => usual.word });
  const { view } = person;
  const asks: Answers['execute'] = (question, signal) =>
    view.execute({ ...question, preset: withTeam(question.preset, session) }, signal);
  // The screen of the result says more than a question before it could.
  const looks = how === 'apply' && !isAgreed && flags.resolveWith === undefined;
  const isGiven = flags.apply !== false || accepted !== null;
  return {
    ...view,
    execute: how === 'again' && !isAgreed ? asks : given.execute,
    ...(isGiven && !looks ? { apply: given.apply } : {}),
  };
}
