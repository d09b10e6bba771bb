// Says who may be asked to plan; asks, and once more with the findings.
import { z } from 'zod';
import type { Agent } from '../../agents/agent.ts';
import { leftOutIn } from '../../agents/answer/read-answer.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import { type Finding, blockingIn } from '../../model/finding.ts';
import type { PlanComment } from '../../model/plan-edit.ts';
import { PlanAnswer, type PlanFiles } from '../../model/plan.ts';
import type { RunSettings } from '../../model/session.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { planFindingsPrompt, planPrompt, planRevisionPrompt } from '../../prompts/plan-prompt.ts';
import { askOnce } from '../asking/ask-agent.ts';
import { type SeatAnswer, askSeat, findReadyModels, tellStandIn } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { wordsFor, solutionExcerpts } from '../shown-code.ts';
import { promptInput, recordStep, type Tools } from '../phase-tools.ts';
import { planFindingsOf, putBlockingFirst, untrueRules } from './check-plan.ts';
import type { PlanningInput } from './planning-input.ts';
import { changeText, planChanges } from './editing/plan-changes.ts';
import { splitAnswer } from './split-answer.ts';
import type { steps } from '../../model/steps.ts';

/** A planner’s plan, checked. */
interface AskedPlan extends PlanFiles {
  /** The planning agent. */
  readonly source: string;
  readonly findings: readonly Finding[];
  /** Those of the findings that the plan itself does not show. */
  readonly ofAnswer: readonly Finding[];
}

/** Comments of a person on a plan, for the next version of it. */
interface Revision {
  readonly comments: readonly PlanComment[];
  /** As the planner wrote it. */
  readonly written: PlanFiles;
  /** As it stands on disk, the person’s own changes included. */
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
  /** Relative to the session folder. */
  readonly folder: string;
  /** Null for a first plan. */
  readonly revision: Revision | null;
}

/**
 * Asks a planning agent for plan and tasks as one JSON. What blocks the plan goes back to it once
 * with all findings; its second plan stands unless more blocks it. Null where no planning agent
 * could answer.
 */
export async function askPlanner(ask: Ask): Promise<AskedPlan | null> {
  const { tools, signal } = ask;
  const question = planQuestion(ask, null);
  const names = await plannersNow(ask);
  tellStandIn(tools, { phase: 'planning', wanted: ask.input.planner, agent: names[0] });
  const { answer } = await askSeat({ tools, question, names, signal });
  if (answer === null) return null;
  const { agent, value } = answer;
  const first = await checkAnsweredPlan(ask, answer);
  if (severity(first) === 0) return first;
  const mend = planQuestion(ask, { findings: first.findings, answer: value });
  const attempt = await askOnce({ tools, question: mend, agent, signal });
  if (attempt.ended !== 'answered') return first;
  const second = await checkAnsweredPlan(ask, { agent, ...attempt });
  return severity(second) <= severity(first) ? second : first;
}

/** Untrue statements about the code are worth a second call, but do not weigh as much as what blocks. */
function severity({ findings }: AskedPlan): number {
  const untrue = findings.filter(({ rule }) => untrueRules.has(rule));
  return blockingIn({ findings }).length * 1000 + untrue.length;
}

function plannersNow({ input, tools, signal, own }: Ask): Promise<readonly string[]> {
  const step = { tools, signal, step: own.planners, shape: z.array(z.string()) };
  return recordStep(step, () => findReadyModels(input.planners, tools.agents, signal));
}

/** `earlier` is an answer that was found faulty. */
function planQuestion(
  ask: Ask,
  earlier: { readonly findings: readonly Finding[]; readonly answer: PlanAnswer } | null,
): Question<PlanAnswer> {
  const { input, contextPackage, tools, own, folder, revision } = ask;
  return {
    call: earlier === null ? own.ask : own.mend,
    round: input.number,
    folderFor: (agent) => `${folder}/${agent}${earlier === null ? '' : '-mended'}`,
    meaning: {
      solution: contextPackage.solution.name,
      mended: earlier !== null,
      ...(revision === null ? {} : { comments: revision.comments }),
    },
    task: input.task,
    context: input.codebase,
    constraints: contextPackage.constraints,
    schema: 'plan-answer',
    shape: PlanAnswer,
    summaryOf: ({ tasks }) => tasks.map(({ title }) => title).join('; '),
    expected: { session: tools.folder.id, phase: 'planning' },
    async promptFor(agent) {
      const question = await promptParts(ask, agent);
      if (earlier !== null) {
        const answer = JSON.stringify(earlier.answer, null, 1);
        return planFindingsPrompt({ ...question, findings: earlier.findings, answer });
      }
      if (revision === null) return planPrompt(question);
      const { comments, written, current, open } = revision;
      const edits = planChanges(written, current).map(changeText);
      const answer = JSON.stringify(current, null, 1);
      return planRevisionPrompt({ ...question, comments, edits, open, answer });
    },
  };
}

async function promptParts({ input, contextPackage, tools }: Ask, agent: Agent) {
  const { schemas, repository } = tools;
  const { affected_files, evidence = [] } = contextPackage;
  return {
    ...promptInput(tools, agent, { round: input.number, schema: 'plan-answer' }),
    package: contextPackage,
    excerpts: await solutionExcerpts([{ affected_files, evidence }], repository),
    ...wordsFor(agent, contextPackage),
    extensions: { plan: schemas.extension('plan'), task: schemas.extension('task') },
  };
}

/** Splits the answer into files and checks them; what cannot be split is itself a finding. */
async function checkAnsweredPlan(
  { contextPackage, tools, revision }: Ask,
  { agent, value, receipt }: SeatAnswer<PlanAnswer>,
): Promise<AskedPlan> {
  const earlier = revision?.current ?? null;
  const { notes } = receipt;
  const extension = tools.schemas.extension('task');
  const given = { answer: value, leftOut: leftOutIn(notes), contextPackage, earlier, extension };
  const split = splitAnswer({ ...given, planner: agent.name, now: new Date() });
  const { findings, ...plan } = split;
  const found = await planFindingsOf({ ...plan, contextPackage, tools });
  const all = putBlockingFirst([...findings, ...found]);
  return { ...plan, source: agent.name, findings: all, ofAnswer: findings };
}

interface PlannerChoice {
  readonly planner: string | null;
  readonly receipts: Synthesis['receipts'];
  readonly settings: RunSettings;
  readonly agents: Tools['agents'];
}

/**
 * Names who may be asked to plan: the preferred planner, who took part, those of the settings, which a
 * person may have named since, then the fallback chain.
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
