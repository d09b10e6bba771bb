// Shows the question of a session that waits for the person.
import { openMemory } from '../memory.ts';
import type { Consent, QuestionStage } from '../state.ts';
import { ConsentScreen } from './consent.tsx';
import { ApplyScreen } from './apply/view.tsx';
import { DecisionScreen } from './decision/view.tsx';
import { ExecuteScreen } from './execute.tsx';
import { QuestionsScreen } from './questions.tsx';
import { ReviewScreen } from './review/view.tsx';

/** Opens the screens of questions for one terminal, with what they remember. */
export function openQuestionScreen() {
  const memory = openMemory();
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
