// Shows the question of a session that waits for the person.
import type { Stage } from '../state.ts';
import { ApplyScreen } from './apply.tsx';
import { DecisionScreen } from './decision/view.tsx';
import { ExecuteScreen } from './execute.tsx';
import { QuestionsScreen } from './questions.tsx';
import { ReviewScreen } from './review/view.tsx';

type QuestionStage = Extract<
  Stage,
  { readonly kind: 'clarify' | 'decide' | 'approve' | 'execute' | 'apply' }
>;

export function QuestionScreen({ stage }: { readonly stage: QuestionStage }) {
  switch (stage.kind) {
    case 'clarify':
      return <QuestionsScreen stage={stage} />;
    case 'decide':
      return <DecisionScreen stage={stage} />;
    case 'approve':
      return <ReviewScreen stage={stage} />;
    case 'execute':
      return <ExecuteScreen stage={stage} />;
    case 'apply':
      return <ApplyScreen stage={stage} />;
  }
}
