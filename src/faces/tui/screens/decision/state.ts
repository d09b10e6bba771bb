import type { Decision } from '../../../../model/decision.ts';
import type { Synthesis } from '../../../../model/synthesis.ts';
import type { CodeAround, CodePlace } from '../../ports.ts';

/** The first is the common path; the others lie beside it. */
export type DecisionPage =
  | 'options'
  | 'detail'
  | 'code'
  | 'agreement'
  | 'more'
  | 'constraint'
  | 'cancel';

export interface DecisionState {
  readonly page: DecisionPage;
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
  readonly constraints: readonly string[];
}

export const startingDecision: DecisionState = {
  page: 'options',
  chosen: 0,
  scroll: 0,
  reference: 0,
  code: null,
  detailScroll: 0,
  constraints: [],
};

export function lookedAt(state: DecisionState, index: number): DecisionState {
  return index === state.chosen ? state : { ...state, chosen: index, reference: 0, scroll: 0 };
}

export function opened(state: DecisionState, page: DecisionPage): DecisionState {
  return { ...state, page, scroll: 0 };
}

/** The code of the place that was chosen, from its top; unless the person has left the page. */
export function withCode(state: DecisionState, code: CodeAround | null): DecisionState {
  if (state.page !== 'detail') return state;
  return { ...state, page: 'code', code, detailScroll: state.scroll, scroll: 0 };
}

export function back(state: DecisionState): DecisionState {
  return state.page === 'code'
    ? { ...state, page: 'detail', scroll: state.detailScroll }
    : { ...state, page: 'options', scroll: 0 };
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
    // Asked when the plan is carried out.
    execution_method: 'Agent',
    code_review_tool: 'Skip',
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
