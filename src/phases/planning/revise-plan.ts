import { z } from 'zod';
import { ContextPackage } from '../../model/context-package.ts';
import type { PlanChange, PlanComment } from '../../model/plan-edit.ts';
import { Plan } from '../../model/plan.ts';
import { Task } from '../../model/task.ts';
import { listed } from '../../model/wording.ts';
import { type Tools, recorded } from '../tools.ts';
import { planHash } from './approval.ts';
import { askPlanner } from './ask-planner.ts';
import { changeText, planChanges } from './editing/plan-changes.ts';
import type { PlanFiles } from './editing/task-edits.ts';
import type { PlanningInput } from './context-package.ts';
import { WrittenPlan, announcePlan } from './generate-plan.ts';
import { readStoredPlan } from './read-plan.ts';
import { finishWrites, keepVersion, lastTaskNumber, writePlan } from './write-plan.ts';

export interface RevisionInput {
  readonly planning: PlanningInput;
  /** Counts the reviews of a decision’s plan from 1; a revision leads to the next one. */
  readonly review: number;
  readonly comments: readonly PlanComment[];
  /** The version that is sent back, as the planner wrote it. */
  readonly written: WrittenPlan;
}

/**
 * A new version of a plan by the planning agent, from the files on disk and a person’s comments.
 * The version before is kept. Where nobody can make a new one, all stays as it is and
 * the version before is returned.
 */
export async function revisePlan(
  input: RevisionInput,
  tools: Tools,
  signal: AbortSignal,
): Promise<WrittenPlan> {
  const { planning, written, comments } = input;
  const group = `plan-${planning.number}.${input.review}`;
  const step = { tools, signal, group };
  const versions = `planning/${planning.number}/version-${written.version}`;
  const earlier = await keepCurrent(step, versions);
  if (earlier === null) return written;
  const { contextPackage, lastNumber, ...current } = earlier;
  const folder = `planning/${planning.number}/revision-${input.review}`;
  const revision = { comments, written, current, lastNumber };
  const asked = await askPlanner({ ...step, input: planning, contextPackage, folder, revision });
  if (asked === null) {
    const text = 'No planning agent gave a new version of the plan; it stays as it is.';
    tools.emit({ type: 'warning.raised', text });
    return written;
  }
  const write = { ...step, name: 'write', input: { planner: asked.agent }, shape: WrittenPlan };
  const revised = await recorded(write, async () => {
    await keepLateEdits(tools, `${versions}-edited`, [current, asked]);
    await writePlan({ ...asked, contextPackage, folder: tools.folder });
    const { plan, tasks, findings, agent: source } = asked;
    return { plan, tasks, findings, source, version: written.version + 1, before: current };
  });
  announceRevision({ ...revised, before: current }, written, tools);
  return revised;
}

const Earlier = z.object({
  plan: Plan,
  tasks: z.array(Task),
  contextPackage: ContextPackage,
  lastNumber: z
    .int()
    .nullable()
    .default(null)
    .describe('The highest number that a task of the session ever had; null in old records.'),
});

/** The plan as it is on disk, with a copy in `folder` for people; null where it cannot be read. */
function keepCurrent(
  step: { readonly tools: Tools; readonly signal: AbortSignal; readonly group: string },
  folder: string,
): Promise<z.infer<typeof Earlier> | null> {
  const { tools } = step;
  return recorded({ ...step, name: 'before', shape: Earlier.nullable() }, async () => {
    for (const text of await finishWrites(tools.folder))
      tools.emit({ type: 'warning.raised', text });
    const stored = await readStoredPlan(tools);
    if (stored.plan === null) return null;
    const { plan, tasks, contextPackage } = stored;
    await keepVersion(tools.folder, { folder, plan, tasks });
    const lastNumber = await lastTaskNumber(tools.folder);
    return { plan, tasks: [...tasks], contextPackage, lastNumber };
  });
}

/** Files that somebody changed while the planner worked are not lost, and not mixed in either. */
async function keepLateEdits(
  tools: Tools,
  folder: string,
  known: readonly PlanFiles[],
): Promise<void> {
  await finishWrites(tools.folder);
  const { plan, tasks, hash } = await readStoredPlan(tools);
  if (plan === null || known.some((one) => planHash(one.plan, one.tasks) === hash)) return;
  await keepVersion(tools.folder, { folder, plan, tasks });
  const text = `The plan files changed while the planner worked; that state is kept in ${folder}.`;
  tools.emit({ type: 'warning.raised', text });
}

function announceRevision(revised: WrittenPlan, written: WrittenPlan, tools: Tools): void {
  const { version, before: current } = revised;
  announcePlan(revised, tools);
  if (current === null) return;
  const changes = planChanges(current, revised);
  tools.emit({ type: 'plan.revised', version, changes: changes.map(changeText) });
  const undone = undoneEdits(planChanges(written, current), changes);
  if (undone.length === 0) return;
  const text = `The new version reverts what you had changed: ${listed(undone)}; look at it before you approve.`;
  tools.emit({ type: 'warning.raised', text });
}

/** Which of a person’s changes have the content again that they had before. */
function undoneEdits(
  edits: readonly PlanChange[],
  changes: readonly PlanChange[],
): readonly string[] {
  return edits
    .filter((edit) =>
      changes.some(
        (change) =>
          change.task === edit.task && change.field === edit.field && change.after === edit.before,
      ),
    )
    .map(({ task, field }) => `${task ?? 'plan'} ${field}`);
}
