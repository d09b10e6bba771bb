import { Frame, useBodySize } from '../../frame.tsx';
import { useQuestionKeys, useUnheldKeys } from '../../keys.ts';
import { Rows } from '../../rows-view.tsx';
import type { Approve } from '../../state.ts';
import { useStore } from '../../store.ts';
import { useTools } from '../../tools.tsx';
import { reviewKeys } from './keys.ts';
import { pageOf } from './page.ts';
import { questionRows } from './question-rows.ts';
import { keptFor, type Reviewing } from './reviewing.ts';
import { WrittenPage } from './written.tsx';

/** The plan files, to be read, changed, commented and approved. */
export function ReviewScreen({ stage }: { readonly stage: Approve }) {
  const { store, ports } = useTools();
  const { question, answer } = stage;
  const kept = keptFor(question, ports);
  const state = useStore(kept.state, (now) => now);
  const reviewing: Reviewing = {
    ...kept,
    question,
    answer,
    ports,
    say: (notice) =>
      store.change((shared) => (shared.notice === notice ? shared : { ...shared, notice })),
    lookAtRun: () => store.change((shared) => ({ ...shared, besides: 'run' })),
  };
  const page = pageOf(state, useBodySize());
  const bindings = useUnheldKeys(useQuestionKeys(question, reviewKeys(reviewing, page)));
  return (
    <Frame bindings={bindings} typing={state.page === 'write'}>
      {(body) => {
        if (state.page === 'write') {
          return <WrittenPage reviewing={reviewing} state={state} body={body} />;
        }
        const asked = questionRows(state, body.width)?.slice(0, body.height);
        return <Rows rows={asked ?? page.rows} width={body.width} />;
      }}
    </Frame>
  );
}
