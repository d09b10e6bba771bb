// Shows what would be done to a session, and asks whether it may be.
import { useTools } from '../tools.tsx';
import { ChoicePage, type ChoiceState } from '../choice-page.tsx';
import { useBodySize } from '../frame.tsx';
import { wrapText } from '../rows.ts';
import type { Consent } from '../state.ts';
import type { Store } from '../store.ts';

/** Proposes to leave the session as it is. */
export function ConsentScreen({
  stage: { question, answer },
  store,
}: {
  readonly stage: Consent;
  readonly store: Store<ChoiceState>;
}) {
  const { width } = useBodySize();
  const { session, asks, lines, yes, no } = question;
  const head = wrapText(asks, { width, tone: 'strong' });
  const body = lines.flatMap((line) => wrapText(line, { width }));
  const choices = [
    { ...yes, run: () => answer(true) },
    { ...no, run: () => answer(false) },
  ];
  const { program } = useTools().ports;
  const copies = `${program} sessions show ${session}`;
  return <ChoicePage {...{ question, store, head, body, choices, copies }} notes={[]} usual={1} />;
}
