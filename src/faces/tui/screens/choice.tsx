// Shows a question with a few answers, and proposes the one that leaves everything unchanged.
import { useTools } from '../tools.tsx';
import { ChoicePage, type ChoiceState } from '../choice-page.tsx';
import { useBodySize } from '../frame.tsx';
import { wrapText } from '../screen-rows.ts';
import type { QuestionStage } from '../screen-state.ts';
import type { Store } from '../store.ts';

export function ChoiceScreen({
  stage: { question, answer },
  store,
}: {
  readonly stage: QuestionStage<'choose'>;
  readonly store: Store<ChoiceState>;
}) {
  const { width } = useBodySize();
  const { session, asks, lines, choices: others, usual } = question;
  const head = wrapText(asks, { width, tone: 'strong' });
  const body = lines.flatMap((line) => wrapText(line, { width }));
  const choices = [...others, usual].map((one) => ({ ...one, run: () => answer(one.word) }));
  const { program } = useTools().ports;
  const copies = `${program} sessions show ${session}`;
  const proposed = { usual: others.length, notes: [] };
  return <ChoicePage {...{ question, store, head, body, choices, copies, ...proposed }} />;
}
