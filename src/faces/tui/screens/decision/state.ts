import type { CodeReviewTool, Decision, ExecutionMethod } from '../../../../model/decision.ts';
import type { Synthesis } from '../../../../model/synthesis.ts';
import type { CodeAround, CodePlace } from '../../ports.ts';

/** The first three are the common path; the others lie beside it. */
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
  /** Where the page of details was scrolled when the code was opened. */
  readonly detailScroll: number;
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
  detailScroll: 0,
  execution: 0,
  review: 0,
  constraints: [],
};

const path: readonly DecisionPage[] = ['options', 'execution', 'review'];

export function lookedAt(state: DecisionState, index: number): DecisionState {
  return index === state.chosen ? state : { ...state, chosen: index, reference: 0, scroll: 0 };
}

/** The next or previous answer to the question of the page. */
export function answered(state: DecisionState, by: 1 | -1): DecisionState {
  return state.page === 'execution'
    ? { ...state, execution: within(state.execution + by, executions.length) }
    : { ...state, review: within(state.review + by, reviews.length) };
}

export function opened(state: DecisionState, page: DecisionPage): DecisionState {
  return { ...state, page, from: state.page, scroll: 0 };
}

/** The code of the place that was chosen, from its top; unless the person has left the page. */
export function withCode(state: DecisionState, code: CodeAround | null): DecisionState {
  if (state.page !== 'detail') return state;
  return { ...state, page: 'code', code, detailScroll: state.scroll, scroll: 0 };
}

export function next(state: DecisionState): DecisionState {
  return { ...state, page: path[path.indexOf(state.page) + 1] ?? state.page, scroll: 0 };
}

export function back(state: DecisionState): DecisionState {
  if (state.page === 'code') return { ...state, page: 'detail', scroll: state.detailScroll };
  if (!path.includes(state.page)) return { ...state, page: state.from, scroll: 0 };
  return { ...state, page: path[path.indexOf(state.page) - 1] ?? state.page, scroll: 0 };
}

/** Back from where it was written. */
export function withConstraint(state: DecisionState, text: string): DecisionState {
  const said = text.trim();
  const { constraints } = state;
  const isNew = said !== '' && !constraints.includes(said);
  return { ...back(state), constraints: isNew ? [...constraints, said] : constraints };
}

/** The nearest index of a list of that length. */
export function within(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
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
export function referencesOf(synthesis: Synthesis, chosen: number): readonly CodePlace[] {
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
