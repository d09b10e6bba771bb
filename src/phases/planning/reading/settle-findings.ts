// Asks the author of a plan to fix or reject each finding, and says how each was settled.
import { type Finding, blockingIn } from '../../../model/finding.ts';
import { type PlanReading, PlanReply, type ReadFinding } from '../../../model/plan-reading.ts';
import type { PlanFiles } from '../../../model/plan.ts';
import { isFound } from '../../../model/found-evidence.ts';
import type { CheckedClaim } from '../../../model/synthesis.ts';
import { counted } from '../../../model/wording.ts';
import { planReplyPrompt } from '../../../prompts/plan-prompt.ts';
import { askSeat } from '../../asking/ask-seat.ts';
import type { Question } from '../../asking/question.ts';
import { promptInput } from '../../phase-tools.ts';
import { planFindingsOf } from '../check-plan.ts';
import { planChanges } from '../editing/plan-changes.ts';
import { changeFaults, mergeChanges } from '../merge-changes.ts';
import { splitAnswer } from '../split-answer.ts';
import { checkEvidence } from './ask-readers.ts';
import type { ReadingRun } from './reading-run.ts';

/** The reply of the author, checked. */
export interface Settled {
  readonly replies: readonly CheckedReply[];
  /** The new version of the plan; null if it stays as it is. */
  readonly revised: (PlanFiles & Record<'findings' | 'ofAnswer', readonly Finding[]>) | null;
  /** The reason why the new version is rejected; empty if it is accepted, or if there is none. */
  readonly refusal: string;
}

type CheckedReply = Omit<PlanReply['replies'][number], 'evidence'> & {
  readonly evidence: readonly CheckedClaim[];
};

/** Asks the author once. If it cannot answer, that is the refusal and everything stays open. */
export async function askAuthor(run: ReadingRun, found: PlanReading): Promise<Settled> {
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
  const { answer } = mergeChanges(written, reply, []);
  const { source: planner } = written;
  const extension = tools.schemas.extension('task');
  const given = { answer, contextPackage, earlier: written, planner, extension };
  const split = splitAnswer({ ...given, now: new Date() });
  if (planChanges(written, split).length === 0) return { revised: null, refusal: '' };
  const checked = await planFindingsOf({ ...split, contextPackage, tools });
  const findings = [...split.findings, ...checked];
  const blocking = blockingIn({ findings });
  if (blocking.length <= blockingIn(written).length) {
    return { revised: { ...split, findings, ofAnswer: split.findings }, refusal: '' };
  }
  const refusal = `the new plan of ${written.source} was not taken: ${blocking[0]?.message ?? ''}`;
  return { revised: null, refusal };
}

/** The reading with the outcome of each finding; `reply` is null if the author was not asked. */
export function settle(found: PlanReading, reply: Settled | null): PlanReading {
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
