// Shows what a session of somebody else would run, and asks whether it is adopted.
import { useTools } from '../tools.tsx';
import { ChoicePage, type ChoiceState } from '../choice-page.tsx';
import { useBodySize } from '../frame.tsx';
import { wrapText } from '../rows.ts';
import type { Adopt } from '../state.ts';
import type { Store } from '../store.ts';

/** Proposes to leave the session as it is. */
export function AdoptScreen({
  stage: { question, answer },
  store,
}: {
  readonly stage: Adopt;
  readonly store: Store<ChoiceState>;
}) {
  const { width } = useBodySize();
  const head = wrapText(`${question.why} Adopt it?`, { width, tone: 'strong' });
  const body = question.lines.flatMap((line) => wrapText(line, { width }));
  const choices = [
    {
      name: 'Adopt',
      means: 'it goes on as your own session',
      does: 'adopt it',
      run: () => answer(true),
    },
    {
      name: 'Leave',
      means: 'nothing of it runs',
      does: 'leave it',
      run: () => answer(false),
    },
  ];
  const { program } = useTools().ports;
  const copies = `${program} sessions show ${question.session}`;
  return <ChoicePage {...{ question, store, head, body, choices, copies }} notes={[]} usual={1} />;
}
