// Shows a question with a few answers, above a scrolled text that it is about.
import { Frame, useBodySize } from './frame.tsx';
import { type Binding, decisive, key, minor, scrollKeys, useQuestionKeys } from './keys.ts';
import { choiceRow, clamp, listPage, ofItem } from './list-page.ts';
import { emptyRow, row, type Row, span } from './rows.ts';
import { createStore, perQuestion, useStore } from './store.ts';
import { useTools } from './tools.tsx';

export interface Offer {
  readonly name: string;
  readonly means: string;
  /** What Enter does with it, in a few words. */
  readonly does: string;
  readonly run: () => void;
}

interface ChoicePageProps {
  readonly question: object;
  readonly head: readonly Row[];
  /** Under the answers while the last one is chosen: what can be done later. */
  readonly notes: readonly Row[];
  /** What it is about, which is scrolled. */
  readonly body: readonly Row[];
  /** The last one leaves everything as it is. */
  readonly choices: readonly Offer[];
  /** The index of the one that is proposed. */
  readonly usual: number;
  /** Those that change what the answers mean. */
  readonly keys?: readonly Binding[];
  readonly copies: string;
}

interface ChoiceState {
  readonly chosen: number | null;
  readonly top: number | null;
}

const storesOf = perQuestion(() => createStore<ChoiceState>({ chosen: null, top: null }));

/** A question with a few answers, above what it is about. */
export function ChoicePage(props: ChoicePageProps) {
  const { question, head, notes, body, choices, usual, keys = [], copies } = props;
  const { lookAtRun } = useTools();
  const store = storesOf(question);
  const { chosen, top } = useStore(store, (now) => now);
  const at = chosen ?? usual;
  const { height } = useBodySize();
  const change = (part: Partial<ChoiceState>) => store.change((now) => ({ ...now, ...part }));
  const choose = (index: number) => () => change({ chosen: clamp(index, choices.length) });
  const answers = choices.map(({ name, means }, index) => {
    const cells = [span(`${index + 1} `, 'key'), span(name.padEnd(8)), span(means, 'quiet')];
    return choiceRow(row(...cells), index === at);
  });
  const ways = at === choices.length - 1 ? notes : [];
  const above = [...head, emptyRow, ...answers, ...ways, emptyRow];
  const page = listPage(ofItem(null, body), { top, height: Math.max(1, height - above.length) });
  const bindings = useQuestionKeys(question, [
    ...answerKeys(['enter'], choices[at]),
    ...keys,
    ...(choices.length > 1 ? [key(['down', 'j', 'tab'], 'down', choose(at + 1))] : []),
    ...(choices.length > 1 ? [key(['up', 'k'], 'up', choose(at - 1), minor)] : []),
    ...choices.map(({ name }, index) =>
      key([String(index + 1)], name.toLowerCase(), choose(index), minor),
    ),
    ...answerKeys(['esc', 'q'], choices.at(-1)),
    key(['v'], 'the run', lookAtRun),
    ...scrollKeys(page, (to) => change({ top: to })),
  ]);
  return <Frame {...{ bindings, copies }} rows={[...above, ...page.rows]} />;
}

function answerKeys(names: readonly string[], choice: Offer | undefined): readonly Binding[] {
  return choice === undefined ? [] : [key(names, choice.does, choice.run, decisive)];
}
