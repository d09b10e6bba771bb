// Holds what the screens of one terminal remember of each question, also while the run is looked at.
import { startingChoice } from './choice-page.tsx';
import { openResultStores } from './screens/apply/state.ts';
import { openDecision } from './screens/decision/view.tsx';
import { openExecuteStores } from './screens/execute.tsx';
import { openAnswers } from './screens/questions.tsx';
import { openReviews } from './screens/review/tools.ts';
import { createStore, perQuestion } from './store.ts';

/** Opens an empty memory: each member gives the state of a screen for the question that it shows. */
export function openMemory() {
  return {
    consent: perQuestion(() => createStore(startingChoice)),
    clarify: perQuestion(openAnswers),
    decide: perQuestion(openDecision),
    approve: openReviews(),
    execute: perQuestion(openExecuteStores),
    apply: perQuestion(openResultStores),
  };
}
