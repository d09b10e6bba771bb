import type { Row } from '../../rows.ts';
import { codeRows } from './code-rows.ts';
import {
  type Offered,
  type Room,
  agreementRows,
  cancelRows,
  choiceRows,
  optionRows,
  scrolledRows,
} from './rows.ts';
import { solutionDetail } from './solution-rows.ts';
import { type DecisionState, referencesOf } from './state.ts';

/** A page as it is drawn, and how its keys move in it. */
export interface Page {
  readonly rows: readonly Row[];
  readonly mostScroll: number;
  /** Rows that are scrolled. */
  readonly pageHeight: number;
  /** The row of a reference; only the page of details has them. */
  readonly rowOf: (reference: number) => number;
}

/** The page that is open. */
export function decisionPage(offered: Offered, state: DecisionState, room: Room): Page {
  const { width, height } = room;
  switch (state.page) {
    case 'options':
      return { ...optionRows(offered, state, room), rowOf: () => 0 };
    case 'detail':
      return detailPage(offered, state, room);
    case 'code': {
      const place = referencesOf(offered.synthesis, state.chosen)[state.reference];
      return scrolled(place === undefined ? [] : codeRows(place, state.code), state, height);
    }
    case 'agreement':
      return scrolled(agreementRows(offered, width), state, height);
    case 'cancel':
      return scrolled(cancelRows(width), state, height);
    case 'execution':
    case 'review':
    case 'more':
    case 'constraint':
      return scrolled(choiceRows(offered, state, width), state, height);
  }
}

function detailPage({ synthesis }: Offered, state: DecisionState, { width, height }: Room): Page {
  const solution = synthesis.solutions[state.chosen];
  if (solution === undefined) return scrolled([], state, height);
  const detailOf = (picked: number) =>
    solutionDetail(solution, { number: state.chosen + 1, width, picked });
  return {
    ...scrolled(detailOf(state.reference).rows, state, height),
    rowOf: (reference) => detailOf(reference).pickedRow,
  };
}

function scrolled(rows: readonly Row[], { scroll }: DecisionState, height: number): Page {
  return { ...scrolledRows(rows, scroll, height), rowOf: () => 0 };
}
