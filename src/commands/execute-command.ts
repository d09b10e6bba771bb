// Runs `conclave execute`, asks before anything is applied, and prints its `--dry-run`.
import { reachable } from '../faces/elsewhere.ts';
import type { Reach } from '../app/reach-user.ts';
import { z } from 'zod';
import type { Way } from '../app/load-session.ts';
import { answersOnly, executionAnswers, replanAnswers } from '../app/flag-answers.ts';
import {
  type ExecutionPreview,
  checkExecution,
  discardExecution,
  letUnconfined,
  obstaclesTo,
  openForExecution,
  previewExecution,
  staleTasks,
} from '../app/check-execution.ts';
import { executeSession, replanSession } from '../app/sessions.ts';
import { rememberChoices } from '../app/settings/edit-config.ts';
import type { ExecutionResult } from '../model/execution.ts';
import { checkResolver, checkTeam } from '../app/check-team.ts';
import { refuseForeign } from '../app/trust.ts';
import { wrongUsage } from '../model/failure.ts';
import { neverAborted } from '../model/signal.ts';
import { proposeSetUp, setUpText, settingsFrom } from '../phases/execution/propose-set-up.ts';
import { readResult } from '../phases/execution/read-result.ts';
import { printJson, printLines } from './output.ts';
import {
  type Acceptance,
  ExecuteFlags,
  acceptanceOf,
  checkBeginning,
  checkNamed,
  checkSteering,
  retryOf,
} from './steering-flags.ts';
import { isUnderWay } from '../workflow/recorded.ts';
import type { Answers, ExecuteQuestion } from '../workflow/view-port.ts';
import { runInFace } from './wiring/interruptions.ts';
import {
  type ChosenSession,
  type SessionCall,
  type SessionSetup,
  isAgreed,
  selectSession,
  setUpSession,
  teamOf,
} from './wiring/session-setup.ts';
import { shorten } from '../faces/short-forms.ts';
import { styleCountText } from '../model/commit-style.ts';
import { counted } from '../model/wording.ts';
import { findMethod } from '../workflow/recorded-team.ts';

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
  const { autoYes } = setup.settings;
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
    autoYes || flags.dryRun || (await isMeantBy(session, { wanted, intent: intentOf(flags, how) }));
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
    answers: (reach) => answersFor(session, flags, { how, accepted, autoYes, reach }),
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
  const opened = await openForExecution(session);
  const seen = await opened.desk.read();
  const comments = await staleTasks(seen, opened);
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
  setup: SessionSetup,
  flags: ExecuteFlags,
  {
    how,
    accepted,
    autoYes,
    reach,
  }: {
    readonly how: How;
    readonly accepted: Acceptance | null;
    readonly autoYes: boolean;
    readonly reach: Reach;
  },
): Answers {
  const { flags: session } = setup;
  const { execution = null, review = null } = session;
  const { person } = setup.face;
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
  const view = reachable(person.view, reach);
  const asks: Answers['execute'] = (question, signal) =>
    view.execute({ ...question, preset: withTeam(question.preset, session) }, signal);
  // The screen of the result says more than a question before it could.
  const looks = how === 'apply' && !autoYes && flags.resolveWith === undefined;
  const isGiven = flags.apply !== false || accepted !== null;
  return {
    ...view,
    execute: how === 'again' && !autoYes ? asks : given.execute,
    ...(isGiven && !looks && { apply: given.apply }),
  };
}

/** An action on a session. */
interface Intent {
  /** The verb before the task: `carry out`. */
  readonly does: string;
  /** True if no other screen asks a person about it. */
  readonly asks: boolean;
}

/**
 * True if a person agrees, or if no person is present and the session was named by its whole id. Throws `usage`
 * if it was not.
 */
async function isMeantBy(
  { face, folder, planned }: ChosenSession,
  { wanted, intent }: { readonly wanted: string | undefined; readonly intent: Intent | null },
): Promise<boolean> {
  if (intent === null) return true;
  const { id } = folder;
  const what = `${intent.does} “${shorten(planned?.start.task ?? '', 80)}”`;
  if (face.person === null) {
    if (wanted === id) return true;
    throw wrongUsage(
      `This would ${what} (${id}), and there is no terminal to ask in. Add -y, or give the whole id.`,
    );
  }
  return (
    !intent.asks ||
    (await isAgreed(face.person.view, {
      session: id,
      name: 'Yes',
      asks: `This will ${what}. Do it?`,
      lines: [id],
      yes: { name: 'Yes', means: 'do it now', does: 'do it' },
      no: { name: 'No', means: 'leave everything as it is', does: 'leave it' },
    }))
  );
}

/** Shows what an execution would do. */
async function printPreview(
  execution: ChosenSession & Pick<Parameters<typeof checkExecution>[0], 'how' | 'retry' | 'force'>,
  { json }: { readonly json: boolean },
): Promise<void> {
  const { opened: open } = await checkExecution({ ...execution, force: true });
  const { plan, tasks, findings } = await open.desk.read();
  if (plan === null) return;
  const obstacles = await obstaclesTo({ ...open, force: execution.force }, tasks);
  const method = execution.flags.execution ?? findMethod(execution.records) ?? 'Agent';
  const found = await previewExecution(open, { plan, tasks }, method);
  const warnings = findings
    .filter(({ rule }) => rule !== 'file-changed')
    .map(({ message }) => message);
  if (json) printJson({ ...found, warnings, obstacles });
  else printLines(...previewLines(found, warnings), '', ...endLines(found, obstacles));
}

function previewLines(found: ExecutionPreview, warnings: readonly string[]): readonly string[] {
  const { session, jobs, begins, limits, worktrees, tasks } = found;
  return [
    `Session:    ${session}`,
    `Tasks:      ${counted(tasks.length, 'task')}, at most ${jobs} at once`,
    `Work trees: ${worktrees}`,
    ...(begins === null ? [] : [`Begins at:  ${begins}`]),
    ...setUpLines(found),
    ...commitLines(found),
    ...limits.map((text, at) => `${at === 0 ? 'Limits:     ' : '            '}${text}`),
    ...warnings.map((text, at) => `${at === 0 ? 'Plan check: ' : '            '}${text}`),
    ...tasks.flatMap((task) => [
      '',
      `${task.id}  ${task.title}`,
      `  after     ${task.depends_on.length === 0 ? 'nothing' : task.depends_on.join(', ')}`,
      `  by        ${task.executor ?? 'nobody'} (${task.reason}), allowed: ${task.permission}`,
      ...(task.files.length === 0 ? [] : [`  changes   ${task.files.join(', ')}`]),
      ...task.checks.map((check, index) => `  ${index === 0 ? 'checks   ' : '         '} ${check}`),
    ]),
  ];
}

function endLines({ session }: ExecutionPreview, obstacles: readonly string[]): readonly string[] {
  if (obstacles.length === 0)
    return ['Nothing was done. To carry it out:', `  conclave execute ${session}`];
  return ['Nothing was done, and it cannot be carried out like this:', ...obstacles];
}

function setUpLines({ session, setup, found_setup: found }: ExecutionPreview): readonly string[] {
  const own = setup.length > 0 ? [`Set-up:     ${setup.join(' ')}`] : [];
  if (found === null) return own;
  if (found.missing !== null) {
    return [
      `Set-up:     none; ${found.source} proposes "${setUpText(found)}", and ${found.missing} is not installed`,
    ];
  }
  const line = `Set-up:     none; ${found.source} proposes "${setUpText(found)}", taken by`;
  return [...own, line, `            conclave execute ${session} --take-setup`];
}

function commitLines({ commits, found_commits: found }: ExecutionPreview) {
  if (found === null) return commits === 'plain' ? [] : [`Commits:    ${commits}`];
  return [
    `Commits:    ${commits}; ${styleCountText(found)}, and so are the new ones by`,
    '            conclave config set execution.commit_style project',
  ];
}
