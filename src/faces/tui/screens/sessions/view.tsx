import { Frame } from '../../frame.tsx';
import { Rows } from '../../rows-view.tsx';
import { row, span } from '../../rows.ts';
import type { Sessions } from '../../stage.ts';

/** Saved sessions, to go on with or to remove. */
export function SessionsScreen({ stage }: { readonly stage: Sessions }) {
  const leave = () => stage.answer(null);
  return (
    <Frame bindings={[{ keys: ['esc'], does: 'leave', run: leave }]}>
      {({ width }) => <Rows rows={[row(span('sessions'))]} width={width} />}
    </Frame>
  );
}
