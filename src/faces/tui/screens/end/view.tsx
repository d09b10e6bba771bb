import { useTui } from '../../context.ts';
import { Frame } from '../../frame.tsx';
import { Rows } from '../../rows-view.tsx';
import type { End } from '../../stage.ts';
import { endRows } from './rows.ts';

/** How the session ended, and what can be done next. */
export function EndScreen({ stage }: { readonly stage: End }) {
  const progress = useTui((state) => state.progress);
  const close = () => stage.answer(null);
  return (
    <Frame bindings={[{ keys: ['enter', 'q', 'esc', 'ctrl+c'], does: 'close', run: close }]}>
      {({ width, height }) => (
        <Rows rows={endRows(progress, width).slice(0, height)} width={width} />
      )}
    </Frame>
  );
}
