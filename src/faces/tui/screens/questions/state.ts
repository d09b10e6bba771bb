import type { Clarification } from '../../../../model/decision.ts';

export interface QuestionsState {
  /** Index of the question that is answered now. */
  readonly at: number;
  /** What was answered so far, in the questions' order; empty for none. */
  readonly answers: readonly string[];
  /** Asks once before all are skipped. */
  readonly isLeaving: boolean;
}

export type QuestionsAction =
  | { readonly type: 'answer'; readonly text: string; readonly of: number }
  /** What was written for this question so far stays. */
  | { readonly type: 'back'; readonly text: string }
  | { readonly type: 'stay' };

export const startingQuestions: QuestionsState = { at: 0, answers: [], isLeaving: false };

/** What a key changes. Pure. */
export function questionsReducer(state: QuestionsState, action: QuestionsAction): QuestionsState {
  switch (action.type) {
    case 'answer':
      return {
        ...state,
        answers: withAnswer(state, action.text),
        at: Math.min(state.at + 1, action.of - 1),
      };
    case 'back': {
      if (state.at === 0) return { ...state, isLeaving: true };
      return { ...state, answers: withAnswer(state, action.text), at: state.at - 1 };
    }
    case 'stay':
      return { ...state, isLeaving: false };
  }
}

export function withAnswer({ answers, at }: QuestionsState, text: string): readonly string[] {
  const all = [...answers];
  while (all.length <= at) all.push('');
  all[at] = text.trim();
  return all;
}

/** What was said; without a single answer the questions count as skipped. */
export function clarificationOf(
  questions: readonly string[],
  answers: readonly string[],
): Clarification {
  const given = questions.flatMap((question, index) => {
    const answer = answers[index] ?? '';
    return answer === '' ? [] : [{ question, answer }];
  });
  return { answers: given, feedback: '', skipped: given.length === 0, by: 'user' };
}
