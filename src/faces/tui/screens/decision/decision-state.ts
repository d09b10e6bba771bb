// Holds the open page, the chosen option, and the constraint for the plan.
import type { Solution } from '../../../../model/synthesis.ts';
import type { Popup } from '../../popup.tsx';
import type { CodeAround, CodeLocation } from '../../ports.ts';

/** The pages; the options come first, and every other page leads back to them. */
export type DecisionPage = 'options' | 'detail' | 'code' | 'agreement';

export interface DecisionState {
  readonly page: DecisionPage;
  /** Index of the chosen solution. */
  readonly chosen: number;
  /** Index of the chosen place in the code that it names. */
  readonly reference: number;
  /** The first row after scrolling; null while the chosen place, or the top, is visible. */
  readonly top: number | null;
  /** The code around that place; null if the file cannot be shown. */
  readonly code: CodeAround | null;
  readonly constraints: readonly string[];
  readonly popup: Popup | null;
}

export const startingDecision: DecisionState = {
  page: 'options',
  chosen: 0,
  reference: 0,
  top: null,
  code: null,
  constraints: [],
  popup: null,
};

/** Opens a page at its top. */
export function openPage(state: DecisionState, page: DecisionPage): DecisionState {
  return { ...state, page, top: 0 };
}

/** Sets the code of the chosen place, unless the person has left the page. */
export function withCode(state: DecisionState, code: CodeAround | null): DecisionState {
  return state.page === 'detail' ? { ...state, page: 'code', code, top: null } : state;
}

export function back(state: DecisionState): DecisionState {
  if (state.popup !== null) return { ...state, popup: null };
  return { ...state, page: state.page === 'code' ? 'detail' : 'options', top: null };
}

/** Returns from the field of the constraint. */
export function withConstraint(state: DecisionState, text: string): DecisionState {
  const constraints = new Set([...state.constraints, text.trim()].filter((one) => one !== ''));
  return { ...back(state), constraints: [...constraints] };
}

/** The places in the code that a solution names, in the order in which they are listed. */
export function referencesOf(solution: Solution | undefined): readonly CodeLocation[] {
  const { affected_files: files = [], claims = [] } = solution ?? {};
  return [
    ...files.map(({ file, line }) => ({ path: file, line: line ?? 1 })),
    ...claims.map(({ path, line, found_line: found }) => ({ path, line: found ?? line })),
  ];
}
