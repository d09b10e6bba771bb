import { z } from 'zod';
import { executionAnswers, reviewAnswers } from '../faces/answers.ts';
import { openRepository } from '../git/open-repository.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { taskFile } from '../model/plan-rules.ts';
import { listed } from '../model/wording.ts';
import { forgetResult, readResult } from '../phases/execution/result.ts';
import type { PlanOnDesk } from '../phases/planning/plan-desk.ts';
import { openJournal, readJournal } from '../store/journal.ts';
import { lockSession } from '../store/lock.ts';
import { voidSteps } from '../store/logged-steps.ts';
import { recordedSteps } from '../store/recorded-steps.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import {
  executionNumber,
  plannedIn,
  recordBase,
  reopenForExecution,
  reopenReview,
} from '../workflow/recorded.ts';
import { sessionFlags } from './flags.ts';
import { previewExecution } from './execute-preview.ts';
import { printLines } from './output.ts';
import { latestSession, openSaved } from './saved-session.ts';
import type { ResumedSettings } from './settings/session-settings.ts';
import { pickedSession, type Answers, type Face } from './wiring/face.ts';
import { openDesk, type OpenDesk } from './wiring/open-session.ts';
import { sessionWorktrees, snapshotsIn } from './wiring/session-worktrees.ts';
import { type FlaggedSetup, runInFace, setUpAgain, setUpSession } from './wiring/run-session.ts';

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

/** `conclave execute`: carries the approved plan of a session out. Returns the exit code. */
export async function executeCommand(
  wanted: string | undefined,
  { values, face }: { readonly values: object; readonly face: Face },
): Promise<number> {
  const session = await sessionFlags(values);
  const flags = Flags.parse(values);
  if (flags.apply && flags.discard) {
    throw wrongUsage('--apply and --discard exclude each other; use one of them.');
  }
  const setup = {
    ...(await setUpSession({ face, cwd: session.cwd, flags: session.settings })),
    flags: session,
  };
  const none = 'No session here has an approved plan; make one with: conclave plan "TASK"';
  const pick = () => pickedSession(face, () => latestSession(setup.root, isApproved, none));
  const id = wanted ?? (await pick());
  return id === null ? 0 : await executeSession(await openSaved(setup.root, id), { setup, flags });
}

interface Given {
  readonly setup: FlaggedSetup;
  readonly flags: Flags;
}

async function isApproved(folder: SessionFolder): Promise<boolean> {
  return (await folder.read('approval.json')) !== null;
}

async function executeSession(folder: SessionFolder, { setup, flags }: Given): Promise<number> {
  const planned = plannedIn((await readJournal(folder)).records);
  if (planned === null) throw new Stopped({ reason: 'not-approved', session: folder.id });
  const again = await setUpAgain(folder, setup, setup.flags.settings);
  const desk = await openDesk({ ...again, folder, planned });
  if (flags.discard) return await discard({ ...again, ...desk, folder });
  const seen = await desk.desk.read();
  if (flags.replan) return await replan({ ...again, ...desk, folder, seen });
  const result = await readResult({ folder });
  const isOnlyApplied = flags.apply && result !== null;
  if (isOnlyApplied && result.branch === null) {
    throw wrongUsage('There is nothing to apply: no task was carried out.');
  }
  if (!isOnlyApplied) checkPlan(folder, seen, flags);
  if (flags.dryRun) {
    await previewExecution({ ...again, ...desk, folder, seen, json: flags.json });
    return 0;
  }
  const answers = answersFor(again, { flags, isOnlyApplied });
  const how = isOnlyApplied ? 'apply' : 'again';
  return await runInFace({
    ...again,
    folder,
    answers,
    task: null,
    prepare: (journal) => reopenForExecution(journal, how),
  });
}

/** Throws where the plan is not approved as it stands, or was made for other code. */
function checkPlan({ id: session }: SessionFolder, seen: PlanOnDesk, { force }: Flags): void {
  const { hash, approvedHash } = seen;
  if (approvedHash === null) throw new Stopped({ reason: 'not-approved', session });
  if (approvedHash !== hash) throw new Stopped({ reason: 'plan-stale', session });
  const files = [...new Set(changedFiles(seen).map(({ path }) => path))];
  if (files.length > 0 && !force) throw new Stopped({ reason: 'files-changed', session, files });
}

/** The files that the plan names and that changed since it was made, with the tasks that name them. */
function changedFiles({
  findings,
  tasks,
}: PlanOnDesk): readonly { readonly task: string; readonly path: string }[] {
  return findings.flatMap(({ rule, file, pointer }) => {
    if (rule !== 'file-changed') return [];
    const task = tasks.find(({ id }) => taskFile(id) === file);
    const path = task?.files?.[Number(pointer.split('/')[2])]?.path;
    return task === undefined || path === undefined ? [] : [{ task: task.id, path }];
  });
}

/** Has the tasks whose files changed planned again, for the code as it is now. */
async function replan({
  folder,
  root,
  seen,
  ...setup
}: FlaggedSetup &
  OpenDesk & {
    readonly resumed: ResumedSettings;
    readonly folder: SessionFolder;
    readonly seen: PlanOnDesk;
  }): Promise<number> {
  const changed = Map.groupBy(changedFiles(seen), ({ task }) => task);
  if (changed.size === 0) {
    throw wrongUsage(
      'No file of the plan changed since it was made, so there is nothing to replan.',
    );
  }
  const comments = [...changed].map(([task, files]) => ({
    task,
    text: `${listed(files.map(({ path }) => path))} changed since this task was planned. Plan it again for the code as it is now; leave tasks alone that this does not touch.`,
  }));
  const answers = reviewAnswers({
    session: folder.id,
    version: seen.version,
    edits: [],
    comments,
    approve: false,
    reject: null,
  });
  const { person } = setup.face;
  let isAsked = false;
  const approve: Answers['approve'] = async (question, signal) => {
    const isFirst = !isAsked;
    isAsked = true;
    return await (isFirst || person === null ? answers : person.view).approve(question, signal);
  };
  const { signal } = new AbortController();
  const { base } = await openRepository({
    root,
    base: null,
    snapshots: snapshotsIn(folder),
    signal,
  });
  return await runInFace({
    ...setup,
    root,
    folder,
    answers: { ...answers, ...person?.view, approve },
    task: null,
    async prepare(journal) {
      await reopenReview(journal);
      await recordBase(journal, base);
    },
  });
}

/** The flags where they say it, else a person. */
function answersFor(
  { face, flags: session, settings }: FlaggedSetup,
  { flags, isOnlyApplied }: { readonly flags: Flags; readonly isOnlyApplied: boolean },
): Answers {
  const { execution = null, review = null } = session;
  const { person } = face;
  const given = executionAnswers({
    execute: true,
    force: flags.force,
    apply: isOnlyApplied ? 'any' : flags.apply ? 'good' : 'no',
    execution,
    review,
  });
  if (person === null) return { clarify: absent, decide: absent, approve: absent, ...given };
  const isSaid = isOnlyApplied || (execution !== null && review !== null) || settings.autoYes;
  return {
    ...person.view,
    ...(isSaid ? { execute: given.execute } : {}),
    ...(flags.apply ? { apply: given.apply } : {}),
  };
}

function absent(): Promise<never> {
  return Promise.reject(wrongUsage('The session has to be resumed first.'));
}

/** Takes away all that an execution made, so that the plan can be carried out anew. */
async function discard({
  folder,
  desk,
  repository,
  schemas,
}: OpenDesk & { readonly folder: SessionFolder }): Promise<number> {
  const lock = await lockSession(folder);
  const journal = await openJournal(folder);
  try {
    const { signal } = new AbortController();
    const trees = await sessionWorktrees({ folder, environment: process.env, repository, signal });
    await trees.discard();
    const number = executionNumber(journal.records);
    const groups = [
      `execute-${number}`,
      `execution-${number}`,
      `review-${number}`,
      `apply-${number}`,
    ];
    const keys = [...recordedSteps(journal.records).keys()].filter(
      (key) => key === 'end' || groups.includes(key.split('/')[0] ?? ''),
    );
    await voidSteps(journal, keys, 'the execution was discarded');
    await forgetResult({ folder, schemas, repository }, await desk.read());
  } finally {
    await journal.close();
    await lock.release();
  }
  printLines(`Discarded. To carry the plan out again: conclave execute ${folder.id}`);
  return 0;
}
