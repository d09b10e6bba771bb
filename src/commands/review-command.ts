// Runs `conclave review`: prints the plan and the next commands, or changes it by flags or a person.
import { reachable } from '../faces/elsewhere.ts';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { Flag, Text, Texts } from '../model/plain-shapes.ts';
import { type GivenReview, reviewAnswers } from '../app/flag-answers.ts';
import { type PlannedSession, completeWrites, openPlan } from '../app/load-session.ts';
import { checkPlanners } from '../app/planners.ts';
import { readReport } from '../app/read-report.ts';
import { describeSession } from '../app/saved-session.ts';
import { reviewSession } from '../app/sessions.ts';
import { planLines } from '../faces/question-forms.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { blockingIn, findingText } from '../model/finding.ts';
import { type PlanFiles, isDraftPlan } from '../model/plan.ts';
import { oneLine } from '../model/wording.ts';
import { resultDocument } from '../phases/documents/result-document.ts';
import {
  commentFate,
  keepComment,
  readComment,
  taskOfChange,
} from '../phases/planning/comments.ts';
import type { PlanDesk, PlanOnDesk } from '../phases/planning/plan-desk.ts';
import { wasKilled, withLock } from '../store/lock.ts';
import { printJson, printLines, printWarnings } from './output.ts';
import type { Answers } from '../workflow/view-port.ts';
import { runInFace } from './wiring/interruptions.ts';
import {
  type ChosenSession,
  type SessionCall,
  selectSession,
  setUpSession,
} from './wiring/session-setup.ts';
import { jsonIn } from '../model/json.ts';
import { type PlanComment, type PlanEdit, fieldText } from '../model/plan-edit.ts';
import { applyEdits } from '../phases/planning/editing/apply-edit.ts';
import { canonicalJson } from '../store/digest.ts';
import type { SchemaCheck } from '../store/published-schemas.ts';

/** Shows the plan of a session; with flags, or with a person, changes and judges it. */
export async function reviewCommand(
  wanted: string | undefined,
  call: SessionCall,
): Promise<number> {
  const flags = reviewFlags(call.values);
  if (wanted !== undefined && flags.named !== '')
    throw wrongUsage(`--approve takes the hash of a plan, not ${JSON.stringify(flags.named)}.`);
  const named = wanted ?? (flags.named || undefined);
  const chosen = await selectSession(named, await setUpSession(call), ['review']);
  if (chosen === null) return 0;
  const reviewing = { ...chosen, ...(await openPlan(chosen)) };
  const { face } = reviewing;
  const answers = face.person?.view ?? face.input;
  if (answers === undefined) return await reviewByFlags(reviewing, flags);
  face.opened(reviewing);
  return await runReview(reviewing, answers);
}

type Reviewing = ChosenSession & PlannedSession;

async function reviewByFlags(reviewing: Reviewing, given: ReviewFlags): Promise<number> {
  const comments = await keepOnResult(reviewing, given.comments);
  const flags = { ...given, comments };
  if (!acts(flags) && acts(given)) return 0;
  return await reviewPlan(reviewing, flags);
}

/** Saves comments on lines of the result; a retry of their tasks sends them along. Returns the others. */
async function keepOnResult({ folder, root }: Reviewing, texts: string[]): Promise<string[]> {
  if (!texts.some((text) => text.startsWith('diff.'))) return texts;
  const told = await readReport(await describeSession(root, folder.id));
  const { result, codeReview: review, tasks, diff } = told;
  if (result === null) return texts;
  const document = resultDocument({ result, review, tasks, changes: diff ?? '' });
  const others: string[] = [];
  for (const text of texts) {
    const comment = readComment(text, { document, ids: [] });
    if (comment.anchor?.startsWith('diff.') !== true) {
      others.push(text);
      continue;
    }
    const task = taskOfChange(comment.anchor, result.tasks);
    const place = { on: 'result', version: result.number } as const;
    await withLock(folder, () => keepComment(folder, { ...comment, task }, place));
    printLines(`Saved. "conclave execute ${folder.id} --retry ${task}" sends it.`);
  }
  return others;
}

async function reviewPlan(reviewing: Reviewing, flags: ReviewFlags): Promise<number> {
  const { folder, settings, planned, desk } = reviewing;
  const seen = await desk.read();
  if (!acts(flags)) {
    printWarnings(settings.warnings);
    printOverview({ folder, planned, seen, json: flags.json });
    return blockingIn(seen).length === 0 ? 0 : 6;
  }
  const isKilled = await wasKilled(folder);
  const given = await givenReview({ reviewing, seen, flags });
  // The planner was paid for this version before the program was killed.
  if (isKilled && isDeepStrictEqual(given.comments, planned.answeredComments)) {
    printWarnings([`version ${seen.version} was made for this comment already.`]);
    return await runReview(reviewing, reviewAnswers({ ...given, comments: [] }));
  }
  if (!planned.isBeingRevised && isNothing(given)) return blockingIn(seen).length === 0 ? 0 : 6;
  return await runReview(reviewing, reviewAnswers(given));
}

/** Prints the plan and what can be done with it. */
function printOverview({
  folder,
  planned,
  seen,
  json,
}: Pick<Reviewing, 'folder' | 'planned'> & {
  readonly seen: PlanOnDesk;
  readonly json: boolean;
}): void {
  const approval = approvalOf(seen);
  const { isBeingRevised, rejected, written } = planned;
  const { id: session, relative } = folder;
  if (json) {
    const state = { approval, rejected, being_revised: isBeingRevised };
    const { document: _, ...plan } = seen;
    printJson({ session, ...plan, folder: relative, ...state });
    return;
  }
  const rules = isDraftPlan(seen.plan) ? 'rules, as a draft' : 'rules, without a planning agent';
  printLines(
    `Session:  ${session}`,
    `Plan:     ${relative}/plan.md`,
    `Made by:  ${written.source === 'derived' ? rules : written.source}`,
    '',
    ...planLines(seen, rejected),
    ...(seen.versions.length === 0
      ? []
      : [`Versions to restore: ${seen.versions.join(', ')} (--restore N)`]),
    ...commentLines(seen),
    '',
    ...nextLines(session, { seen, isBeingRevised }),
  );
}

/** Lists the comments, each with its line and what came of it. */
function commentLines({ comments, document }: PlanOnDesk): readonly string[] {
  return comments.flatMap((comment, at) => {
    const { id, task, quote, text } = comment;
    const about = quote === undefined ? (task ?? 'the plan') : `“${oneLine(quote)}”`;
    const line = `  ${id} on ${about}: ${oneLine(text)} (${commentFate(comment, document)})`;
    return at === 0 ? ['Comments:', line] : [line];
  });
}

type ApprovalState = 'none' | 'holds' | 'stale';

function approvalOf({ hash, approvedHash }: PlanOnDesk): ApprovalState {
  if (approvedHash === null) return 'none';
  return approvedHash === hash ? 'holds' : 'stale';
}

function nextLines(
  id: string,
  { seen, isBeingRevised }: { readonly seen: PlanOnDesk; readonly isBeingRevised: boolean },
): readonly string[] {
  if (isBeingRevised) {
    return [
      'The session stopped while a new version was being made. To finish it and see it:',
      `  conclave review ${id} --approve   (nothing is approved before you have seen it)`,
    ];
  }
  if (seen.plan === null) {
    return [
      'Next: fix these files in an editor and look again, or have a new plan written in a fork:',
      `  conclave review ${id}`,
      `  conclave sessions fork ${id}`,
    ];
  }
  if (approvalOf(seen) === 'holds') return [];
  const approve =
    blockingIn(seen).length === 0
      ? [`  conclave review ${id} --approve ${seen.hash?.slice(0, 12)}`]
      : [];
  return [
    'Next:',
    ...approve,
    `  conclave review ${id} --set TASK-001.title="..."`,
    `  conclave review ${id} --comment "TASK-001: ..."`,
  ];
}

/** Takes the session as its only owner and shows its plan to the face. Returns the exit code. */
async function runReview(reviewing: Reviewing, answers: Answers): Promise<number> {
  const { person, input } = reviewing.face;
  const isAsked = answers === (person?.view ?? input);
  const longest = answers === input ? 0 : longestWait;
  return await runInFace({
    face: reviewing.face,
    answers: (reach) => (isAsked ? reachable(answers, reach) : answers),
    run: (door) => whenFree(door.signal, () => reviewSession({ ...reviewing, ...door }), longest),
  });
}

/** The longest time, in ms, that simultaneous reviews by flags wait for each other. */
const longestWait = 20_000;
const pause = 100;

async function whenFree<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  longest: number,
): Promise<T> {
  for (let waited = 0; ; waited += pause) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof Stopped && error.failure.reason === 'session-busy';
      if (!isBusy || waited >= longest) throw error;
      await setTimeout(pause, null, { signal });
    }
  }
}

function acts({ approve, reject, comments, settings, restore }: ReviewFlags): boolean {
  return approve || reject || comments.length > 0 || settings.length > 0 || restore !== null;
}

/** True if nothing is left to do, because all values were already set: session and approval stay as they are. */
function isNothing({ edits, comments, approve, reject }: GivenReview): boolean {
  return edits.length === 0 && comments.length === 0 && !approve && reject === null;
}

/** Checks everything that can be refused before anything in the session is changed. */
async function givenReview({
  reviewing,
  seen,
  flags,
}: {
  readonly reviewing: Reviewing;
  readonly seen: PlanOnDesk;
  readonly flags: ReviewFlags;
}): Promise<GivenReview> {
  const { folder, desk, schemas, planned } = reviewing;
  const completed = await completeWrites(folder);
  printWarnings(completed);
  const { plan, tasks, findings, version, hash, document, versions } =
    completed.length === 0 ? seen : await desk.read();
  if (flags.shown !== '' && hash?.startsWith(flags.shown) !== true)
    throw new Stopped({ reason: 'plan-changed', session: folder.id });
  const { despite } = flags;
  const given = { session: folder.id, version, edits: [], comments: [], approve: false, despite };
  if (planned.isBeingRevised) return { ...given, reject: null };
  if (plan === null) {
    if (flags.reject) return { ...given, reject: flags.comments.join('; ') };
    const first = findings[0] === undefined ? '' : findingText(findings[0]);
    throw new Stopped({ reason: 'plan-unreadable', session: folder.id, first });
  }
  if (flags.restore !== null) {
    const edits = [await restoring(desk, flags.restore, versions)];
    return { ...given, edits, reject: null };
  }
  const { edits, unchanged } = editsOf(flags.settings, { plan, tasks }, schemas);
  printWarnings(unchanged);
  if (flags.reject) return { ...given, edits, reject: flags.comments.join('; ') };
  const told = { document, ids: plan.task_ids };
  const comments = flags.comments.map((text) => typedComment(text, told));
  if (comments.length > 0) await checkPlanners(reviewing);
  const shown = flags.approve ? { shown: hash } : {};
  return { ...given, edits, comments, approve: flags.approve, reject: null, ...shown };
}

/** The edit that takes the content of an earlier version. */
async function restoring(
  desk: PlanDesk,
  restores: number,
  versions: readonly number[],
): Promise<PlanEdit> {
  const files = versions.includes(restores) ? await desk.version(restores) : null;
  if (files !== null) return { kind: 'whole', ...files, restores };
  const known = versions.length === 0 ? 'no earlier version' : `version ${versions.join(', ')}`;
  throw wrongUsage(`--restore ${restores}: this plan has ${known} to restore.`);
}

type SetEdit = Extract<PlanEdit, { kind: 'set' }>;

/** A `--set` with its value as it was typed. */
interface SetFlag {
  /** The id of the task; null for the plan itself. */
  readonly task: string | null;
  readonly field: string;
  readonly text: string;
}

/** The flags of `conclave review` alone. */
type ReviewFlags = ReturnType<typeof reviewFlags>;

const flag = Flag.default(false);
const texts = Texts.default([]);
const Values = z.object({
  approve: z.union([Flag, Text]).default(false),
  despiteFindings: flag,
  reject: flag,
  json: flag,
  comment: texts,
  set: texts,
  restore: z.coerce.number().int().min(1).optional(),
});

/** Matches the hash that `conclave review` prints, or a longer part of it. */
const isHash = /^[0-9a-f]{12,64}$/;

/** Throws `usage`, naming the flag, for invalid values and combinations. */
function reviewFlags(values: object) {
  const {
    approve: approval,
    despiteFindings: despite,
    reject,
    comment,
    set,
    json,
    restore = null,
  } = Values.parse(values);
  const approve = approval !== false;
  // A word that is not a hash names the session.
  const word = typeof approval === 'string' ? approval : '';
  const shown = isHash.test(word) ? word : '';
  if (approve && reject)
    throw wrongUsage('--approve and --reject exclude each other; use one of them.');
  if (despite && !approve)
    throw wrongUsage('--despite-findings goes with --approve; give both, or neither.');
  if (approve && comment.length > 0) {
    throw wrongUsage(
      '--comment asks for a new version, so --approve cannot go with it: look at the new version first.',
    );
  }
  if (restore !== null && (approve || reject || comment.length > 0 || set.length > 0))
    throw wrongUsage('--restore goes alone: look at the restored version first.');
  const comments = comment.map((text) => text.trim());
  if (comments.includes('')) throw wrongUsage('--comment needs some text.');
  const settings = set.map(settingOf);
  return {
    json,
    approve,
    despite,
    shown,
    named: shown === '' ? word : '',
    reject,
    comments,
    settings,
    restore,
  };
}

/** Throws `usage` for a comment on an unknown task. */
function typedComment(text: string, told: Parameters<typeof readComment>[1]): PlanComment {
  const comment = readComment(text, told);
  const [, absent] = /^(TASK-\w+):\s*\S/i.exec(text) ?? [];
  if (comment.task !== null || absent === undefined) return comment;
  throw wrongUsage(
    `--comment names ${absent}, but the tasks of this plan are ${told.ids.join(', ')}.`,
  );
}

function settingOf(text: string): SetFlag {
  const [, subject, field, value] = /^([^.=\s]+)\.([^=\s]+)=(.*)$/s.exec(text) ?? [];
  if (subject === undefined || field === undefined || value === undefined) {
    throw wrongUsage(
      `--set takes TASK.field=value or plan.field=value, e.g. TASK-001.title="Add it", not ${JSON.stringify(text)}.`,
    );
  }
  return { task: subject === 'plan' ? null : subject, field: fieldIn(field), text: value };
}

/** Turns a typed field into ours: people count the entries of a list from 1, as they are shown. */
function fieldIn(text: string): string {
  const names = text.split('.');
  if (names.some((name) => /^0+$/.test(name))) {
    throw wrongUsage(`--set: the entries of a list are counted from 1, so ${text} names none.`);
  }
  return names.map((name) => (/^\d+$/.test(name) ? String(Number(name) - 1) : name)).join('.');
}

/**
 * The edits that the `--set` flags request, and a sentence for each that would change nothing. A value is JSON
 * if it is JSON that fits, otherwise the text as typed. Throws `usage` for the first edit that is refused;
 * nothing is written here.
 */
function editsOf(
  settings: readonly SetFlag[],
  files: PlanFiles,
  schemas: SchemaCheck,
): { readonly edits: readonly PlanEdit[]; readonly unchanged: readonly string[] } {
  const edits: PlanEdit[] = [];
  const unchanged: string[] = [];
  let left = files;
  for (const setting of settings) {
    const { edit, after } = applySetting(setting, left, schemas);
    if (isSame(left, after)) {
      const place = `${edit.task ?? 'plan'} ${fieldText(edit.field)}`;
      unchanged.push(`${place} already has this value, so nothing changed there.`);
    } else edits.push(edit);
    left = after;
  }
  return { edits, unchanged };
}

function isSame(one: PlanFiles, other: PlanFiles): boolean {
  const [before, after] = [one, other].map(({ plan, tasks }) => canonicalJson({ plan, tasks }));
  return before === after;
}

function applySetting(
  setting: SetFlag,
  files: PlanFiles,
  schemas: SchemaCheck,
): { readonly edit: SetEdit; readonly after: PlanFiles } {
  let why: string | null = null;
  for (const edit of readings(setting)) {
    const edited = applyEdits(files, [edit], schemas);
    if (edited.ok) return { edit, after: edited.value };
    why ??= edited.failure.message;
  }
  throw wrongUsage(`${why ?? ''} Nothing was changed.`);
}

/** Lists the ways to read a value, as JSON first. `null` always removes it; quotation marks make it a text. */
function readings({ task, field, text }: SetFlag): readonly SetEdit[] {
  const edit = { kind: 'set', task, field } as const;
  const parsed = jsonIn(text);
  const plain: SetEdit = { ...edit, value: text };
  if (parsed === undefined) return [plain];
  const json: SetEdit = { ...edit, value: parsed };
  return parsed === null ? [json] : [json, plain];
}
