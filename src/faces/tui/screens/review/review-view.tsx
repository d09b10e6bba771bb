// Shows the plan files to be read, changed and approved.
import { findingText } from '../../../../model/finding.ts';
import { taskMarkdown } from '../../../../phases/planning/plan-text.ts';
import { Frame, useBodySize } from '../../frame.tsx';
import { useQuestionKeys } from '../../key-bindings.ts';
import type { QuestionStage } from '../../screen-state.ts';
import { useStore } from '../../store.ts';
import { useTools, useTui } from '../../tools.tsx';
import { reviewKeys } from './review-keys.ts';
import { pageOf } from './review-page.ts';
import type { ReviewStores } from './review-tools.ts';
import { type ReviewState, currentField, currentFinding, currentTask } from './review-state.ts';

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
  const copies = copiedFrom(state) ?? command;
  return <Frame {...{ bindings, popup, refused, busy, copies }} rows={page.rows} />;
}

/** The text of what is chosen on the page, or null. */
function copiedFrom(state: ReviewState): string | null {
  const task = currentTask(state);
  const finding = currentFinding(state);
  switch (state.page) {
    case 'fields':
      return currentField(state)?.text ?? null;
    case 'findings':
      return finding === undefined ? null : findingText(finding);
    case 'tasks':
      return task === undefined ? null : taskMarkdown(task);
    case 'overview':
    case 'changes':
    case 'comments':
      return null;
  }
}
