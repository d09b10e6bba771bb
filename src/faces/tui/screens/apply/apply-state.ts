// Holds what is open over the question of a result, and what was accepted so far.
import { startingChoice } from '../../choice-page.tsx';
import type { SavedComment } from '../../../../model/plan-edit.ts';
import type { Popup } from '../../popup.tsx';
import { createStore } from '../../store.ts';
import { textField } from '../../widgets/text-field/field.ts';

/** A page over the question: the output of the checks, or a diff; null while that is read. */
type ResultSheet =
  | { readonly kind: 'output' }
  | {
      readonly kind: 'changes';
      /** The task whose changes are shown; null for the whole result. */
      readonly task: string | null;
      readonly title: string;
      readonly diff: string | null;
    };

export interface ResultState {
  readonly sheet: ResultSheet | null;
  /** The first visible row of the page; null to show the chosen line. */
  readonly top: number | null;
  /** The chosen line of a diff, by its place among those with an anchor. */
  readonly at: number;
  /** The comments that were not sent yet; null until one was written here. */
  readonly comments: readonly SavedComment[] | null;
  readonly popup: Popup | null;
  /** Why the typed text was refused. */
  readonly refused: string | null;
  /** The reasons for the tasks that were accepted now. */
  readonly accepted: Readonly<Record<string, string>>;
}

const startingResult: ResultState = {
  sheet: null,
  top: 0,
  at: 0,
  comments: null,
  popup: null,
  refused: null,
  accepted: {},
};

export function openResultStores() {
  return {
    choice: createStore(startingChoice),
    state: createStore(startingResult),
    field: createStore(textField()),
  };
}
