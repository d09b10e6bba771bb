import { useTui } from '../../context.ts';
import { Frame } from '../../frame.tsx';
import { Rows } from '../../rows-view.tsx';
import { wrapped } from '../../rows.ts';
import type { End } from '../../stage.ts';

/** How the session ended, and what can be done next. */
export function EndScreen({ stage }: { readonly stage: End }) {
  const end = useTui((state) => state.progress.end);
  const close = () => stage.answer(null);
  return (
    <Frame bindings={[{ keys: ['enter', 'q', 'esc', 'ctrl+c'], does: 'close', run: close }]}>
      {({ width }) => <Rows rows={wrapped(end?.message ?? '', { width })} width={width} />}
    </Frame>
  );
}
