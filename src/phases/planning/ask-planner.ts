import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ContextPackage } from '../../model/context-package.ts';
import type { Finding } from '../../model/finding.ts';
import { type Plan, PlanAnswer } from '../../model/plan.ts';
import type { Task } from '../../model/task.ts';
import { readExcerpts } from '../../prompts/excerpts.ts';
import type { PlanComment } from '../../model/plan-edit.ts';
import { planFindingsPrompt, planPrompt, planRevisionPrompt } from '../../prompts/plan.ts';
import { type Question, askAgent } from '../asking/ask-agent.ts';
import { askSeat } from '../asking/ask-seat.ts';
import { promptLimit } from '../asking/prompt-limit.ts';
import type { Tools } from '../tools.ts';
import { changeText, planChanges } from './editing/plan-changes.ts';
import type { PlanFiles } from './editing/plan-files.ts';
import type { PlanningInput } from './generate-plan.ts';
import { planFindingsOf } from './plan-findings.ts';
import { type EarlierTasks, splitAnswer } from './split-answer.ts';

export interface AskedPlan {
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
  /** The highest number that a task of the session ever had; null where no record tells it. */
  readonly lastNumber: number | null;
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

/** How much code the prompt quotes, in bytes. */
const excerptLimits = { eachBytes: 6_000, totalBytes: 36_000 };

/**
 * Asks a planning agent for plan and tasks as one JSON. What the plan check finds goes back to
 * it once; the better of its two plans stands. Null where no planning agent could answer.
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
  if (first.findings.length === 0) return first;
  const mend = planQuestion(ask, { findings: first.findings, answer: answer.value });
  const prompt = await mend.promptFor(answer.agent.name);
  const attempt = await askAgent({
    tools,
    question: mend,
    agent: answer.agent,
    seat: answer.agent.name,
    attempt: '',
    prompt,
    signal,
  });
  if (attempt.ended !== 'answered') return first;
  const second = await judge(ask, answer.agent.name, attempt.value);
  return blocking(second) <= blocking(first) && second.findings.length <= first.findings.length
    ? second
    : first;
}

async function plannersNow({ input, tools, signal, group }: Ask): Promise<readonly string[]> {
  const { value } = await tools.steps.run(
    {
      key: `${group}/planners`,
      group,
      kind: 'calculation',
      input: {},
      shape: z.array(z.string()),
      signal,
    },
    async () => {
      const ready: string[] = [];
      for (const name of input.planners) {
        if (await isReadyPlanner(name, tools.agents, signal)) ready.push(name);
      }
      return ready;
    },
  );
  return value;
}

/** Whether an agent is ready to plan; an analyst never is. */
export async function isReadyPlanner(
  name: string,
  agents: Tools['agents'],
  signal: AbortSignal,
): Promise<boolean> {
  const agent = agents.get(name);
  return agent?.kind === 'model' && (await agent.ready(signal)).state === 'ready';
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
      const read = (path: string) => tools.repository.read(path);
      const question = {
        session: tools.folder.id,
        round: input.number,
        schema: tools.schemas.schema('plan-answer'),
        nonce: randomBytes(8).toString('hex'),
        maxBytes: promptLimit(tools, agent),
        package: contextPackage,
        excerpts: await readExcerpts(input.codebase.relevant_files, read, excerptLimits),
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
  const earlier = earlierTasks(revision);
  const split = splitAnswer({ answer, contextPackage, now: new Date(), earlier });
  const { plan, tasks } = split;
  const findings = [
    ...split.findings,
    ...(await planFindingsOf({ plan, tasks, contextPackage, tools })),
  ];
  return { agent, plan, tasks: [...tasks], findings };
}

function earlierTasks(revision: Revision | null): EarlierTasks | null {
  if (revision === null || revision.lastNumber === null) return null;
  const { written, current, lastNumber } = revision;
  return { written: written.tasks, current: current.tasks, lastNumber };
}

function blocking({ findings }: AskedPlan): number {
  return findings.filter((finding) => finding.severity === 'blocking').length;
}
