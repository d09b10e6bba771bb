// Runs `conclave execute`, and prints its `--dry-run`.
import { z } from 'zod';
import { answersOnly, executionAnswers, replanAnswers } from '../app/answers.ts';
import {
  checkExecution,
  discardExecution,
  type ExecutionPreview,
  openForExecution,
  previewExecution,
  staleTasks,
} from '../app/execution.ts';
import { executeSession, replanSession } from '../app/sessions.ts';
import { refuseForeign } from '../app/trust.ts';
import { wrongUsage } from '../model/failure.ts';
import { counted } from '../model/wording.ts';
import { readResult } from '../phases/execution/result.ts';
import { printJson, printLines } from './output.ts';
import type { Answers } from '../workflow/view.ts';
import { runInFace } from './wiring/run-in-face.ts';
import {
  type ChosenSession,
  selectSession,
  type SessionCall,
  type SessionSetup,
  setUpSession,
} from './wiring/session-setup.ts';

const flag = z.boolean().default(false);
const Flags = z.object({
  apply: flag,
  discard: flag,
  force: flag,
  replan: flag,
  dryRun: flag,
  json: flag,
});
type Flags = z.infer<typeof Flags>;

/** Returns the exit code. */
export async function executeCommand(
  wanted: string | undefined,
  call: SessionCall,
): Promise<number> {
  const flags = Flags.parse(call.values);
  if (flags.apply && flags.discard) {
    throw wrongUsage('--apply and --discard exclude each other; use one of them.');
  }
  const session = await selectSession(wanted, await setUpSession(call), 'execute');
  if (session === null) return 0;
  if (flags.discard) return await discard(session);
  if (flags.replan) return await replan(session);
  const how = flags.apply && (await readResult(session)) !== null ? 'apply' : 'again';
  const execution = { ...session, how, force: flags.force } as const;
  if (flags.dryRun) {
    await preview(execution, flags);
    return 0;
  }
  return await runInFace({
    face: session.face,
    answers: () => answersFor(session, flags, how),
    run: (door) => executeSession({ ...execution, ...door }),
  });
}

type How = Parameters<typeof checkExecution>[0]['how'];

/** Shows what an execution would do. */
async function preview(
  execution: ChosenSession & { readonly how: How; readonly force: boolean },
  { json }: Flags,
): Promise<void> {
  const { plan, tasks } = await checkExecution(execution);
  if (plan === null) return;
  const open = await openForExecution(execution);
  const method = execution.flags.execution ?? 'Agent';
  const found = await previewExecution(open, { plan, tasks }, method);
  if (json) printJson(found);
  else printLines(...previewLines(found));
}

function previewLines(found: ExecutionPreview): readonly string[] {
  const { session, jobs, setup, worktrees, tasks } = found;
  return [
    `Session:    ${session}`,
    `Tasks:      ${counted(tasks.length, 'task')}, at most ${jobs} at once`,
    `Work trees: ${worktrees}`,
    ...(setup.length === 0 ? [] : [`Set-up:     ${setup.join(' ')}`]),
    ...tasks.flatMap((task) => [
      '',
      `${task.id}  ${task.title}`,
      `  after     ${task.depends_on.length === 0 ? 'nothing' : task.depends_on.join(', ')}`,
      `  by        ${task.executor ?? 'nobody'} (${task.reason}), allowed: ${task.permission}`,
      ...(task.files.length === 0 ? [] : [`  changes   ${task.files.join(', ')}`]),
      ...task.checks.map((check, index) => `  ${index === 0 ? 'checks   ' : '         '} ${check}`),
    ]),
    '',
    'Nothing was done. To carry it out:',
    `  conclave execute ${session}`,
  ];
}

async function discard(session: ChosenSession): Promise<number> {
  await discardExecution(session);
  printLines(`Discarded. To carry the plan out again: conclave execute ${session.folder.id}`);
  return 0;
}

/** Has the tasks whose files changed planned again, for the code as it is now. */
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

/** The flags where they say it, else a person. */
function answersFor(
  { face, flags: session, settings }: SessionSetup,
  flags: Flags,
  how: How,
): Answers {
  const { execution = null, review = null } = session;
  const { person } = face;
  const apply = how === 'apply' ? 'any' : flags.apply ? 'good' : 'no';
  const given = executionAnswers(
    { execute: true, force: flags.force, apply, execution, review },
    'all',
  );
  if (person === null) return answersOnly(given);
  const isGiven = how === 'apply' || (execution !== null && review !== null) || settings.autoYes;
  return {
    ...person.view,
    ...(isGiven ? { execute: given.execute } : {}),
    ...(flags.apply ? { apply: given.apply } : {}),
  };
}
