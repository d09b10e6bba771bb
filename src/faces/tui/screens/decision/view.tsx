import { Frame } from '../../frame.tsx';
import { Rows } from '../../rows-view.tsx';
import { row, span } from '../../rows.ts';
import type { Decide } from '../../stage.ts';

/** The options side by side, and the decision. */
export function DecisionScreen({ stage }: { readonly stage: Decide }) {
  const leave = () => stage.answer({ kind: 'cancel', by: 'user' });
  return (
    <Frame bindings={[{ keys: ['esc'], does: 'leave', run: leave }]}>
      {({ width }) => <Rows rows={[row(span('decision'))]} width={width} />}
    </Frame>
  );
}
