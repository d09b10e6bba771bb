// Shows the question that waits for the person, and remembers what was done at each.
import { startingChoice } from '../choice-page.tsx';
import type { QuestionStage } from '../screen-state.ts';
import { createStore, perQuestion } from '../store.ts';
import { openResultStores } from './apply/apply-state.ts';
import { ApplyScreen } from './apply/apply-view.tsx';
import { ChoiceScreen } from './choice.tsx';
import { DecisionScreen, openDecision } from './decision/decision-view.tsx';
import { ExecuteScreen, openExecuteStores } from './execute.tsx';
import { QuestionsScreen, openAnswers } from './questions.tsx';
import { openReviews } from './review/review-tools.ts';
import { ReviewScreen } from './review/review-view.tsx';

/** Opens the question screens for one terminal, with what they remember. */
export function openQuestionScreen() {
  const memory = openMemory();
  return function QuestionScreen({ stage }: { readonly stage: QuestionStage }) {
    switch (stage.kind) {
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
      case 'choose':
        return <ChoiceScreen stage={stage} store={memory.choose(stage.question)} />;
    }
  };
}

/** Gives, for each kind, the state of a question’s screen; it is kept while the person looks at the run. */
function openMemory() {
  return {
    clarify: perQuestion(openAnswers),
    decide: perQuestion(openDecision),
    approve: openReviews(),
    execute: perQuestion(openExecuteStores),
    apply: perQuestion(openResultStores),
    choose: perQuestion(() => createStore(startingChoice)),
  };
}
