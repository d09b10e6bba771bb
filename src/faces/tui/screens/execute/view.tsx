import { useBodySize } from '../../frame.tsx';
import type { Binding } from '../../keys.ts';
import { QuestionPage } from '../../question-page.tsx';
import type { Execute } from '../../state.ts';
import { createStore, perQuestion, useStore } from '../../store.ts';
import { useTui } from '../../tools.tsx';
import {
  answerOf,
  choiceRows,
  type ExecuteState,
  isLater,
  lineBeside,
  picked,
  startingExecute,
  workRows,
} from './page.ts';

const storesOf = perQuestion(() => createStore<ExecuteState | null>(null));

/** Whether an approved plan is carried out now, and by whom. */
export function ExecuteScreen({ stage: { question, answer } }: { readonly stage: Execute }) {
  const states = storesOf(question);
  const progress = useTui((shared) => shared.progress);
  const state = useStore(states, (now) => now) ?? startingExecute(question, progress);
  const command = `conclave execute ${progress.session ?? ''}`;
  const { width } = useBodySize();
  const change: Change = (next) => () => states.change((now) => next(now ?? state));
  const decides = { decides: true, ownPress: true };
  const does = isLater(state) ? 'leave it for later' : 'carry it out';
  const bindings: readonly Binding[] = [
    { keys: ['enter'], does, ...decides, run: () => answer(answerOf(state)) },
    ...(question.obstacle === null ? choiceKeys(change) : []),
    { keys: ['esc', 'q'], does: 'later', ...decides, run: () => answer({ kind: 'later' }) },
  ];
  const head = choiceRows({ question, state, command, width });
  const body = workRows(question, width);
  return <QuestionPage {...{ question, head, body, bindings }} copies={command} />;
}

type Change = (next: (now: ExecuteState) => ExecuteState) => () => void;

function choiceKeys(change: Change): readonly Binding[] {
  const on = (line: number) => change((now) => ({ ...now, line }));
  const pick = (by: 1 | -1) => change((now) => picked(now, by));
  const move = (by: 1 | -1) => change((now) => lineBeside(now, by));
  return [
    { keys: ['down', 'j', 'tab'], does: 'next line', run: move(1) },
    { keys: ['up', 'k', 'shift+tab'], does: 'line before', minor: true, run: move(-1) },
    { keys: ['right', 'l'], does: 'somebody else', run: pick(1) },
    { keys: ['left', 'h'], does: 'the one before', minor: true, run: pick(-1) },
    { keys: ['1'], does: 'now', minor: true, run: on(0) },
    { keys: ['2'], does: 'later', minor: true, run: on(2) },
  ];
}
