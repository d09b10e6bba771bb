import { useTui } from '../../context.ts';
import { Frame } from '../../frame.tsx';
import { Rows } from '../../rows-view.tsx';
import { row, span } from '../../rows.ts';

/** What happens now: a pane for each agent, and what the rounds brought. */
export function RunScreen() {
  const progress = useTui((state) => state.progress);
  return (
    <Frame bindings={[]}>
      {({ width }) => <Rows rows={[row(span(progress.phase ?? 'starting'))]} width={width} />}
    </Frame>
  );
}
