// Shows the question that waits for the person, and remembers what was done at each.
import { executeForm } from '../../execution-forms.ts';
import { chooseForm } from '../../question-forms.ts';
import type { QuestionProps, QuestionStage } from '../screen-state.ts';
import { perQuestion } from '../store.ts';
import { useTools, useTui } from '../tools.tsx';
import { openResultStores } from './apply/apply-keys.ts';
import { ApplyScreen } from './apply/apply-view.tsx';
import { DecisionScreen, openDecision } from './decision/decision-view.tsx';
import { FormScreen, openForm } from './form-screen.tsx';
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
        return <ExecuteScreen stage={stage} stores={memory.form(stage.question)} />;
      case 'apply':
        return <ApplyScreen stage={stage} stores={memory.apply(stage.question)} />;
      case 'choose':
        return <ChoiceScreen stage={stage} stores={memory.form(stage.question)} />;
    }
  };
}

/** Asks whether an approved plan is executed now, and by which agent. */
function ExecuteScreen({ stage, stores }: QuestionProps<'execute', typeof openForm>) {
  const { session, isApprovedNow } = useTui(({ progress }) => progress);
  const { program } = useTools().ports;
  const asked = executeForm(stage.question, { session: session ?? '', isApprovedNow, program });
  const copies = `${program} execute ${session}`;
  return <FormScreen {...stage} {...{ asked, copies }} store={stores} />;
}

/** Shows a question with a few answers. */
function ChoiceScreen({ stage, stores }: QuestionProps<'choose', typeof openForm>) {
  const { program } = useTools().ports;
  const copies = `${program} sessions show ${stage.question.session}`;
  return (
    <FormScreen {...stage} asked={chooseForm(stage.question)} copies={copies} store={stores} />
  );
}

/** Gives, for each kind, the state of a question’s screen; it is kept while the person looks at the run. */
function openMemory() {
  return {
    clarify: perQuestion(openAnswers),
    decide: perQuestion(openDecision),
    approve: openReviews(),
    apply: perQuestion(openResultStores),
    form: perQuestion(openForm),
  };
}
