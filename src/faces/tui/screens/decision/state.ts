import type { CodeReviewTool, Decision, ExecutionMethod } from '../../../../model/decision.ts';
import type { Synthesis } from '../../../../model/synthesis.ts';
import type { CodeAround } from '../../ports.ts';

/** Pages in the order of the common path; the others are beside it. */
export type DecisionPage =
  | 'options'
  | 'execution'
  | 'review'
  | 'detail'
  | 'code'
  | 'agreement'
  | 'more'
  | 'constraint'
  | 'cancel';

export interface DecisionState {
  readonly page: DecisionPage;
  /** Where Esc leads to from a page beside the path. */
  readonly from: DecisionPage;
  /** Index of the solution that is looked at. */
  readonly chosen: number;
  /** First row shown. */
  readonly scroll: number;
  /** Index of the reference that is looked at. */
  readonly reference: number;
  /** The code around it; null where the file cannot be shown. */
  readonly code: CodeAround | null;
  /** Index into `executions` and `reviews`. */
  readonly execution: number;
  readonly review: number;
  readonly constraints: readonly string[];
}

/** The first is recommended. */
export const executions: readonly { readonly value: ExecutionMethod; readonly means: string }[] = [
  { value: 'Agent', means: 'an agent session carries out one task at a time' },
  { value: 'Codex', means: 'the Codex CLI carries the tasks out' },
  { value: 'Auto', means: 'chosen by how complex the plan is' },
];

export const reviews: readonly { readonly value: CodeReviewTool; readonly means: string }[] = [
  { value: 'Skip', means: 'no review by an agent' },
  { value: 'Gemini Review', means: 'the Gemini CLI reviews the changes' },
  { value: 'Codex Review', means: 'the Codex CLI reviews the changes' },
  { value: 'Agent Review', means: 'an agent session reviews the changes' },
];

export const startingDecision: DecisionState = {
  page: 'options',
  from: 'options',
  chosen: 0,
  scroll: 0,
  reference: 0,
  code: null,
  execution: 0,
  review: 0,
  constraints: [],
};

export type DecisionAction =
  | { readonly type: 'look-at'; readonly by: 1 | -1; readonly of: number }
  | { readonly type: 'scroll'; readonly to: number }
  | { readonly type: 'choose'; readonly by: 1 | -1 }
  | { readonly type: 'pick-reference'; readonly to: number; readonly scroll: number }
  | { readonly type: 'open'; readonly page: DecisionPage }
  | { readonly type: 'show-code'; readonly code: CodeAround | null }
  | { readonly type: 'add-constraint'; readonly text: string }
  | { readonly type: 'drop-constraint' }
  | { readonly type: 'next' }
  | { readonly type: 'back' };

const path: readonly DecisionPage[] = ['options', 'execution', 'review'];

/** What a key changes. Pure. */
export function decisionReducer(state: DecisionState, action: DecisionAction): DecisionState {
  switch (action.type) {
    case 'look-at': {
      const chosen = clamp(state.chosen + action.by, action.of);
      return chosen === state.chosen ? state : { ...state, chosen, reference: 0, scroll: 0 };
    }
    case 'scroll':
      return { ...state, scroll: Math.max(0, action.to) };
    case 'choose':
      return chooseMore(state, action.by);
    case 'pick-reference':
      return { ...state, reference: action.to, scroll: action.scroll };
    case 'open':
      return { ...state, page: action.page, from: state.page, scroll: 0 };
    case 'show-code':
      return { ...state, page: 'code', code: action.code };
    case 'add-constraint':
      return withConstraint(back(state), action.text);
    case 'drop-constraint':
      return { ...state, constraints: state.constraints.slice(0, -1) };
    case 'next':
      return { ...state, page: path[path.indexOf(state.page) + 1] ?? state.page, scroll: 0 };
    case 'back':
      return back(state);
  }
}

/** The decision that the state stands for. */
export function decisionOf(state: DecisionState): Extract<Decision, { kind: 'approve' }> {
  return {
    kind: 'approve',
    solution: state.chosen + 1,
    execution_method: executions[state.execution]?.value ?? 'Agent',
    code_review_tool: reviews[state.review]?.value ?? 'Skip',
    constraints: [...state.constraints],
    by: 'user',
  };
}

/** Places in the code that a solution names, in the order in which they are listed. */
export function referencesOf(
  synthesis: Synthesis,
  chosen: number,
): readonly { readonly path: string; readonly line: number }[] {
  const solution = synthesis.solutions[chosen];
  if (solution === undefined) return [];
  return [
    ...solution.affected_files.map(({ file, line }) => ({ path: file, line: line ?? 1 })),
    ...solution.claims.map(({ path: file, line, found_line: found }) => ({
      path: file,
      line: found ?? line,
    })),
  ];
}

function chooseMore(state: DecisionState, by: 1 | -1): DecisionState {
  if (state.page === 'execution') {
    return { ...state, execution: clamp(state.execution + by, executions.length) };
  }
  return { ...state, review: clamp(state.review + by, reviews.length) };
}

function back(state: DecisionState): DecisionState {
  if (state.page === 'code') return { ...state, page: 'detail' };
  const before = path[path.indexOf(state.page) - 1];
  if (path.includes(state.page)) return { ...state, page: before ?? state.page, scroll: 0 };
  return { ...state, page: state.from, scroll: 0 };
}

function withConstraint(state: DecisionState, text: string): DecisionState {
  const said = text.trim();
  return said === '' || state.constraints.includes(said)
    ? state
    : { ...state, constraints: [...state.constraints, said] };
}

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}
