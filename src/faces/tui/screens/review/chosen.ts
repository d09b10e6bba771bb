import type { Finding } from '../../../../model/finding.ts';
import type { PlanOnDesk } from '../../../../workflow/view.ts';
import { fieldsIn, placeOf, planDocument, taskDocument } from './document.ts';
import { graphOf } from './graph.ts';
import type { ReviewState } from './state.ts';

/** The ids in the order in which they are shown. */
export function shownOrder({
  desk,
  asGraph,
}: Pick<ReviewState, 'desk' | 'asGraph'>): readonly string[] {
  const ids = desk.tasks.map(({ id }) => id);
  if (!asGraph) return ids;
  return graphOf(desk.tasks, { width: 0, spaced: false }).flatMap(({ task }) =>
    task === null ? [] : (ids[task] ?? []),
  );
}

/** The task that is chosen; null where the plan has none. */
export function chosenTask(state: ReviewState): string | null {
  const { tasks } = state.desk;
  const isThere = tasks.some(({ id }) => id === state.task);
  return isThere ? state.task : (tasks[0]?.id ?? null);
}

/** The field that is chosen on the page of fields; null where there is none. */
export function chosenField(state: ReviewState): string | null {
  const fields = fieldsIn(documentOf(state));
  return fields[clamp(state.field, fields.length)] ?? null;
}

/** What the page of fields shows. */
export function documentOf({ desk, about }: Pick<ReviewState, 'desk' | 'about'>) {
  if (about === null) return desk.plan === null ? [] : planDocument(desk.plan);
  const task = desk.tasks.find(({ id }) => id === about);
  return task === undefined ? [] : taskDocument(task);
}

/** The task that a finding is about; null for the plan. */
export function taskOfFinding({ file, pointer }: Finding, { plan }: PlanOnDesk): string | null {
  const [, id] = /^\.task\/(.+)\.json$/.exec(file) ?? [];
  const [, index] = /^\/task_ids\/(\d+)$/.exec(pointer) ?? [];
  return id ?? (index === undefined ? null : (plan?.task_ids[Number(index)] ?? null));
}

/** The task and the field that the chosen finding is about; null where none of them can be seen. */
export function placeOfFinding({
  desk,
  finding: at,
}: ReviewState): { readonly of: string | null; readonly field: string } | null {
  const finding = desk.findings[clamp(at, desk.findings.length)];
  if (finding === undefined || desk.plan === null) return null;
  const field = finding.pointer.split('/').slice(1).join('.');
  const of = taskOfFinding(finding, desk);
  if (of !== null) return desk.tasks.some(({ id }) => id === of) ? { of, field } : null;
  const isOfPlan = finding.file === 'plan.json';
  const isSeen = placeOf(fieldsIn(planDocument(desk.plan)), field) !== null;
  return isOfPlan && isSeen ? { of, field } : null;
}

export function blockingIn({ findings }: PlanOnDesk): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'blocking');
}

/** What a comment that is written now would be on. */
export function commentOn(state: ReviewState): string | null {
  if (state.page === 'tasks') return chosenTask(state);
  if (state.page === 'fields') return state.about;
  const finding = state.desk.findings[clamp(state.finding, state.desk.findings.length)];
  return state.page === 'findings' && finding !== undefined
    ? taskOfFinding(finding, state.desk)
    : null;
}

export function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}
