// Defines the state of the review screen, and how keys change it.
import type { PlanRejection } from '../../../../model/decision.ts';
import type { Finding } from '../../../../model/finding.ts';
import type { PlanChange, PlanComment, SavedComment } from '../../../../model/plan-edit.ts';
import type { Task } from '../../../../model/task.ts';
import { unsentIn } from '../../../../phases/planning/comments.ts';
import type { PlanOnDesk, ReadingNews } from '../../../../workflow/view-port.ts';
import type { Popup } from '../../popup.tsx';
import { type Block, blockAt, listAnchors } from '../../../../model/document.ts';
import { documentRows } from '../../document-rows.ts';
import { clamp } from '../../list-page.ts';
import { type FieldLine, planOutline, taskOutline } from './plan-fields.ts';

/** The pages that have tabs, in order. */
export const tabs = ['overview', 'tasks', 'findings', 'changes', 'comments'] as const;
export type Tab = (typeof tabs)[number];

export interface ReviewState {
  readonly desk: PlanOnDesk;
  /** The rejection in force, if there is one. */
  readonly rejected: PlanRejection | null;
  /** Agents that are reading the plan now. */
  readonly waitsFor: readonly string[];
  /** The author of the plan, if it can answer the findings, else null. */
  readonly replier: string | null;
  readonly page: Tab | 'fields';
  /** The tab from which the fields were opened, and to which Esc returns. */
  readonly from: Tab;
  /** Index of the chosen item on each page. */
  readonly at: Readonly<Record<ReviewState['page'], number>>;
  /** The task whose fields are shown; null for the plan. */
  readonly about: string | null;
  readonly asGraph: boolean;
  /** The anchors of the parts of the plan that were opened or closed. */
  readonly toggled: ReadonlySet<string>;
  /** The versions that are compared, and how they differ; null for the present one and the one before. */
  readonly compared: { readonly title: string; readonly changes: readonly PlanChange[] } | null;
  /** The first row after scrolling; null while the chosen item is visible. */
  readonly top: number | null;
  readonly popup: Popup | null;
  /** Why the last edit was refused. */
  readonly refused: string | null;
  /** The comments that were not sent yet. */
  readonly comments: readonly SavedComment[];
  /** True while the desk or the editor is at work: keys wait for it. */
  readonly busy: boolean;
}

/** Makes the first state: a plan that a person sent back opens with its changes, any other with the overview. */
export function startingReview(
  desk: PlanOnDesk,
  rejected: PlanRejection | null = null,
): ReviewState {
  return {
    desk,
    rejected,
    waitsFor: [],
    replier: null,
    page: desk.version > (desk.reading?.version ?? 1) ? 'changes' : 'overview',
    from: 'overview',
    at: { overview: 0, tasks: 0, findings: 0, changes: 0, comments: 0, fields: 0 },
    about: null,
    asGraph: false,
    toggled: new Set(),
    compared: null,
    top: null,
    popup: null,
    refused: null,
    comments: unsentIn(desk.comments, 'plan'),
    busy: false,
  };
}

/** Takes in news of the reading by others. */
export function withNews(
  state: ReviewState,
  { reading, waitsFor, asksAuthor }: ReadingNews,
  author: string,
): ReviewState {
  const desk = { ...state.desk, reading };
  return { ...state, desk, waitsFor, replier: asksAuthor ? author : null };
}

/** A change of the state by a key. */
export type Change = (state: ReviewState) => ReviewState;

/** Opens the page of the tab with this index; the first one follows the last. */
export function openTab(index: number): Change {
  return (state) => ({
    ...state,
    compared: null,
    page: tabs.at(index % tabs.length) ?? 'overview',
    top: null,
  });
}

/** Moves to another item of the open page; `items` are the indexes in the order shown. */
export function moveBy(by: number, items: readonly number[]): Change {
  return (state) => {
    const { page, at } = state;
    const place = items.indexOf(clamp(at[page], items.length));
    const next = items[clamp(place + by, items.length)] ?? 0;
    return { ...state, at: { ...at, [page]: next }, top: null };
  };
}

/** Opens the fields of a task or, with null, of the plan; at this path, or one in or around it. */
export function withFields(about: string | null, path = ''): Change {
  return (state) => {
    const from = state.page === 'fields' ? state.from : state.page;
    const task = state.desk.tasks.findIndex(({ id }) => id === about);
    const paths = fieldLines({ ...state, about }).flatMap((line) => line.path ?? []);
    const near = (one: string) => one.startsWith(`${path}.`) || path.startsWith(`${one}.`);
    const field = paths.includes(path) ? paths.indexOf(path) : paths.findIndex(near);
    const tasks = task === -1 ? state.at.tasks : task;
    const at = { ...state.at, fields: Math.max(0, field), tasks };
    return { ...state, page: 'fields', from, about, at, top: null };
  };
}

/** Goes one step back: closes what is open over the page first. */
export function closeOne(state: ReviewState): ReviewState {
  const left = { ...state, popup: null, refused: null, top: null, compared: null };
  if (state.popup !== null) return left;
  return { ...left, page: state.page === 'fields' ? state.from : 'overview' };
}

/** Takes in the current files. A new task is chosen, or else the previous one, if it still exists. */
export function withDesk(state: ReviewState, desk: PlanOnDesk): ReviewState {
  const before = state.desk.tasks.map(({ id }) => id);
  const added = desk.tasks.findIndex(({ id }) => !before.includes(id));
  const same = desk.tasks.findIndex(({ id }) => id === currentTask(state)?.id);
  const task = [added, same, state.at.tasks].find((index) => index !== -1) ?? 0;
  const comments = unsentIn(desk.comments, 'plan');
  const next = { ...state, desk, comments, at: { ...state.at, tasks: task } };
  const hasFields = fieldLines(next).length > 0;
  return hasFields || state.page !== 'fields' ? next : { ...next, page: state.from };
}

export function currentTask({ desk, at }: ReviewState): Task | undefined {
  return desk.tasks[clamp(at.tasks, desk.tasks.length)];
}

/** The lines of the plan on the overview that can be chosen: all that is open. */
export function overviewLines({ desk: { document }, toggled }: ReviewState): readonly string[] {
  const rows = documentRows(document?.blocks ?? [], { width: 80, toggled });
  return [...new Set(rows.flatMap(({ anchor }) => anchor ?? []))];
}

/** The chosen line on the overview: what a comment hangs on, with its text. */
export function currentLine(
  state: ReviewState,
): Required<Pick<PlanComment, 'anchor' | 'quote'>> | undefined {
  const { desk, at } = state;
  const lines = overviewLines(state);
  const chosen = lines[clamp(at.overview, lines.length)];
  const line = listAnchors(desk.document?.blocks ?? []).find(({ anchor }) => anchor === chosen);
  return line === undefined ? undefined : { anchor: line.anchor, quote: line.text };
}

/** Opens or closes the part of the plan that the chosen line heads or stands in. */
export const toggleFold: Change = (state) => {
  const { anchor = '' } = currentLine(state) ?? {};
  const part = sectionsAround(state.desk.document?.blocks ?? [], anchor).at(-1);
  if (part === undefined) return state;
  const toggled = new Set(state.toggled);
  if (!toggled.delete(part)) toggled.add(part);
  const next = { ...state, toggled, top: null };
  return { ...next, at: { ...state.at, overview: Math.max(0, overviewLines(next).indexOf(part)) } };
};

/** The anchors of the sections that a line heads or stands in, the innermost last. */
function sectionsAround(blocks: readonly Block[], anchor: string): readonly string[] {
  for (const block of blocks) {
    const inner = sectionsAround(block.blocks, anchor);
    const isHere = block.anchor === anchor || inner.length > 0 || hasLine(block, anchor);
    if (isHere) return block.kind === 'section' ? [block.anchor, ...inner] : inner;
  }
  return [];
}

function hasLine({ blocks }: Block, anchor: string): boolean {
  return blockAt(blocks, anchor) !== undefined;
}

export function currentFinding({ desk, at }: ReviewState): Finding | undefined {
  return desk.findings[clamp(at.findings, desk.findings.length)];
}

/** The chosen line on the page of fields. */
export function currentField(state: ReviewState): FieldLine | undefined {
  const lines = fieldLines(state).filter(({ path }) => path !== null);
  return lines[clamp(state.at.fields, lines.length)];
}

/** The plan or the task whose fields are shown; undefined if it was removed. */
export function objectInView({ desk, about }: ReviewState): unknown {
  return about === null ? (desk.plan ?? undefined) : desk.tasks.find(({ id }) => id === about);
}

/** The object in view as lines of its fields. */
export function fieldLines({ desk, about }: ReviewState): readonly FieldLine[] {
  if (about === null) return desk.plan === null ? [] : planOutline(desk.plan);
  const task = desk.tasks.find(({ id }) => id === about);
  return task === undefined ? [] : taskOutline(task);
}

/** The task that a finding is about; null for the plan. */
export function taskOfFinding({ file, pointer }: Finding, { plan }: PlanOnDesk): string | null {
  const [, id] = /^\.task\/(.+)\.json$/.exec(file) ?? [];
  const [, index] = /^\/task_ids\/(\d+)$/.exec(pointer) ?? [];
  return id ?? (index === undefined ? null : (plan?.task_ids[Number(index)] ?? null));
}

/** Opens the field that a finding is about; null if it is in no file that can be shown. */
export function toFinding({ desk }: ReviewState, finding: Finding): Change | null {
  const task = taskOfFinding(finding, desk);
  const isPlan = task === null && finding.file === 'plan.json' && desk.plan !== null;
  const isShown = isPlan || desk.tasks.some(({ id }) => id === task);
  return isShown ? withFields(task, finding.pointer.slice(1).replaceAll('/', '.')) : null;
}

/** The task that is open or chosen on the page; null for the plan. */
export function taskInView(state: ReviewState): string | null {
  if (state.page === 'tasks') return currentTask(state)?.id ?? null;
  if (state.page === 'fields') return state.about;
  if (state.page === 'overview') {
    const { anchor = '' } = currentLine(state) ?? {};
    return (
      state.desk.tasks.find(({ id }) => anchor === id || anchor.startsWith(`${id}.`))?.id ?? null
    );
  }
  const finding = state.page === 'findings' ? currentFinding(state) : undefined;
  return finding === undefined ? null : taskOfFinding(finding, state.desk);
}
