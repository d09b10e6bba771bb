import { Frame } from '../../frame.tsx';
import { Rows } from '../../rows-view.tsx';
import { row, span } from '../../rows.ts';
import type { Approve } from '../../stage.ts';

/** The plan files, to be read, changed, commented and approved. */
export function ReviewScreen({ stage }: { readonly stage: Approve }) {
  const leave = () => stage.answer({ kind: 'leave', why: 'left in the terminal UI' });
  return (
    <Frame bindings={[{ keys: ['esc'], does: 'leave', run: leave }]}>
      {({ width }) => <Rows rows={[row(span('review'))]} width={width} />}
    </Frame>
  );
}
