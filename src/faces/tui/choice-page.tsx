// Shows a question with a few answers, above the scrolled text that it is about.
import { Frame, useBodySize } from './frame.tsx';
import {
  type Binding,
  decisiveKey,
  key,
  minorKey,
  scrollKeys,
  useQuestionKeys,
} from './key-bindings.ts';
import { choiceRow, clamp, listPage, rowsOfItem } from './list-page.ts';
import { emptyRow, row, type Row, span } from './screen-rows.ts';
import { type Store, useStore } from './store.ts';
import { useTools } from './tools.tsx';

export interface Offer {
  readonly name: string;
  readonly means: string;
  /** A few words for what Enter does with it. */
  readonly does: string;
  readonly run: () => void;
}

interface ChoicePageProps {
  readonly question: object;
  readonly store: Store<ChoiceState>;
  readonly head: readonly Row[];
  /** Rows under the answers while the last one is chosen, on what can be done later. */
  readonly notes: readonly Row[];
  /** The text that the question is about, which is scrolled. */
  readonly body: readonly Row[];
  /** The answers; the last one leaves everything unchanged. */
  readonly choices: readonly Offer[];
  /** The index of the proposed answer. */
  readonly usual: number;
  /** Keys that change what the answers mean. */
  readonly keys?: readonly Binding[];
  readonly copies: string;
}

/** The chosen answer, and the first visible row of the text; null until a key moved it. */
export interface ChoiceState {
  readonly chosen: number | null;
  readonly top: number | null;
}

export const startingChoice: ChoiceState = { chosen: null, top: null };

/** Shows a question with a few answers, above what it is about. */
export function ChoicePage(props: ChoicePageProps) {
  const { question, store, head, notes, body, choices, usual, keys = [], copies } = props;
  const { lookAtRun } = useTools();
  const { chosen, top } = useStore(store, (now) => now);
  const at = chosen ?? usual;
  const { height } = useBodySize();
  const change = (part: Partial<ChoiceState>) => store.change((now) => ({ ...now, ...part }));
  const choose = (index: number) => () => change({ chosen: clamp(index, choices.length) });
  const widest = Math.max(7, ...choices.map(({ name }) => name.length));
  const answers = choices.map(({ name, means }, index) => {
    const shown = span(name.padEnd(widest + 1));
    const cells = [span(`${index + 1} `, 'key'), shown, span(means, 'quiet')];
    return choiceRow(row(...cells), index === at);
  });
  const ways = at === choices.length - 1 ? notes : [];
  const above = [...head, emptyRow, ...answers, ...ways, emptyRow];
  const page = listPage(rowsOfItem(null, body), {
    top,
    height: Math.max(1, height - above.length),
  });
  const bindings = useQuestionKeys(question, [
    ...answerKeys(['enter'], choices[at]),
    ...keys,
    ...(choices.length > 1 ? [key(['down', 'j', 'tab'], 'down', choose(at + 1))] : []),
    ...(choices.length > 1 ? [key(['up', 'k'], 'up', choose(at - 1), minorKey)] : []),
    ...choices.map(({ name }, index) =>
      key([String(index + 1)], name.toLowerCase(), choose(index), minorKey),
    ),
    ...answerKeys(['esc', 'q'], choices.at(-1)),
    key(['v'], 'the run', lookAtRun),
    ...scrollKeys(page, (to) => change({ top: to })),
  ]);
  return <Frame {...{ bindings, copies }} rows={[...above, ...page.rows]} />;
}

function answerKeys(names: readonly string[], choice: Offer | undefined): readonly Binding[] {
  return choice === undefined ? [] : [key(names, choice.does, choice.run, decisiveKey)];
}
