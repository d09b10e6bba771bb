import { z } from 'zod';
import type { ContextPackage } from '../../model/context-package.ts';
import { Finding } from '../../model/finding.ts';
import { Plan } from '../../model/plan.ts';
import { Task } from '../../model/task.ts';
import { type Tools, recorded } from '../tools.ts';
import { askPlanner } from './ask-planner.ts';
import { planFindingsOf } from './check-plan.ts';
import { type PlanningInput, packContext } from './context-package.ts';
import { derivePlan } from './derive-plan.ts';
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
  const step = { tools, signal, group, name: 'write', input: { planner: asked?.agent ?? null } };
  const written = await recorded({ ...step, shape: WrittenPlan }, async () => {
    const made = asked ?? (await deriveWithoutAgent(contextPackage, tools));
    const source = asked?.agent ?? 'derived';
    const plan: WrittenPlan = { ...made, source, version: 1, before: null };
    await writePlan({ ...plan, contextPackage, folder: tools.folder });
    return plan;
  });
  announcePlan(written, tools);
  return written;
}

async function deriveWithoutAgent(
  contextPackage: ContextPackage,
  tools: Tools,
): Promise<Pick<WrittenPlan, 'plan' | 'tasks' | 'findings'>> {
  const known = new Set(await tools.repository.files());
  const { plan, tasks } = derivePlan({ contextPackage, known, now: new Date() });
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
