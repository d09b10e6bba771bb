import { Frame } from '../../frame.tsx';
import { Rows } from '../../rows-view.tsx';
import { row, span } from '../../rows.ts';
import type { Start } from '../../stage.ts';

/** Asks for the task and shows who can take part. */
export function StartScreen({ stage }: { readonly stage: Start }) {
  const bindings = [
    { keys: ['esc'], does: 'leave', run: () => stage.answer(null) },
    { keys: ['enter'], does: 'start', run: () => stage.answer('Add a --json flag') },
  ];
  return (
    <Frame bindings={bindings} typing>
      {({ width }) => (
        <Rows rows={[row(span('What do you want to have done?', 'strong'))]} width={width} />
      )}
    </Frame>
  );
}
