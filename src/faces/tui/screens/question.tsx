// Shows the question of a session that waits for the person.
import { startingChoice } from '../choice-page.tsx';
import type { Consent, QuestionStage } from '../state.ts';
import { createStore, perQuestion } from '../store.ts';
import { openResultStores } from './apply/state.ts';
import { ApplyScreen } from './apply/view.tsx';
import { ConsentScreen } from './consent.tsx';
import { DecisionScreen, openDecision } from './decision/view.tsx';
import { ExecuteScreen, openExecuteStores } from './execute.tsx';
import { openAnswers, QuestionsScreen } from './questions.tsx';
import { openReviews } from './review/tools.ts';
import { ReviewScreen } from './review/view.tsx';

/** Opens the screens of questions for one terminal. */
export function openQuestionScreen() {
  // The screens remember these for each question, also while the run is looked at.
  const memory = {
    consent: perQuestion(() => createStore(startingChoice)),
    clarify: perQuestion(openAnswers),
    decide: perQuestion(openDecision),
    approve: openReviews(),
    execute: perQuestion(openExecuteStores),
    apply: perQuestion(openResultStores),
  };
  return function QuestionScreen({ stage }: { readonly stage: Consent | QuestionStage }) {
    switch (stage.kind) {
      case 'consent':
        return <ConsentScreen stage={stage} store={memory.consent(stage.question)} />;
      case 'clarify':
        return <QuestionsScreen stage={stage} stores={memory.clarify(stage.question)} />;
      case 'decide':
        return <DecisionScreen stage={stage} stores={memory.decide(stage.question)} />;
      case 'approve':
        return <ReviewScreen stage={stage} stores={memory.approve(stage.question)} />;
      case 'execute':
        return <ExecuteScreen stage={stage} stores={memory.execute(stage.question)} />;
      case 'apply':
        return <ApplyScreen stage={stage} stores={memory.apply(stage.question)} />;
    }
  };
}
