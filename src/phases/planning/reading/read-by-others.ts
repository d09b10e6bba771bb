// Has a finished plan read once by other vendors, and has its author fix or reject their findings.
import { z } from 'zod';
import { hasFoundEvidence, isFound } from '../../../model/found-evidence.ts';
import { PlanReading, PlanReply, type ReadFinding } from '../../../model/plan-reading.ts';
import { choiceFor } from '../../../model/phase-choice.ts';
import { steps } from '../../../model/steps.ts';
import { tellStandIn, askSeat } from '../../asking/ask-seat.ts';
import { type Tools, isRecorded, recordStep, promptInput } from '../../phase-tools.ts';
import {
  WrittenPlan,
  announceNewVersion,
  announcePlan,
  keepCurrent,
  keepLateEdits,
} from '../generate-plan.ts';
import { findChosenSolution } from '../planning-input.ts';
import { readingFile } from '../reading-file.ts';
import { writePlan } from '../write-plan.ts';
import { type Finding, blockingIn } from '../../../model/finding.ts';
import type { PlanFiles } from '../../../model/plan.ts';
import type { CheckedClaim } from '../../../model/synthesis.ts';
import { counted } from '../../../model/wording.ts';
import { planReplyPrompt } from '../../../prompts/plan-prompt.ts';
import type { Question } from '../../asking/question.ts';
import { planChanges } from '../editing/plan-changes.ts';
import { changeFaults, mergeChanges } from '../merge-changes.ts';
import { planFromAnswer } from '../ask-planner.ts';
import { type Answered, askReaders, checkAnswers, checkEvidence } from './ask-readers.ts';
import { type Readers, chooseReaders, isAlong } from './choose-readers.ts';
import type { ReadingRun } from './reading-run.ts';

interface ReplyInput extends Pick<ReadingRun, 'planning' | 'written' | 'mode'> {
  readonly found: PlanReading;
}

interface ReadingInput extends Omit<ReplyInput, 'found'> {
  /** The agents that may read it, in order. */
  readonly candidates: readonly string[];
  /** True if a person sees the findings as they come in. */
  readonly along: boolean;
}

/** A reading that goes on while a person reads the plan, too. */
export interface OpenReading extends Omit<ReadingRun, 'tools' | 'signal'> {
  readonly readers: Readers;
}

/** A plan to be reviewed; `reading` is null unless it is read at the same time. */
export interface PlanToReview {
  readonly plan: WrittenPlan;
  readonly reading: OpenReading | null;
}

/**
 * The phase between planning and the review. Returns the plan afterwards: a new version if its author fixed
 * something. If a person reads along, only the readers are chosen here. A plan drafted by rules is not read,
 * because nobody could answer for it. A failed reader or author never ends the session.
 */
export async function readPlan(
  input: ReadingInput,
  tools: Tools,
  signal: AbortSignal,
): Promise<PlanToReview> {
  const { planning, written, candidates, along } = input;
  const unread = { plan: written, reading: null };
  if (written.source === 'derived') return unread;
  const own = steps.reading(planning.number);
  const { receipts, unanswered } = planning.synthesis;
  const silent = unanswered.map(({ agent }) => agent);
  const { source: author, version } = written;
  const { source_cli: proposers } = findChosenSolution(planning);
  const choice = { author, proposers, silent, version, along, candidates, receipts };
  const readers = await chooseReaders(choice, { tools, signal, own });
  const { agent: wanted } = choiceFor(tools.phases, 'plan-reading');
  const isAsked = wanted !== null && readers.names.includes(wanted);
  if (!isAsked) tellStandIn(tools, { phase: 'plan-reading', wanted, agent: readers.names[0] });
  if (readers.names.length === 0 && readers.unread === '') return unread;
  const folder = `planning/${planning.number}`;
  const before = await keepCurrent({ tools, signal, step: own.before }, folder, written.version);
  // The reviewer is told why it cannot be read.
  if (before === null) return unread;
  const { contextPackage, ...current } = before;
  const { mode } = input;
  const asRead = { ...written, ...current };
  const run = { planning, mode, own, folder, contextPackage, written: asRead };
  if (isAlong(readers)) return { plan: written, reading: { ...run, readers } };
  return { plan: await readCurrent({ ...run, tools, signal }, readers), reading: null };
}

async function readCurrent(run: ReadingRun, readers: Readers): Promise<WrittenPlan> {
  announceReaders(run, readers);
  const answers = await askReaders(run, readers);
  const { reading: found, asksAuthor } = await recordFound(run, { readers, answers });
  const reply = asksAuthor ? await askAuthor(run, found) : null;
  return await recordEnd(run, found, reply);
}

/** Reports it as new if a session resumes in the middle of the reading. */
export function announceReaders({ own, tools }: ReadingRun, { names: readers }: Readers): void {
  if (readers.length === 0) return;
  const isOver = isRecorded(tools, own.found);
  tools.emit({ type: 'plan.shown', readers: [...readers] }, isOver && tools.steps.replaying);
}

const Found = z.object({ reading: PlanReading, asksAuthor: z.boolean() });
export type Found = z.infer<typeof Found>;

/** Checks and records what readers found; `keep` stores it if the end of the reading does not. */
export function recordFound(
  run: ReadingRun,
  { readers, answers }: { readonly readers: Readers; readonly answers: readonly Answered[] },
  keep: (found: PlanReading) => Promise<void> = async () => undefined,
): Promise<Found> {
  const { own, tools, signal } = run;
  return recordStep({ tools, signal, step: own.found, shape: Found }, async () => {
    const checked = await checkAnswers(run, answers);
    const { unread } = readers;
    const found = forAuthor(run, unread === '' ? checked : { ...checked, unread });
    await keep(found.reading);
    return found;
  });
}

/** Decides if the author is asked for a reply: findings without found evidence are not worth another call. */
function forAuthor({ tools, written }: ReadingRun, reading: PlanReading): Found {
  if (!reading.findings.some(hasFoundEvidence)) return { reading, asksAuthor: false };
  if (tools.budget.fits(1)) return { reading, asksAuthor: true };
  const note = `${written.source} was not asked for a reply, as the budget has no room for it`;
  return { reading: { ...reading, notes: [...reading.notes, note] }, asksAuthor: false };
}

/**
 * Has the author answer what was found while a person read along, based on the plan as that person left it.
 * Returns the new version, or the unchanged plan.
 */
export async function replyToFindings(
  input: ReplyInput,
  tools: Tools,
  signal: AbortSignal,
): Promise<WrittenPlan> {
  const { planning, written, found } = input;
  const own = steps.reading(planning.number);
  const folder = `planning/${planning.number}`;
  const before = await keepCurrent({ tools, signal, step: own.current }, folder, written.version);
  if (before === null) return written;
  const { contextPackage, ...current } = before;
  const asLeft = { ...written, ...current };
  const run = { ...input, own, tools, signal, folder, contextPackage, written: asLeft };
  return await recordEnd(run, found, await askAuthor(run, found));
}

/** The recorded end of a reading; `revised` is null if the plan stays as it is. */
export const ReadPlan = z.object({ reading: PlanReading, revised: WrittenPlan.nullable() });
type ReadPlan = z.infer<typeof ReadPlan>;

async function recordEnd(
  run: ReadingRun,
  found: PlanReading,
  reply: Settled | null,
): Promise<WrittenPlan> {
  const { own, tools, signal, written } = run;
  const end = { tools, signal, step: own.end, shape: ReadPlan };
  const { reading, revised } = await recordStep(end, () => keepReading(run, found, reply));
  announceReading(reading, tools);
  if (revised === null) return written;
  announcePlan(revised, tools);
  announceNewVersion(written, revised, tools);
  return revised;
}

/** Writes what the readers found and how it was settled, and the new version if there is one. */
async function keepReading(
  { tools, written, folder, contextPackage }: ReadingRun,
  found: PlanReading,
  reply: Settled | null,
): Promise<ReadPlan> {
  const reading = settle(found, reply);
  const plan = reply?.revised ?? null;
  await tools.folder.writeJson(readingFile, reading);
  const { plan: current, tasks } = written;
  const known = [written, ...(plan === null ? [] : [plan])];
  await keepLateEdits(tools, `${folder}/version-${written.version}-edited`, known);
  const next = plan ?? written;
  const files = { plan: next.plan, tasks: next.tasks, findings: next.findings };
  await writePlan({ ...files, contextPackage, folder: tools.folder });
  if (plan === null) return { reading, revised: null };
  const before = { plan: current, tasks };
  const revised = { ...plan, source: written.source, version: reading.version, before };
  return { reading, revised };
}

/** Reports who read the plan, and how their findings were settled. */
export function announceReading(
  { readers, unread, notes, findings }: PlanReading,
  { emit, steps: { replaying } }: Pick<Tools, 'emit' | 'steps'>,
  fromRecord: boolean = replaying,
): void {
  const event = {
    type: 'plan.read',
    readers: readers.map(({ agent, tokens, cost_usd }) => ({ agent, tokens, cost_usd })),
    unread,
    notes,
    findings: findings.map((finding) => {
      const { severity, fate, agent, problem, reply } = finding;
      const told = { severity, fate, agent, problem, reply };
      return hasFoundEvidence(finding) ? told : { ...told, evidence_found: false };
    }),
  } as const;
  emit(event, fromRecord);
}

/** The reply of the author, checked. */
interface Settled {
  readonly replies: readonly CheckedReply[];
  /** The new version of the plan; null if it stays as it is. */
  readonly revised: (PlanFiles & { readonly findings: readonly Finding[] }) | null;
  /** The reason why the new version is rejected; empty if it is accepted, or if there is none. */
  readonly refusal: string;
}

type CheckedReply = Omit<PlanReply['replies'][number], 'evidence'> & {
  readonly evidence: readonly CheckedClaim[];
};

/** Asks the author once. If it cannot answer, that is the refusal and everything stays open. */
async function askAuthor(run: ReadingRun, found: PlanReading): Promise<Settled> {
  const { tools, signal, written } = run;
  const question = replyQuestion(run, found);
  const asked = await askSeat({ tools, question, names: [written.source], signal });
  if (asked.answer === null) {
    const why = asked.failed.at(-1)?.failure.detail ?? 'it is not there';
    return { replies: [], revised: null, refusal: `${written.source} gave no reply: ${why}` };
  }
  const { value } = asked.answer;
  const replies = await Promise.all(
    value.replies.map(async (reply) => ({
      ...reply,
      evidence: await checkEvidence(run, written.source, reply.evidence),
    })),
  );
  return { replies, ...(await revisedPlan(run, value)) };
}

function replyQuestion(run: ReadingRun, found: PlanReading): Question<PlanReply> {
  const { own, tools, planning, folder, written, contextPackage } = run;
  const { schemas } = tools;
  return {
    call: own.reply,
    round: planning.number,
    folderFor: (agent) => `${folder}/${agent}-reply`,
    meaning: { findings: found.findings.map(({ id, problem }) => ({ id, problem })) },
    task: planning.task,
    context: null,
    constraints: contextPackage.constraints,
    schema: 'plan-reply',
    shape: PlanReply,
    expected: { session: tools.folder.id, phase: 'plan-reply' },
    faultsOf: (reply) => changeFaults(written, reply),
    summaryOf: ({ replies }) => repliesText(replies),
    promptFor: async (agent) =>
      planReplyPrompt({
        ...promptInput(tools, agent, { round: planning.number, schema: 'plan-reply' }),
        package: contextPackage,
        extensions: { plan: schemas.extension('plan'), task: schemas.extension('task') },
        findings: found.findings,
        planned: written,
        checked: written.findings,
      }),
  };
}

function repliesText(replies: PlanReply['replies']): string {
  const fixed = replies.filter(({ action }) => action === 'fixed').length;
  const refused = replies.length - fixed;
  return `${counted(fixed, 'finding')} fixed, ${refused} refused`;
}

/**
 * Applies the changes of a reply to the plan with all usual checks; it may not have more blocking findings than
 * before.
 */
async function revisedPlan(
  { tools, written, contextPackage }: ReadingRun,
  reply: PlanReply,
): Promise<Pick<Settled, 'revised' | 'refusal'>> {
  const merged = mergeChanges(written, reply, []);
  const given = { ...merged, planner: written.source, earlier: written };
  const revised = await planFromAnswer(given, { contextPackage, tools });
  if (planChanges(written, revised).length === 0) return { revised: null, refusal: '' };
  const blocking = blockingIn(revised);
  if (blocking.length <= blockingIn(written).length) return { revised, refusal: '' };
  const refusal = `the new plan of ${written.source} was not taken: ${blocking[0]?.message ?? ''}`;
  return { revised: null, refusal };
}

/** The reading with the outcome of each finding; `reply` is null if the author was not asked. */
function settle(found: PlanReading, reply: Settled | null): PlanReading {
  if (reply === null) return found;
  const { replies, revised, refusal } = reply;
  const byId = new Map(replies.map((one) => [one.finding.trim().toUpperCase(), one]));
  return {
    ...found,
    version: revised === null ? found.version : found.version + 1,
    notes: refusal === '' ? found.notes : [...found.notes, refusal],
    findings: found.findings.map((finding) => ({
      ...finding,
      ...fateOf(byId.get(finding.id), revised !== null, refusal),
    })),
  };
}

function fateOf(
  reply: CheckedReply | undefined,
  isRevised: boolean,
  refusal: string,
): Pick<ReadFinding, 'fate' | 'reply' | 'reply_evidence'> {
  if (reply === undefined) {
    const told = refusal === '' ? 'no reply' : 'no reply that could be used';
    return { fate: 'open', reply: told, reply_evidence: [] };
  }
  const { action, reason, evidence } = reply;
  const told = { reply: reason, reply_evidence: [...evidence] };
  if (action === 'refused') return { fate: evidence.some(isFound) ? 'refused' : 'open', ...told };
  if (isRevised) return { fate: 'fixed', ...told };
  const why = refusal === '' ? 'the plan did not change' : refusal;
  return { fate: 'open', reply: `said to be fixed, but ${why}`, reply_evidence: [] };
}
