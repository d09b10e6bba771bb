import { Frame } from '../../frame.tsx';
import { Rows } from '../../rows-view.tsx';
import { row, span } from '../../rows.ts';
import type { Clarify } from '../../stage.ts';

/** The questions of the agents, answered in place or skipped. */
export function QuestionsScreen({ stage }: { readonly stage: Clarify }) {
  const leave = () => stage.answer({ answers: [], feedback: '', skipped: true, by: 'user' });
  return (
    <Frame bindings={[{ keys: ['esc'], does: 'leave', run: leave }]}>
      {({ width }) => <Rows rows={[row(span('questions'))]} width={width} />}
    </Frame>
  );
}
