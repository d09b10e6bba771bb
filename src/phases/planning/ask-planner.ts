// Decides which agents may be asked to plan, asks one, and asks once more with the findings.
import { z } from 'zod';
import type { Agent } from '../../agents/agent.ts';
import { leftOutIn } from '../../agents/answer/read-answer.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import { type Finding, blockingIn } from '../../model/finding.ts';
import type { PlanComment } from '../../model/plan-edit.ts';
import { PlanAnswer, PlanChanges, type PlanFiles } from '../../model/plan.ts';
import type { RunSettings } from '../../model/run-settings.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { planFindingsPrompt, planPrompt, planRevisionPrompt } from '../../prompts/plan-prompt.ts';
import { askInSession } from '../asking/ask-agent.ts';
import { type SeatAnswer, askSeat, findReadyModels, tellStandIn } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import type { Excerpts } from '../../prompts/excerpts.ts';
import { wordsFor, solutionExcerpts } from '../shown-code.ts';
import { promptInput, recordStep, type Tools } from '../phase-tools.ts';
import { planFindingsOf, putBlockingFirst, untrueRules } from './check-plan.ts';
import type { PlanningInput } from './planning-input.ts';
import { changeText, planChanges } from './editing/plan-changes.ts';
import { changeFaults, idFaults, mergeChanges } from './merge-changes.ts';
import { splitAnswer } from './split-answer.ts';
import type { steps } from '../../model/steps.ts';

/** A planner’s plan after the plan check. */
interface AskedPlan extends PlanFiles {
  /** The planning agent. */
  readonly source: string;
  readonly findings: readonly Finding[];
  /** The proofs that it sends back to their author. */
  readonly back: readonly PlanComment[];
}

/** A person’s comments on a plan, for the next version of it. */
interface Revision {
  readonly comments: readonly PlanComment[];
  /** The plan as the planner wrote it. */
  readonly written: PlanFiles;
  /** The plan as it is on disk, including the person’s own changes. */
  readonly current: PlanFiles;
  /** Findings of readers that nobody settled, one line each. */
  readonly open: readonly string[];
}

interface Ask {
  readonly input: PlanningInput;
  readonly contextPackage: ContextPackage;
  readonly tools: Tools;
  readonly signal: AbortSignal;
  readonly own: ReturnType<typeof steps.plan>;
  /** The folder of the step, relative to the session folder. */
  readonly folder: string;
  /** Null for a first plan. */
  readonly revision: Revision | null;
}

/**
 * Asks a planning agent for plan and tasks as one JSON, or for the changes to a plan that came back with
 * comments. If something blocks the plan, it goes back once with all findings; the second plan is used unless
 * more blocks it. Null if no planning agent could answer.
 */
export async function askPlanner(ask: Ask): Promise<AskedPlan | null> {
  const { tools, signal } = ask;
  const names = await plannersNow(ask);
  tellStandIn(tools, { phase: 'planning', wanted: ask.input.planner, agent: names[0] });
  const first = await (ask.revision === null ? askWholePlan(ask, names) : askRevision(ask, names));
  if (first === null || severity(first.plan) === 0) return first?.plan ?? null;
  const { agent, plan, receipt } = first;
  const question = changesQuestion(ask, plan, {
    call: ask.own.mend,
    suffix: '-mended',
    promptFor: async (one) =>
      planFindingsPrompt({
        ...planParts(ask, one, 'plan-changes'),
        findings: plan.findings,
        planned: plan,
      }),
  });
  const attempt = await askInSession({ tools, question, agent, receipt, signal });
  if (attempt.ended !== 'answered') return plan;
  const second = await checkChangedPlan(ask, plan, { agent, ...attempt });
  return severity(second) <= severity(plan) ? { ...second, back: plan.back } : plan;
}

/** Weighs what is wrong with a plan: untrue statements about the code count, but less than what blocks. */
function severity({ findings }: AskedPlan): number {
  const untrue = findings.filter(({ rule }) => untrueRules.has(rule));
  return blockingIn({ findings }).length * 1000 + untrue.length;
}

function plannersNow({ input, tools, signal, own }: Ask): Promise<readonly string[]> {
  const step = { tools, signal, step: own.planners, shape: z.array(z.string()) };
  return recordStep(step, () => findReadyModels(input.planners, tools.agents, signal));
}

interface FirstPlan extends Pick<SeatAnswer<unknown>, 'agent' | 'receipt'> {
  readonly plan: AskedPlan;
}

async function askWholePlan(ask: Ask, names: readonly string[]): Promise<FirstPlan | null> {
  const { tools, signal, own } = ask;
  const question: Question<PlanAnswer> = {
    ...commonParts(ask),
    call: own.ask,
    folderFor: (agent) => `${ask.folder}/${agent}`,
    meaning: meaningOf(ask, false),
    schema: 'plan-answer',
    shape: PlanAnswer,
    faultsOf: ({ tasks }) => idFaults(tasks),
    promptFor: async (agent) =>
      planPrompt({ ...planParts(ask, agent, 'plan-answer'), excerpts: await excerptsFor(ask) }),
  };
  const { answer } = await askSeat({ tools, question, names, signal });
  if (answer === null) return null;
  const { agent, value, receipt } = answer;
  const leftOut = leftOutIn(receipt.notes);
  const plan = await checkPlan(ask, { answer: value, leftOut, planner: agent.name, earlier: null });
  return { agent, plan, receipt };
}

async function askRevision(ask: Ask, names: readonly string[]): Promise<FirstPlan | null> {
  const { tools, signal, revision, own } = ask;
  if (revision === null) return null;
  const { comments, written, current, open } = revision;
  const question = changesQuestion(ask, current, {
    call: own.ask,
    suffix: '',
    promptFor: async (agent) => {
      const edits = planChanges(written, current).map(changeText);
      const parts = planParts(ask, agent, 'plan-changes');
      const excerpts = await excerptsFor(ask);
      return planRevisionPrompt({ ...parts, excerpts, comments, edits, open, planned: current });
    },
  });
  const { answer } = await askSeat({ tools, question, names, signal });
  if (answer === null) return null;
  return { ...answer, plan: await checkChangedPlan(ask, current, answer) };
}

/** Builds the request for changes to an existing plan. */
function changesQuestion(
  ask: Ask,
  current: PlanFiles,
  own: Pick<Question<PlanChanges>, 'call' | 'promptFor'> & { readonly suffix: string },
): Question<PlanChanges> {
  const { suffix, ...rest } = own;
  return {
    ...commonParts(ask),
    ...rest,
    folderFor: (agent) => `${ask.folder}/${agent}${suffix}`,
    meaning: meaningOf(ask, suffix !== ''),
    schema: 'plan-changes',
    shape: PlanChanges,
    faultsOf: (changes) => changeFaults(current, changes),
  };
}

function meaningOf({ contextPackage, revision }: Ask, mended: boolean): unknown {
  const { name: solution } = contextPackage.solution;
  return { solution, mended, ...(revision !== null && { comments: revision.comments }) };
}

function commonParts({ input, contextPackage, tools }: Ask) {
  return {
    round: input.number,
    task: input.task,
    context: input.codebase,
    constraints: contextPackage.constraints,
    summaryOf: ({ tasks }: Pick<PlanAnswer, 'tasks'>) => tasks.map(({ title }) => title).join('; '),
    expected: { session: tools.folder.id, phase: 'planning' },
  };
}

function planParts(
  { input, contextPackage, tools }: Ask,
  agent: Agent,
  schema: 'plan-answer' | 'plan-changes',
) {
  const { schemas } = tools;
  return {
    ...promptInput(tools, agent, { round: input.number, schema }),
    package: contextPackage,
    ...wordsFor(agent, contextPackage),
    extensions: { plan: schemas.extension('plan'), task: schemas.extension('task') },
  };
}

function excerptsFor({ contextPackage, tools }: Ask): Promise<Excerpts> {
  const { affected_files, evidence = [] } = contextPackage;
  return solutionExcerpts([{ affected_files, evidence }], tools.repository, 'planning');
}

async function checkChangedPlan(
  ask: Ask,
  current: PlanFiles,
  { agent, value, receipt }: SeatAnswer<PlanChanges>,
): Promise<AskedPlan> {
  const merged = mergeChanges(current, value, leftOutIn(receipt.notes));
  return await checkPlan(ask, { ...merged, planner: agent.name, earlier: current });
}

interface PlanAnswered {
  readonly answer: Pick<PlanAnswer, 'plan' | 'tasks' | 'proofs_back'>;
  readonly leftOut: Parameters<typeof splitAnswer>[0]['leftOut'] & object;
  readonly planner: string;
  readonly earlier: PlanFiles | null;
}

async function checkPlan(ask: Ask, answered: PlanAnswered): Promise<AskedPlan> {
  const plan = await planFromAnswer(answered, ask);
  const { planner: source, answer } = answered;
  const back = (answer.proofs_back ?? []).map(({ id, why }) => ({ task: id, text: why }));
  return { ...plan, source, back };
}

/** Splits the answer into files and checks them. */
export async function planFromAnswer(
  answered: PlanAnswered,
  { contextPackage, tools }: Pick<Ask, 'contextPackage' | 'tools'>,
): Promise<PlanFiles & { readonly findings: readonly Finding[] }> {
  const extension = tools.schemas.extension('task');
  const split = splitAnswer({ ...answered, contextPackage, extension, now: new Date() });
  const found = await planFindingsOf({ ...split, contextPackage, tools });
  return { ...split, findings: putBlockingFirst([...split.findings, ...found]) };
}

interface PlannerChoice {
  readonly planner: string | null;
  readonly receipts: Synthesis['receipts'];
  readonly settings: RunSettings;
  readonly agents: Tools['agents'];
}

/**
 * Names the agents that may be asked to plan: the preferred planner, the participants, the agents of the
 * settings, which a person may have changed since, then the fallback chain.
 */
export function plannerNames({
  planner,
  receipts,
  settings,
  agents,
}: PlannerChoice): readonly string[] {
  const tookPart = receipts.map(({ agent }) => agent);
  const { tools, fallback_chain: chain } = settings;
  const names = [...(planner === null ? [] : [planner]), ...tookPart, ...tools, ...chain];
  return [...new Set(names)].filter((name) => agents.get(name)?.kind === 'model');
}
