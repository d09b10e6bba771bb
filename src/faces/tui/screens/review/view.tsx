import { type Body, Frame, useBodySize } from '../../frame.tsx';
import { useQuestionKeys, useUnheldKeys } from '../../keys.ts';
import type { Approve } from '../../state.ts';
import { useStore } from '../../store.ts';
import { Rows, useTools } from '../../tools.tsx';
import { emptyRow, row, span, wrapped } from '../../rows.ts';
import { marks } from '../../theme.ts';
import { TextFieldView } from '../../widgets/text-field/view.tsx';
import { reviewKeys } from './keys.ts';
import { doubtRows } from './page-rows.ts';
import { pageOf } from './page.ts';
import { type Reviewing, storesFor } from './reviewing.ts';
import type { ReviewState, Writing } from './state.ts';

/** The plan files, to be read, changed, commented and approved. */
export function ReviewScreen({ stage }: { readonly stage: Approve }) {
  const { store, ports } = useTools();
  const { question, answer } = stage;
  const stores = storesFor(question, ports);
  const state = useStore(stores.state, (now) => now);
  const reviewing: Reviewing = {
    ...stores,
    question,
    answer,
    ports,
    say: (text, tone) => {
      const notice = text === '' ? null : row(span(text, tone));
      store.change((shared) => (shared.notice === notice ? shared : { ...shared, notice }));
    },
    lookAtRun: () => store.change((shared) => ({ ...shared, besides: 'run' })),
  };
  const page = pageOf(state, useBodySize());
  const bindings = useUnheldKeys(useQuestionKeys(question, reviewKeys(reviewing, page)));
  const { writing, doubt, refused } = state;
  return (
    <Frame bindings={bindings} typing={writing !== null}>
      {(body) => {
        const { width, height } = body;
        if (writing !== null) return <WritingPage {...{ reviewing, state, writing, body }} />;
        if (doubt === null) return <Rows rows={page.rows} width={width} />;
        return <Rows rows={doubtRows(doubt, { refused, width }).slice(0, height)} width={width} />;
      }}
    </Frame>
  );
}

/** A text that is written; what is refused stays, with the reason. */
function WritingPage({
  reviewing,
  state,
  writing,
  body,
}: {
  readonly reviewing: Reviewing;
  readonly state: ReviewState;
  readonly writing: Writing;
  readonly body: Body;
}) {
  const { width, height, active } = body;
  const { title, earlier = [], lines, placeholder } = writing;
  const head = [
    ...wrapped(title, { width, tone: 'strong' }),
    emptyRow,
    ...earlier.flatMap((text, index) =>
      wrapped(`${marks.done} ${index + 1}. ${text}`, { width, tone: 'quiet' }),
    ),
    ...(earlier.length === 0 ? [] : [emptyRow]),
  ];
  const why = state.refused === null ? [] : wrapped(state.refused, { width, tone: 'bad' });
  return (
    <>
      <Rows rows={head} width={width} />
      <TextFieldView
        field={reviewing.field}
        active={active && !state.busy}
        width={width}
        height={Math.max(1, height - head.length - why.length - 1)}
        lines={lines}
        placeholder={placeholder}
      />
      <Rows rows={[emptyRow, ...why]} width={width} />
    </>
  );
}
