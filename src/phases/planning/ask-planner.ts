import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ContextPackage } from '../../model/context-package.ts';
import { type Finding, blockingIn } from '../../model/finding.ts';
import type { PlanComment } from '../../model/plan-edit.ts';
import { type Plan, PlanAnswer } from '../../model/plan.ts';
import type { RunSettings } from '../../model/session.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import type { Task } from '../../model/task.ts';
import { planFindingsPrompt, planPrompt, planRevisionPrompt } from '../../prompts/plan.ts';
import { askAgent } from '../asking/ask-agent.ts';
import type { Question } from '../asking/question.ts';
import { askSeat, readyModel } from '../asking/ask-seat.ts';
import { conventionsFor, solutionExcerpts } from '../shown-code.ts';
import { promptLimit, recorded, type Tools } from '../tools.ts';
import { planFindingsOf } from './check-plan.ts';
import type { PlanningInput } from './context-package.ts';
import { changeText, planChanges } from './editing/plan-changes.ts';
import type { PlanFiles } from './editing/task-edits.ts';
import { splitAnswer } from './split-answer.ts';

interface AskedPlan {
  readonly agent: string;
  readonly plan: Plan;
  readonly tasks: Task[];
  readonly findings: Finding[];
}

/** What a person says of a plan, for the next version of it. */
interface Revision {
  readonly comments: readonly PlanComment[];
  /** As the planner wrote it. */
  readonly written: PlanFiles;
  /** As it stands on disk, the person’s own changes included. */
  readonly current: PlanFiles;
}

interface Ask {
  readonly input: PlanningInput;
  readonly contextPackage: ContextPackage;
  readonly tools: Tools;
  readonly signal: AbortSignal;
  readonly group: string;
  /** Relative to the session folder. */
  readonly folder: string;
  /** Null for a first plan. */
  readonly revision: Revision | null;
}

/**
 * Asks a planning agent for plan and tasks as one JSON. What the plan check finds goes back to
 * it once where it blocks the plan; the better of its two plans stands. Null where no planning agent could answer.
 */
export async function askPlanner(ask: Ask): Promise<AskedPlan | null> {
  const { tools, signal } = ask;
  const [seat, ...chain] = await plannersNow(ask);
  if (seat === undefined) return null;
  const question = planQuestion(ask);
  const taken = new Set([seat]);
  const { answer } = await askSeat({ tools, question, seat, chain, taken, signal });
  if (answer === null) return null;
  const first = await judge(ask, answer.agent.name, answer.value);
  if (blockingIn(first).length === 0) return first;
  const { agent } = answer;
  const fix = planQuestion(ask, { findings: first.findings, answer: answer.value });
  const prompt = await fix.promptFor(agent.name);
  const again = { question: fix, agent, seat: agent.name, attempt: '', prompt } as const;
  const attempt = await askAgent({ ...again, tools, signal });
  if (attempt.ended !== 'answered') return first;
  const second = await judge(ask, agent.name, attempt.value);
  return blockingIn(second).length <= blockingIn(first).length &&
    second.findings.length <= first.findings.length
    ? second
    : first;
}

function plannersNow({ input, tools, signal, group }: Ask): Promise<readonly string[]> {
  const step = { tools, signal, group, name: 'planners', shape: z.array(z.string()) };
  return recorded(step, async () => {
    const ready: string[] = [];
    for (const name of input.planners) {
      if ((await readyModel([name], tools.agents, signal)) !== null) ready.push(name);
    }
    return ready;
  });
}

function planQuestion(
  { input, contextPackage, tools, group, folder, revision }: Ask,
  earlier?: { readonly findings: readonly Finding[]; readonly answer: PlanAnswer },
): Question<PlanAnswer> {
  return {
    group,
    name: earlier === undefined ? 'plan' : 'mend-plan',
    phase: 'plan',
    round: input.number,
    folderFor: (agent) => `${folder}/${agent}${earlier === undefined ? '' : '-mended'}`,
    meaning: {
      solution: contextPackage.solution.name,
      mended: earlier !== undefined,
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
      const { affected_files, evidence = [] } = contextPackage;
      const question = {
        session: tools.folder.id,
        round: input.number,
        schema: tools.schemas.schema('plan-answer'),
        nonce: randomBytes(8).toString('hex'),
        maxBytes: promptLimit(tools, agent),
        package: contextPackage,
        excerpts: await solutionExcerpts([{ affected_files, evidence }], tools.repository),
        conventions: conventionsFor(agent, contextPackage, tools),
        extensions: {
          plan: tools.schemas.extension('plan'),
          task: tools.schemas.extension('task'),
        },
      };
      if (earlier !== undefined) {
        const answer = JSON.stringify(earlier.answer, null, 1);
        return planFindingsPrompt({ ...question, findings: earlier.findings, answer });
      }
      if (revision === null) return planPrompt(question);
      const { comments, written, current } = revision;
      const edits = planChanges(written, current).map(changeText);
      const answer = JSON.stringify(current, null, 1);
      return planRevisionPrompt({ ...question, comments, edits, answer });
    },
  };
}

/** Splits the answer into files and checks them; what cannot be split is itself a finding. */
async function judge(
  { contextPackage, tools, revision }: Ask,
  agent: string,
  answer: PlanAnswer,
): Promise<AskedPlan> {
  const earlier = revision?.current ?? null;
  const split = splitAnswer({ answer, contextPackage, now: new Date(), earlier });
  const found = await planFindingsOf({ ...split, contextPackage, tools });
  return { ...split, agent, tasks: [...split.tasks], findings: [...split.findings, ...found] };
}

interface Candidates {
  readonly planner: string | null;
  readonly receipts: Synthesis['receipts'];
  readonly settings: RunSettings;
  readonly agents: Tools['agents'];
}

/**
 * Who may be asked for a new version of a plan: the preferred planner, then who took part, then the
 * fallback chain.
 */
export function plannerNames({
  planner,
  receipts,
  settings,
  agents,
}: Candidates): readonly string[] {
  const tookPart = receipts.map(({ agent }) => agent);
  const names = [...(planner === null ? [] : [planner]), ...tookPart, ...settings.fallback_chain];
  return [...new Set(names)].filter((name) => agents.get(name)?.kind === 'model');
}

/** Who may be asked for the first version: nobody of the chain where no model was given a seat. */
export function firstPlannerNames(from: Candidates): readonly string[] {
  const { receipts, settings, agents } = from;
  const seated = [...settings.tools, ...receipts.map(({ agent }) => agent)];
  const hasModel = seated.some((name) => agents.get(name)?.kind === 'model');
  return plannerNames(hasModel ? from : { ...from, settings: { ...settings, fallback_chain: [] } });
}
