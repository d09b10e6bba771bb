import { useBodySize } from '../../frame.tsx';
import type { Binding } from '../../keys.ts';
import { QuestionPage } from '../../question-page.tsx';
import type { Apply } from '../../state.ts';
import { createStore, perQuestion, useStore } from '../../store.ts';
import { useTui } from '../../tools.tsx';
import { applyChoiceRows, isWhole, resultRows } from './rows.ts';

const storesOf = perQuestion(() => createStore<boolean | null>(null));

/** What was carried out, and whether it is brought home now. */
export function ApplyScreen({ stage: { question, answer } }: { readonly stage: Apply }) {
  const choice = storesOf(question);
  const applies = useStore(choice, (now) => now) ?? isWhole(question);
  const session = useTui(({ progress }) => progress.session ?? '');
  const { width } = useBodySize();
  const choose = (next: boolean) => () => choice.change(() => next);
  const decides = { decides: true, ownPress: true };
  const does = applies ? 'apply it' : 'keep it on its branch';
  const bindings: readonly Binding[] = [
    { keys: ['enter'], does, ...decides, run: () => answer(applies) },
    { keys: ['down', 'up', 'j', 'k', 'tab'], does: 'the other one', run: choose(!applies) },
    { keys: ['1'], does: 'apply', minor: true, run: choose(true) },
    { keys: ['2'], does: 'keep', minor: true, run: choose(false) },
    { keys: ['esc', 'q'], does: 'keep it for now', ...decides, run: () => answer(false) },
  ];
  const head = applyChoiceRows(question, { applies, session, width });
  const body = resultRows(question, width);
  const copies = `conclave execute ${session} --apply`;
  return <QuestionPage {...{ question, head, body, bindings, copies }} />;
}
