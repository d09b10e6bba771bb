import type { PlanRejected } from '../../../../model/decision.ts';
import type { Finding } from '../../../../model/finding.ts';
import type { PlanComment } from '../../../../model/plan-edit.ts';
import type { PlanOnDesk } from '../../../../workflow/view.ts';
import type { Binding } from '../../keys.ts';
import { fieldsIn, planDocument, taskDocument } from './fields.ts';
import { graphOf } from './graph.ts';

/** The pages that the tabs name, in their order. */
export const tabs = ['overview', 'tasks', 'findings', 'changes', 'comments'] as const;
export type Tab = (typeof tabs)[number];

/** A text that is being written: a field, a title, a comment, a reason. */
export interface Writing {
  readonly title: string;
  /** What was written before it in the same go: the parts of a task. */
  readonly earlier?: readonly string[];
  readonly placeholder: string;
  readonly lines: 'one' | 'many';
  /** What Enter does, in a few words. */
  readonly does: string;
  readonly accept: (text: string) => unknown;
  /** What Esc does where it does not just close the text. */
  readonly back?: () => void;
}

/** A choice of one entry; or where each entry goes. Arrows choose, Enter takes it. */
export interface Picker {
  readonly title: string;
  readonly entries: readonly string[];
  readonly at: number;
  /** Left and right change the place of an entry: `of` holds an index of `places` for each. */
  readonly sorted?: { readonly places: readonly string[]; readonly of: readonly number[] };
  readonly does: string;
  readonly accept: (picker: Picker) => unknown;
  /** What Esc does where it does not just close the choice. */
  readonly back?: () => void;
}

/** What is asked once more before it is done. */
export interface Doubt {
  readonly title: string;
  /** Paragraphs under the title. */
  readonly says: readonly {
    readonly text: string;
    readonly tone: 'plain' | 'quiet' | 'warn' | 'bad';
  }[];
  readonly keys: readonly Binding[];
}

/** A text from the editor that is not in the plan, because it does not fit. */
interface Draft {
  readonly file: string;
  readonly text: string;
}

export interface ReviewState {
  readonly desk: PlanOnDesk;
  /** The rejection that stands, if one does. */
  readonly rejected: PlanRejected | null;
  readonly page: Tab | 'fields';
  /** Where Esc leads from the fields. */
  readonly from: Tab;
  /** They stand in front of the page; one of them at most is there. */
  readonly writing: Writing | null;
  readonly doubt: Doubt | null;
  readonly picker: Picker | null;
  readonly asGraph: boolean;
  /** The task that is chosen; null where there is none. */
  readonly task: string | null;
  readonly finding: number;
  readonly comment: number;
  /** Whose fields are shown; null for the plan’s own. */
  readonly about: string | null;
  readonly field: number;
  /** Rows from where the chosen one would have the page. */
  readonly scroll: number;
  readonly comments: readonly PlanComment[];
  /** Why the last edit was not taken. */
  readonly refused: string | null;
  /** One for each file, the latest last. */
  readonly drafts: readonly Draft[];
  /** The desk or the editor is at work: no other change begins. */
  readonly busy: boolean;
}

/** With nothing in front of the page. */
export const uncovered = { writing: null, doubt: null, picker: null, refused: null } as const;

/** A revised plan comes back with what is new in it; any other begins with the overview. */
export function startingReview(
  desk: PlanOnDesk,
  rejected: PlanRejected | null = null,
): ReviewState {
  return {
    desk,
    rejected,
    page: desk.version > 1 ? 'changes' : 'overview',
    from: 'overview',
    ...uncovered,
    asGraph: false,
    task: desk.tasks[0]?.id ?? null,
    finding: 0,
    comment: 0,
    about: null,
    field: 0,
    scroll: 0,
    comments: [],
    drafts: [],
    busy: false,
  };
}

/** What a key makes of the state. */
export type Change = (state: ReviewState) => ReviewState;

/** The page of the tab at this place; after the last one comes the first. */
export function onTab(at: number): Change {
  return (state) => ({ ...state, page: tabs.at(at % tabs.length) ?? 'overview', scroll: 0 });
}

/** So many rows further, within what the page has. */
export function scrolledBy(
  rows: number,
  page: { readonly base: number; readonly most: number },
): Change {
  const { base, most } = page;
  return (state) => ({ ...state, scroll: clamp(base + state.scroll + rows, most + 1) - base });
}

/** Another choice on the page that is open, so many further. */
export function movedBy(by: number): Change {
  return (state) => {
    const { page, desk, finding, comment, comments } = state;
    const next = { ...state, scroll: 0 };
    if (page === 'tasks') return { ...next, task: taskNear(state, state.task, by) };
    if (page === 'findings') return { ...next, finding: clamp(finding + by, desk.findings.length) };
    if (page === 'comments') return { ...next, comment: clamp(comment + by, comments.length) };
    if (page !== 'fields') return state;
    const { length } = fieldsIn(shownDocument(state));
    return { ...next, field: clamp(clamp(state.field, length) + by, length) };
  };
}

/** Another entry of what is to be chosen, or with `places` another place for this one. */
export function pickedBy(by: number, places = false): Change {
  return (state) => {
    const { picker } = state;
    if (picker === null) return state;
    const { entries, at, sorted } = picker;
    if (!places) return { ...state, picker: { ...picker, at: clamp(at + by, entries.length) } };
    if (sorted === undefined) return state;
    const count = sorted.places.length;
    const of = sorted.of.with(at, ((sorted.of[at] ?? 0) + by + count) % count);
    return { ...state, picker: { ...picker, sorted: { ...sorted, of } } };
  };
}

/** The fields of a task or, with null, of the plan; at the named one, or one in or around it. */
export function withFields({ of, field }: FieldPlace): Change {
  return (state) => {
    if (state.desk.plan === null || (of !== null && !hasTask(state.desk, of))) return state;
    const from = state.page === 'fields' ? state.from : state.page;
    const open = { ...state, page: 'fields', from, about: of, task: of ?? state.task } as const;
    const at = field === null ? 0 : indexOfField(fieldsIn(shownDocument(open)), field);
    return { ...open, field: Math.max(0, at), scroll: 0 };
  };
}

interface FieldPlace {
  readonly of: string | null;
  readonly field: string | null;
}

/** The fields of the task so many further. */
export function withNeighbour(by: 1 | -1): Change {
  return (state) => {
    const of = state.about === null ? null : taskNear(state, state.about, by);
    return of === null ? state : withFields({ of, field: null })(state);
  };
}

/** One step back: what stands in front of the page first. */
export function closed(state: ReviewState): ReviewState {
  const page = state.page === 'fields' ? state.from : 'overview';
  const isCovered = [state.writing, state.doubt, state.picker].some((one) => one !== null);
  const left = { ...state, ...uncovered, scroll: 0 };
  return isCovered ? left : { ...left, page };
}

/** A task that is gone hands its place to the one that stands there now. */
export function withDesk(state: ReviewState, desk: PlanOnDesk): ReviewState {
  const { task: chosen } = state;
  const at = state.desk.tasks.findIndex(({ id }) => id === chosen);
  const task = hasTask(desk, chosen)
    ? chosen
    : (desk.tasks[clamp(at, desk.tasks.length)]?.id ?? null);
  const next = { ...state, desk, task, finding: clamp(state.finding, desk.findings.length) };
  const isShown = desk.plan !== null && (state.about === null || hasTask(desk, state.about));
  if (isShown) return next;
  return { ...next, about: null, page: next.page === 'fields' ? next.from : next.page };
}

/** Without the draft of a file, or with another one. */
export function withDraft(
  { drafts, ...state }: ReviewState,
  file: string,
  text: string | null,
): ReviewState {
  const others = drafts.filter((draft) => draft.file !== file);
  return { ...state, drafts: text === null ? others : [...others, { file, text }] };
}

/** The path that is chosen on the page of fields; null where there is none. */
export function chosenField(state: ReviewState): string | null {
  const fields = fieldsIn(shownDocument(state));
  return fields[clamp(state.field, fields.length)] ?? null;
}

/** The plan or the task whose fields are shown, as lines. */
export function shownDocument({ desk, about }: Pick<ReviewState, 'desk' | 'about'>) {
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

/** The task and the field that the chosen finding is about; null where neither can be shown. */
export function placeOfFinding({ desk, finding: at }: ReviewState): FieldPlace | null {
  const finding = desk.findings[at];
  if (finding === undefined || desk.plan === null) return null;
  const field = finding.pointer.split('/').slice(1).join('.');
  const of = taskOfFinding(finding, desk);
  if (of !== null) return hasTask(desk, of) ? { of, field } : null;
  const isShown = indexOfField(fieldsIn(planDocument(desk.plan)), field) !== -1;
  return finding.file === 'plan.json' && isShown ? { of, field } : null;
}

/** The task that is open or chosen on the page; null for the plan. */
export function taskInView(state: ReviewState): string | null {
  if (state.page === 'tasks') return state.task;
  if (state.page === 'fields') return state.about;
  const finding = state.page === 'findings' ? state.desk.findings[state.finding] : undefined;
  return finding === undefined ? null : taskOfFinding(finding, state.desk);
}

export function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}

function hasTask({ tasks }: PlanOnDesk, id: string | null): boolean {
  return tasks.some((task) => task.id === id);
}

/** The task so many places further in the order that is shown. */
function taskNear({ desk, asGraph }: ReviewState, id: string | null, by: number): string | null {
  const ids = desk.tasks.map((task) => task.id);
  const order = asGraph
    ? graphOf(desk.tasks, { width: 0, spaced: false }).flatMap(({ task }) => ids[task ?? -1] ?? [])
    : ids;
  return order[clamp(order.indexOf(id ?? '') + by, order.length)] ?? null;
}

/** Of the path itself, or the first one in or around it; -1 where there is none. */
function indexOfField(fields: readonly string[], field: string): number {
  const exact = fields.indexOf(field);
  if (exact !== -1) return exact;
  return fields.findIndex((one) => one.startsWith(`${field}.`) || field.startsWith(`${one}.`));
}
