import type { PlanRejected } from '../../../../model/decision.ts';
import type { PlanComment } from '../../../../model/plan-edit.ts';
import type { PlanOnDesk } from '../../../../workflow/view.ts';
import { chosenTask, clamp, documentOf, shownOrder } from './chosen.ts';
import { fieldsIn, placeOf } from './document.ts';

/** The pages that the tabs name, in their order. */
export const tabs = ['overview', 'tasks', 'findings', 'changes', 'comments'] as const;
export type Tab = (typeof tabs)[number];
type Page = Tab | 'fields' | 'write' | 'confirm' | 'mend';

/** What a text is written for. */
export type Writing =
  | { readonly kind: 'set'; readonly task: string | null; readonly field: string }
  | { readonly kind: 'add'; readonly after: string | null }
  /** The titles of the parts so far. */
  | { readonly kind: 'split'; readonly task: string; readonly titles: readonly string[] }
  /** `index` where a comment is changed that was written before. */
  | { readonly kind: 'comment'; readonly task: string | null; readonly index: number | null }
  /** Why the plan is rejected. */
  | { readonly kind: 'reject' };

/** What is asked once more before it is done. */
export type Doubt =
  | { readonly kind: 'leave' }
  | { readonly kind: 'approve' }
  | { readonly kind: 'delete'; readonly task: string }
  | { readonly kind: 'remove'; readonly task: string | null; readonly field: string }
  | { readonly kind: 'drop-comment'; readonly index: number };

/** A text from the editor that is not in the plan, because it does not fit. */
interface Draft {
  readonly file: string;
  readonly text: string;
  readonly why: string;
}

export interface ReviewState {
  readonly desk: PlanOnDesk;
  /** The rejection that stands, if one does. */
  readonly rejected: PlanRejected | null;
  readonly page: Page;
  /** Where Esc leads to, the nearest last. */
  readonly trail: readonly Page[];
  readonly asGraph: boolean;
  /** The task that is chosen; null stands for the first. */
  readonly task: string | null;
  readonly finding: number;
  readonly comment: number;
  /** Whose fields are shown; null for the plan’s own. */
  readonly about: string | null;
  readonly field: number;
  /** Rows from where the chosen one would have the page. */
  readonly scroll: number;
  readonly comments: readonly PlanComment[];
  readonly writing: Writing | null;
  /** Why the last edit was not taken. */
  readonly refused: string | null;
  readonly doubt: Doubt | null;
  /** One for each file, the latest last. */
  readonly drafts: readonly Draft[];
  /** The desk or the editor is at work: no other change begins. */
  readonly busy: boolean;
}

export type ReviewAction =
  | { readonly type: 'tab'; readonly to: Tab }
  | { readonly type: 'next-tab'; readonly by: 1 | -1 }
  | { readonly type: 'move'; readonly by: number }
  | { readonly type: 'scroll'; readonly to: number }
  | { readonly type: 'graph' }
  | { readonly type: 'fields'; readonly of: string | null; readonly field: string | null }
  | { readonly type: 'neighbour'; readonly by: 1 | -1 }
  | { readonly type: 'choose'; readonly task: string }
  | { readonly type: 'write'; readonly writing: Writing }
  /** The same page for what comes next. */
  | { readonly type: 'rewrite'; readonly writing: Writing }
  | { readonly type: 'doubt'; readonly doubt: Doubt }
  | { readonly type: 'back' }
  | { readonly type: 'busy' }
  | { readonly type: 'desk'; readonly desk: PlanOnDesk }
  | { readonly type: 'refused'; readonly why: string }
  /** The person goes on from a refusal; one of a text stays with it. */
  | { readonly type: 'heard' }
  | { readonly type: 'idle' }
  | { readonly type: 'draft'; readonly draft: Draft }
  | { readonly type: 'no-draft'; readonly file: string }
  | { readonly type: 'comments'; readonly comments: readonly PlanComment[] };

/** A revised plan comes back with what is new in it; any other begins with the overview. */
export function startingReview(
  desk: PlanOnDesk,
  rejected: PlanRejected | null = null,
): ReviewState {
  return {
    desk,
    rejected,
    page: desk.version > 1 ? 'changes' : 'overview',
    trail: [],
    asGraph: false,
    task: null,
    finding: 0,
    comment: 0,
    about: null,
    field: 0,
    scroll: 0,
    comments: [],
    writing: null,
    refused: null,
    doubt: null,
    drafts: [],
    busy: false,
  };
}

/** What a key or the desk changes. Pure. */
export function reviewReducer(state: ReviewState, action: ReviewAction): ReviewState {
  switch (action.type) {
    case 'tab':
      return { ...state, page: action.to, trail: [], scroll: 0 };
    case 'next-tab':
      return { ...state, page: tabBeside(state.page, action.by), trail: [], scroll: 0 };
    case 'move':
      return moved(state, action.by);
    case 'scroll':
      return { ...state, scroll: action.to };
    case 'graph':
      return { ...state, asGraph: !state.asGraph, scroll: 0 };
    case 'fields':
      return withFields(state, action);
    case 'neighbour':
      return withNeighbour(state, action.by);
    case 'write':
      return { ...opened(state, 'write'), writing: action.writing, refused: null };
    case 'choose':
      return { ...state, task: action.task, scroll: 0 };
    case 'rewrite':
      return { ...state, writing: action.writing, refused: null };
    case 'doubt':
      return { ...opened(state, 'confirm'), doubt: action.doubt };
    case 'back':
      return back(state);
    case 'busy':
      return { ...state, busy: true, refused: null };
    case 'desk':
      return withDesk({ ...state, busy: false }, action.desk);
    case 'refused':
      return { ...state, busy: false, refused: action.why };
    case 'heard':
      return state.page === 'write' ? state : { ...state, refused: null };
    case 'idle':
      return { ...state, busy: false };
    case 'draft':
      return withDraft({ ...state, busy: false }, action.draft);
    case 'no-draft':
      return withoutDraft({ ...state, busy: false }, action.file);
    case 'comments':
      return { ...state, comments: action.comments };
  }
}

function tabBeside(page: Page, by: 1 | -1): Tab {
  const at = tabs.findIndex((tab) => tab === page);
  return tabs[(at + by + tabs.length) % tabs.length] ?? 'overview';
}

function moved(state: ReviewState, by: number): ReviewState {
  switch (state.page) {
    case 'tasks': {
      const order = shownOrder(state);
      const at = order.indexOf(chosenTask(state) ?? '');
      return { ...state, task: order[clamp(at + by, order.length)] ?? null, scroll: 0 };
    }
    case 'findings':
      return {
        ...state,
        finding: clamp(state.finding + by, state.desk.findings.length),
        scroll: 0,
      };
    case 'comments':
      return { ...state, comment: clamp(state.comment + by, state.comments.length), scroll: 0 };
    case 'fields': {
      const { length } = fieldsIn(documentOf(state));
      return { ...state, field: clamp(clamp(state.field, length) + by, length), scroll: 0 };
    }
    case 'overview':
    case 'changes':
    case 'write':
    case 'confirm':
    case 'mend':
      return state;
  }
}

function withFields(
  state: ReviewState,
  { of, field }: { readonly of: string | null; readonly field: string | null },
): ReviewState {
  const isThere = of === null || state.desk.tasks.some(({ id }) => id === of);
  if (!isThere || state.desk.plan === null) return state;
  const open = state.page === 'fields' ? state : opened(state, 'fields');
  const shown = { ...open, about: of, task: of ?? state.task, field: 0, scroll: 0 };
  const place = field === null ? null : placeOf(fieldsIn(documentOf(shown)), field);
  return { ...shown, field: place ?? 0 };
}

function withNeighbour(state: ReviewState, by: 1 | -1): ReviewState {
  if (state.about === null) return state;
  const order = shownOrder(state);
  const of = order[clamp(order.indexOf(state.about) + by, order.length)] ?? state.about;
  return withFields(state, { of, field: null });
}

function opened(state: ReviewState, page: Page): ReviewState {
  return { ...state, page, trail: [...state.trail, state.page], scroll: 0 };
}

function back(state: ReviewState): ReviewState {
  const page = state.trail.at(-1) ?? 'overview';
  const trail = state.trail.slice(0, -1);
  return { ...state, page, trail, scroll: 0, writing: null, refused: null, doubt: null };
}

/** A task that is gone hands its place to the one that stands there now. */
function withDesk(state: ReviewState, desk: PlanOnDesk): ReviewState {
  const isThere = (id: string | null) => desk.tasks.some((task) => task.id === id);
  const chosen = chosenTask(state);
  const at = state.desk.tasks.findIndex(({ id }) => id === chosen);
  const task = isThere(chosen) ? chosen : (desk.tasks[clamp(at, desk.tasks.length)]?.id ?? null);
  const next = { ...state, desk, task, finding: clamp(state.finding, desk.findings.length) };
  const isGone = state.about !== null && !isThere(state.about);
  if (!isGone && desk.plan !== null) return next;
  const trail = next.trail.filter((page) => page !== 'fields');
  const isLost = next.page === 'fields';
  return { ...next, about: null, page: isLost ? (trail.at(-1) ?? 'tasks') : next.page, trail };
}

function withDraft(state: ReviewState, draft: Draft): ReviewState {
  const open = state.page === 'mend' ? state : opened(state, 'mend');
  return { ...open, drafts: [...othersThan(draft.file, state), draft] };
}

function withoutDraft(state: ReviewState, file: string): ReviewState {
  const left = state.page === 'mend' ? back(state) : state;
  return { ...left, drafts: othersThan(file, state) };
}

function othersThan(file: string, { drafts }: ReviewState): readonly Draft[] {
  return drafts.filter((draft) => draft.file !== file);
}
