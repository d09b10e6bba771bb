// Holds the open page, the chosen option, and what the plan must keep to.
import type { Solution } from '../../../../model/synthesis.ts';
import type { Popup } from '../../popup.tsx';
import type { CodeAround, CodeLocation } from '../../ports.ts';

/** The options come first; every other page leads back to them. */
export type DecisionPage = 'options' | 'detail' | 'code' | 'agreement';

export interface DecisionState {
  readonly page: DecisionPage;
  /** Index of the chosen solution. */
  readonly chosen: number;
  /** Index of the chosen place in the code that it names. */
  readonly reference: number;
  /** The row to which the page was scrolled; null while the chosen place, or the top, is in sight. */
  readonly top: number | null;
  /** The code around that place; null where the file cannot be shown. */
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

/** A page from its top. */
export function onPage(state: DecisionState, page: DecisionPage): DecisionState {
  return { ...state, page, top: 0 };
}

/** The code of the chosen place, unless the person has left the page. */
export function withCode(state: DecisionState, code: CodeAround | null): DecisionState {
  return state.page === 'detail' ? { ...state, page: 'code', code, top: null } : state;
}

export function back(state: DecisionState): DecisionState {
  if (state.popup !== null) return { ...state, popup: null };
  return { ...state, page: state.page === 'code' ? 'detail' : 'options', top: null };
}

/** Back from where the constraint was written. */
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
