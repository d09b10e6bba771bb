// Asks the readers of a plan what is wrong with it, and checks the evidence of what they found.
import type { ContextPackage } from '../../../model/context-package.ts';
import {
  type PlanReading,
  PlanReviewAnswer,
  type ReadFinding,
} from '../../../model/plan-reading.ts';
import type { PlanFiles } from '../../../model/plan.ts';
import { tidyPath } from '../../../model/repository-path.ts';
import type { CheckedClaim } from '../../../model/synthesis.ts';
import { counted } from '../../../model/wording.ts';
import { planReviewPrompt, shownPath, planJson } from '../../../prompts/plan-prompt.ts';
import { askEach } from '../../asking/ask-each.ts';
import { askSeat, type SeatAnswer, type SeatResult } from '../../asking/ask-seat.ts';
import type { Question } from '../../asking/question.ts';
import { checkClaims } from '../../discussion/check-references.ts';
import { findQuote, foldFile } from '../../discussion/quote.ts';
import { wordsFor } from '../../shown-code.ts';
import { promptInput } from '../../phase-tools.ts';
import type { Readers } from './choose-readers.ts';
import type { ReadingRun } from './reading-run.ts';

export type Answered = SeatResult<PlanReviewAnswer>;

/**
 * Asks each reader once; another ready agent stands in for one that fails. `heard` is called with each answer
 * as it comes.
 */
export async function askReaders(
  run: ReadingRun,
  readers: Pick<Readers, 'names' | 'standIns'>,
  heard: (name: string, answer: Answered) => Promise<void> = async () => undefined,
): Promise<readonly Answered[]> {
  const { tools, mode, written } = run;
  const taken = new Set([...readers.names, written.source]);
  const question = questionOf(run);
  const ask = async (name: string, signal: AbortSignal) => {
    const names = [name, ...readers.standIns];
    const answer = await askSeat({ tools, question, names, taken, signal });
    await heard(name, answer);
    return answer;
  };
  return await askEach(readers.names, ask, { mode, signal: run.signal });
}

function questionOf(run: ReadingRun): Question<PlanReviewAnswer> {
  const { own, tools, planning, folder, written, contextPackage } = run;
  const { number } = planning;
  return {
    call: own.read,
    round: number,
    folderFor: (agent) => `${folder}/readers/${agent}`,
    meaning: { tasks: written.plan.task_ids },
    task: planning.task,
    context: null,
    constraints: contextPackage.constraints,
    schema: 'plan-review-answer',
    shape: PlanReviewAnswer,
    expected: { session: tools.folder.id, phase: 'plan-review' },
    summaryOf: ({ findings }) =>
      findings.length === 0 ? 'no problems found' : counted(findings.length, 'finding'),
    promptFor: async (agent) =>
      planReviewPrompt({
        ...promptInput(tools, agent, { round: number, schema: 'plan-review-answer' }),
        package: contextPackage,
        ...wordsFor(agent, contextPackage),
        planned: written,
        checked: written.findings,
      }),
  };
}

/** The findings of the readers with their evidence checked, the worst first. */
export async function checkAnswers(
  run: ReadingRun,
  answers: readonly Answered[],
): Promise<PlanReading> {
  const answered = answers.flatMap(({ answer }) => answer ?? []);
  const lost = answers.flatMap(({ failed }) => failed);
  const notes = lost.map(({ failure }) => `${failure.agent} did not read it: ${failure.detail}`);
  const found = await Promise.all(answered.map((answer) => findingsOf(run, answer)));
  const findings = found
    .flat()
    .toSorted((a, b) => rank[a.severity] - rank[b.severity])
    .map((finding, at) => ({ ...finding, id: `F${at + 1}` }));
  return {
    version: run.written.version,
    readers: answered.map(readerOf),
    unread: answered.length > 0 ? '' : (notes.at(-1) ?? ''),
    notes,
    findings,
  };
}

const rank: Readonly<Record<ReadFinding['severity'], number>> = { blocking: 0, major: 1, minor: 2 };

function readerOf({ agent, value, receipt }: SeatAnswer<PlanReviewAnswer>) {
  const { vendor, tokens, cost_usd } = receipt;
  const used = tokens === null ? null : tokens.input + tokens.output;
  return { agent: agent.name, vendor, summary: value.summary, tokens: used, cost_usd };
}

function findingsOf(
  run: ReadingRun,
  { agent, value }: SeatAnswer<PlanReviewAnswer>,
): Promise<ReadFinding[]> {
  const ids = new Set(run.written.plan.task_ids);
  return Promise.all(
    value.findings.map(async ({ path, line, quote, task, ...rest }) => {
      const claim = { statement: rest.problem, path, line: line ?? 1, quote };
      return {
        ...rest,
        id: '',
        agent: agent.name,
        task: task !== null && ids.has(task) ? task : null,
        evidence: quote.trim() === '' ? [] : await checkEvidence(run, agent.name, [claim]),
        fate: 'open' as const,
        reply: '',
        reply_evidence: [],
      };
    }),
  );
}

type Claims = Parameters<typeof checkClaims>[0]['claims'];

/** Checks evidence like any claim; the path `plan` means the plan and request as shown to the reader. */
export async function checkEvidence(
  { tools, written, contextPackage }: Pick<ReadingRun, 'tools' | 'written' | 'contextPackage'>,
  agent: string,
  claims: Claims,
): Promise<CheckedClaim[]> {
  const { repository } = tools;
  const files = written.tasks.flatMap((task) => task.files ?? []);
  const planned = new Set(
    files.filter(({ action }) => action === 'create').map(({ path }) => tidyPath(path)),
  );
  const checked = await Promise.all(
    claims.map(async (claim) =>
      isOfPlan(claim.path) && !(await repository.exists(claim.path))
        ? [checkShown(claim, agent, [written, contextPackage])]
        : await checkClaims({ repository, agent, claims: [claim], planned }),
    ),
  );
  return checked.flat();
}

function isOfPlan(path: string): boolean {
  return /^\s*(?:plan(?:\.json)?|(?:\.task\/)?TASK-[\w.-]+|request|task)?\s*$/i.test(path);
}

function checkShown(
  claim: Claims[number],
  agent: string,
  [written, { task_description: task, constraints }]: readonly [PlanFiles, ContextPackage],
): CheckedClaim {
  const { plan, tasks } = written;
  const shown = [task, ...constraints, ...textsIn(plan), ...textsIn(tasks), planJson(written)];
  const isThere = shown.some(
    (text) => findQuote({ file: foldFile(text), quote: claim.quote, line: 1 }).found !== 'nowhere',
  );
  const place = { ...claim, path: shownPath, line: 1, agent, found_line: null };
  return isThere
    ? { ...place, status: 'verified', note: '' }
    : { ...place, status: 'failed', note: 'neither the plan nor the request says this' };
}

/** Every text in a value, because a quote may come from any of them. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
