import type { Solution } from '../../../../model/synthesis.ts';
import type { CodeAround, CodePlace } from '../../ports.ts';

/** The options come first; every other page leads back to them. */
type DecisionPage = 'options' | 'detail' | 'code' | 'agreement' | 'more' | 'constraint' | 'cancel';

export interface DecisionState {
  readonly page: DecisionPage;
  /** Index of the chosen solution. */
  readonly chosen: number;
  /** Index of the chosen place in the code that it names. */
  readonly reference: number;
  /** Rows from where the chosen place, or the top, is in sight. */
  readonly scroll: number;
  /** The code around that place; null where the file cannot be shown. */
  readonly code: CodeAround | null;
  readonly constraints: readonly string[];
}

export const startingDecision: DecisionState = {
  page: 'options',
  chosen: 0,
  reference: 0,
  scroll: 0,
  code: null,
  constraints: [],
};

/** A page from its top. */
export function onPage(state: DecisionState, page: DecisionPage): DecisionState {
  return { ...state, page, scroll: -1_000_000 };
}

/** The code of the chosen place, unless the person has left the page. */
export function withCode(state: DecisionState, code: CodeAround | null): DecisionState {
  return state.page === 'detail' ? { ...state, page: 'code', code, scroll: 0 } : state;
}

export function back(state: DecisionState): DecisionState {
  return { ...state, page: state.page === 'code' ? 'detail' : 'options', scroll: 0 };
}

/** Back from where the constraint was written. */
export function withConstraint(state: DecisionState, text: string): DecisionState {
  const constraints = new Set([...state.constraints, text.trim()].filter((one) => one !== ''));
  return { ...back(state), constraints: [...constraints] };
}

/** The places in the code that a solution names, in the order in which they are listed. */
export function referencesOf(solution: Solution | undefined): readonly CodePlace[] {
  const { affected_files: files = [], claims = [] } = solution ?? {};
  return [
    ...files.map(({ file, line }) => ({ path: file, line: line ?? 1 })),
    ...claims.map(({ path, line, found_line: found }) => ({ path, line: found ?? line })),
  ];
}
