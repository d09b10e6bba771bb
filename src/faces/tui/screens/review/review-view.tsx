// Shows the plan files to be read, changed and approved.
import { Frame, useBodySize } from '../../frame.tsx';
import { useQuestionKeys } from '../../key-bindings.ts';
import type { QuestionStage } from '../../screen-state.ts';
import { useStore } from '../../store.ts';
import { useTools, useTui } from '../../tools.tsx';
import { reviewKeys } from './review-keys.ts';
import { pageOf } from './review-page.ts';
import type { ReviewStores } from './review-tools.ts';
import { currentLine } from './review-state.ts';

/** Shows the plan files to be read, changed, commented on and approved. */
export function ReviewScreen({
  stage,
  stores,
}: {
  readonly stage: QuestionStage<'approve'>;
  readonly stores: ReviewStores;
}) {
  const { ports, say, lookAtRun } = useTools();
  const { question, answer } = stage;
  const state = useStore(stores.state, (now) => now);
  const reviewing = { ...stores, question, answer, ports, say, lookAtRun };
  const page = pageOf(state, useBodySize());
  const bindings = useQuestionKeys(question, reviewKeys(reviewing, page));
  const session = useTui(({ progress }) => progress.session);
  const command = session === null ? null : `${ports.program} review ${session}`;
  const { popup, busy, refused } = state;
  const copies = currentLine(state)?.text ?? command;
  return <Frame {...{ bindings, popup, refused, busy, copies }} rows={page.rows} />;
}
