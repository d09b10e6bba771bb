import { z } from 'zod';
import type { CodebaseContext } from '../../model/context.ts';
import type { Decision, UserAnswer } from '../../model/decision.ts';
import { ContextPackage } from '../../model/context-package.ts';
import { Finding } from '../../model/finding.ts';
import { Plan } from '../../model/plan.ts';
import { Task } from '../../model/task.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import type { Tools } from '../tools.ts';
import { askPlanner } from './ask-planner.ts';
import { buildContextPackage } from './context-package.ts';
import { derivePlan } from './derive-plan.ts';
import { planFindingsOf } from './plan-findings.ts';
import { writePlan } from './write-plan.ts';

/** A plan as it was written to disk, with what the plan check found. */
export const WrittenPlan = z.object({
  plan: Plan,
  tasks: z.array(Task),
  findings: z.array(Finding),
  source: z.string().describe('The planning agent, or "derived" without one.'),
  version: z.int().min(1).default(1),
  before: z
    .object({ plan: Plan, tasks: z.array(Task) })
    .nullable()
    .default(null)
    .describe('The version before as it stood on disk; null for a first one.'),
});
export type WrittenPlan = z.infer<typeof WrittenPlan>;

export interface PlanningInput {
  /** Number of the decision that this plan follows. */
  readonly number: number;
  readonly task: string;
  readonly codebase: CodebaseContext;
  readonly synthesis: Synthesis;
  readonly decision: Extract<Decision, { kind: 'approve' }>;
  readonly constraints: readonly string[];
  readonly feedback: readonly string[];
  readonly answers: readonly UserAnswer[];
  readonly uncertainty: string | null;
  /** Who is asked to plan, best first; empty means that the plan is derived by code. */
  readonly planners: readonly string[];
}

/** Phase 5: the chosen solution becomes `plan.json` and `.task/*.json`. */
export async function generatePlan(
  input: PlanningInput,
  tools: Tools,
  signal: AbortSignal,
): Promise<WrittenPlan> {
  const group = `plan-${input.number}`;
  const contextPackage = await packContext({ input, tools, signal, group });
  const folder = `planning/${input.number}`;
  const ask = { input, contextPackage, tools, signal, group, folder, revision: null };
  const asked = await askPlanner(ask);
  const { value } = await tools.steps.run(
    {
      key: `${group}/write`,
      group,
      kind: 'calculation',
      input: { planner: asked?.agent ?? null },
      shape: WrittenPlan,
      signal,
    },
    async () => {
      const made = asked ?? (await deriveWithoutAgent({ input, contextPackage, tools }));
      const source = asked?.agent ?? 'derived';
      const written: WrittenPlan = { ...made, source, version: 1, before: null };
      await writePlan({ ...written, contextPackage, folder: tools.folder });
      return written;
    },
  );
  announcePlan(value, tools);
  return value;
}

async function packContext(pack: {
  input: PlanningInput;
  tools: Tools;
  signal: AbortSignal;
  group: string;
}): Promise<ContextPackage> {
  const { input, tools, signal, group } = pack;
  const solution = input.synthesis.solutions[input.decision.solution - 1];
  if (solution === undefined) throw new Error(`there is no solution ${input.decision.solution}`);
  const { value } = await tools.steps.run(
    {
      key: `${group}/package`,
      group,
      kind: 'calculation',
      input: { solution: solution.id },
      shape: ContextPackage,
      signal,
    },
    async () => {
      const contextPackage = buildContextPackage({
        sessionId: tools.folder.id,
        task: input.task,
        solution,
        synthesis: input.synthesis,
        constraints: [...new Set([...input.constraints, ...input.decision.constraints])],
        clarifications: input.answers,
        feedback: input.feedback,
        projectFacts: input.codebase.project_facts,
        buildFacts: input.codebase.build_facts,
        uncertainty: input.uncertainty,
      });
      await tools.folder.writeJson('context-package.json', contextPackage);
      return contextPackage;
    },
  );
  return value;
}

async function deriveWithoutAgent(derive: {
  input: PlanningInput;
  contextPackage: ContextPackage;
  tools: Tools;
}): Promise<Pick<WrittenPlan, 'plan' | 'tasks' | 'findings'>> {
  const { contextPackage, tools } = derive;
  const { repository } = tools;
  const known = new Set(await repository.files());
  const { plan, tasks } = derivePlan({
    contextPackage,
    known,
    now: new Date(),
  });
  const findings = await planFindingsOf({ plan, tasks, contextPackage, tools });
  return { plan, tasks: [...tasks], findings: [...findings] };
}

/** Id and title of each task, e.g. `TASK-001 Print JSON`. */
export function titlesOf(tasks: readonly Task[]): string[] {
  return tasks.map(({ id, title }) => `${id} ${title}`);
}

/** Tells what was written, and what the plan check says of it. */
export function announcePlan(written: WrittenPlan, tools: Tools): void {
  const { findings, tasks, source } = written;
  tools.emit({
    type: 'plan.written',
    plan: `${tools.folder.relative}/plan.json`,
    tasks: tasks.length,
    source,
    titles: titlesOf(tasks),
  });
  const blocking = findings.filter((finding) => finding.severity === 'blocking').length;
  tools.emit({
    type: 'plan.checked',
    blocking,
    warnings: findings.length - blocking,
    findings: findings.map(({ file, message }) => `${file}: ${message}`),
  });
}
