// Runs the planning phase: a first plan, or a new version based on a person's comments.
import { z } from 'zod';
import { Ordinal, Text, Texts, Whole } from '../../model/plain-shapes.ts';
import { ContextPackage } from '../../model/context-package.ts';
import { Finding, blockingIn } from '../../model/finding.ts';
import { PlanComment } from '../../model/plan-edit.ts';
import { Plan, type PlanFiles } from '../../model/plan.ts';
import { Task } from '../../model/task.ts';
import { oneLine } from '../../model/wording.ts';
import { type Tools, recordStep } from '../phase-tools.ts';
import { planHash } from './plan-hash.ts';
import { askPlanner } from './ask-planner.ts';
import { planFindingsOf } from './check-plan.ts';
import { type PlanningInput, buildContextPackage, findChosenSolution } from './planning-input.ts';
import { derivePlan } from './derive-plan.ts';
import { changeText, planChanges } from './editing/plan-changes.ts';
import { packProofs, removeProofs } from '../proof/proof-files.ts';
import { readUncheckedPlan } from './read-plan.ts';
import { settleComments } from './comments.ts';
import { readReading, readingFile } from './reading-file.ts';
import { versionNow } from './versions.ts';
import { keepVersion, writePlan } from './write-plan.ts';
import type { Step } from '../../model/step.ts';
import { steps } from '../../model/steps.ts';

/** A plan as it was written to disk, with the findings of the plan check. */
export const WrittenPlan = z.object({
  plan: Plan,
  tasks: z.array(Task).readonly(),
  findings: z.array(Finding).readonly(),
  source: Text.describe('The planning agent, or "derived" without one.'),
  back: z
    .array(PlanComment)
    .readonly()
    .optional()
    .describe('What the planner says of proofs, for their author.'),
  version: Ordinal,
  before: z
    .object({ plan: Plan, tasks: z.array(Task).readonly() })
    .nullable()
    .describe('The version before as it stood on disk; null for a first one.'),
});
export type WrittenPlan = z.infer<typeof WrittenPlan>;

/** Phase 5: turns the chosen solution into `plan.json` and `.task/*.json`. */
export async function generatePlan(
  input: PlanningInput,
  tools: Tools,
  signal: AbortSignal,
): Promise<WrittenPlan> {
  const own = steps.plan(input.number);
  const step = { tools, signal };
  const given = { solution: findChosenSolution(input).id };
  const contextPackage = await recordStep(
    { ...step, step: own.package, input: given, shape: ContextPackage },
    async () => {
      const packed = buildContextPackage(input, tools.folder.id);
      await tools.folder.writeJson('context-package.json', packed);
      if (packed.proofs === undefined) await removeProofs(tools.folder);
      return packed;
    },
  );
  const folder = `planning/${input.number}`;
  const asked = await askPlanner({ ...step, own, input, contextPackage, folder, revision: null });
  const write = { ...step, step: own.write, input: { planner: asked?.source ?? null } };
  const written = await recordStep({ ...write, shape: WrittenPlan }, async () => {
    const made = asked ?? (await derivePlanByRules(contextPackage, tools));
    // The file may be about the plan of an earlier decision.
    await tools.folder.remove(readingFile);
    await writePlan({ ...made, contextPackage, folder: tools.folder });
    return { ...made, version: 1, before: null };
  });
  announcePlan(written, tools);
  return written;
}

async function derivePlanByRules(contextPackage: ContextPackage, tools: Tools) {
  const known = await tools.repository.files();
  const made = derivePlan({ contextPackage, known, now: new Date() });
  const findings = await planFindingsOf({ ...made, contextPackage, tools });
  return { ...made, findings, source: 'derived' };
}

interface RevisionInput {
  readonly planning: PlanningInput;
  /** The number of the review of a decision’s plan, from 1; a revision leads to the next one. */
  readonly review: number;
  readonly comments: readonly PlanComment[];
  /** The version that the person sent back, as the planner wrote it. */
  readonly written: WrittenPlan;
}

/**
 * Has the planning agent make a new version of a plan from the files on disk and a person’s comments. The
 * previous version is kept. If no agent can make a new one, everything stays as it is and the previous version
 * is returned.
 */
export async function revisePlan(
  { planning, review, comments, written }: RevisionInput,
  tools: Tools,
  signal: AbortSignal,
): Promise<WrittenPlan> {
  const own = steps.plan(planning.number, review);
  const step = { tools, signal };
  const at = `planning/${planning.number}`;
  const earlier = await keepCurrent({ ...step, step: own.before }, at, written.version);
  if (earlier === null) return written;
  const { contextPackage, open, version: now, ...current } = earlier;
  const folder = `planning/${planning.number}/revision-${review}`;
  const ask = { ...step, own, folder, revision: { comments, written, current, open } };
  const asked = await askPlanner({ ...ask, input: planning, contextPackage });
  if (asked === null) {
    const text = 'No planning agent gave a new version of the plan, so it is unchanged.';
    tools.emit({ type: 'warning.raised', text });
    return written;
  }
  const write = { ...step, step: own.write, input: { planner: asked.source }, shape: WrittenPlan };
  const revised = await recordStep(write, async () => {
    await keepLateEdits(tools, `${at}/version-${now}-edited`, [current, asked]);
    await writePlan({ ...asked, contextPackage, folder: tools.folder });
    const version = now + 1;
    await settleComments(tools.folder, comments, { on: 'plan', version });
    return { ...asked, version, before: current };
  });
  announcePlan(revised, tools);
  announceNewVersion(current, revised, tools);
  return revised;
}

/** Reports what is new in a version of a plan. */
export function announceNewVersion(
  before: PlanFiles,
  revised: WrittenPlan,
  { emit }: Pick<Tools, 'emit'>,
): void {
  const changes = planChanges(before, revised).map(changeText);
  emit({ type: 'plan.revised', version: revised.version, changes });
}

const Earlier = z.object({
  plan: Plan,
  tasks: z.array(Task).readonly(),
  contextPackage: ContextPackage,
  open: Texts,
  version: Whole,
});

/** Returns the plan on disk and keeps a copy of this version for people; null if the plan cannot be read. */
export function keepCurrent(
  step: { readonly tools: Tools; readonly signal: AbortSignal; readonly step: Step },
  planning: string,
  written: number,
): Promise<z.infer<typeof Earlier> | null> {
  const { tools } = step;
  return recordStep({ ...step, shape: Earlier.nullable() }, async () => {
    const stored = await readUncheckedPlan(tools);
    if (stored === null) return null;
    const { plan, tasks } = stored;
    const version = await versionNow(tools.folder, planning, written);
    await keepVersion(tools.folder, { folder: `${planning}/version-${version}`, plan, tasks });
    const contextPackage = {
      ...stored.contextPackage,
      ...(await packProofs(tools.folder, plan)),
    };
    return { plan, tasks, contextPackage, open: await openFindings(tools), version };
  });
}

/** The findings of readers that nobody settled, one line each. */
async function openFindings(tools: Tools): Promise<string[]> {
  const { findings = [] } = (await readReading(tools)) ?? {};
  return findings
    .filter(({ fate }) => fate === 'open')
    .map(({ id, severity, task, problem, suggestion }) =>
      oneLine(`${id}, ${severity}, ${task ?? 'the whole plan'}: ${problem} ${suggestion}`),
    );
}

/** Keeps files that somebody changed while the planner worked, without mixing them into the new version. */
export async function keepLateEdits(
  tools: Tools,
  folder: string,
  known: readonly PlanFiles[],
): Promise<void> {
  const stored = await readUncheckedPlan(tools);
  if (stored === null) return;
  const { plan, tasks } = stored;
  const hash = planHash(plan, tasks);
  if (known.some((one) => planHash(one.plan, one.tasks) === hash)) return;
  await keepVersion(tools.folder, { folder, plan, tasks });
  const text = `The plan files changed while the planner worked; that state is kept in ${folder}.`;
  tools.emit({ type: 'warning.raised', text });
}

/** Reports what was written, and what the plan check found. */
export function announcePlan({ findings, tasks, source }: WrittenPlan, tools: Tools): void {
  tools.emit({
    type: 'plan.written',
    plan: `${tools.folder.relative}/plan.json`,
    tasks: tasks.length,
    source,
    titles: titlesOf(tasks),
    task_list: tasks.map(({ id, title }) => ({ id, title })),
  });
  const blocking = blockingIn({ findings }).length;
  tools.emit({
    type: 'plan.checked',
    blocking,
    warnings: findings.length - blocking,
    findings: findings.map(({ file, message }) => `${file}: ${message}`),
  });
}

/** Id and title of each task, e.g. `TASK-001 Print JSON`. */
export function titlesOf(tasks: readonly Task[]): string[] {
  return tasks.map(({ id, title }) => `${id} ${title}`);
}
