import { Frame, useBodySize } from './frame.tsx';
import { type Binding, scrollKeys, useQuestionKeys } from './keys.ts';
import { emptyRow, type Row, scrolledTo } from './rows.ts';
import { createStore, perQuestion, useStore } from './store.ts';
import { Rows, useTools } from './tools.tsx';

/** What is asked, above what it is about, which is scrolled. */
interface QuestionPageProps {
  readonly question: object;
  readonly head: readonly Row[];
  readonly body: readonly Row[];
  /** Those that decide first. */
  readonly bindings: readonly Binding[];
  readonly copies: string;
}

const topOf = perQuestion(() => createStore(0));

export function QuestionPage({ question, head, body, bindings, copies }: QuestionPageProps) {
  const { store } = useTools();
  const scrolled = topOf(question);
  const { width, height } = useBodySize();
  const room = Math.max(1, height - head.length - 1);
  const most = Math.max(0, body.length - room);
  const top = Math.min(
    most,
    useStore(scrolled, (now) => now),
  );
  const scroll = (by: number) => scrolled.change(() => Math.max(0, Math.min(top + by, most)));
  const look = () => store.change((shared) => ({ ...shared, besides: 'run' }));
  const all: readonly Binding[] = [
    ...bindings,
    { keys: ['v'], does: 'the run', run: look },
    ...(most > 0 ? scrollKeys(scroll, Math.max(1, room - 2)) : []),
  ];
  const rows = [...head, emptyRow, ...scrolledTo(body, top, room)];
  return (
    <Frame bindings={useQuestionKeys(question, all)} copies={copies}>
      {() => <Rows rows={rows} width={width} />}
    </Frame>
  );
}
