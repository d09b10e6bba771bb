import { findingText } from '../../../../model/finding.ts';
import { taskMarkdown } from '../../../../phases/planning/plan-text.ts';
import { type Body, Frame, useBodySize } from '../../frame.tsx';
import { useQuestionKeys } from '../../keys.ts';
import type { Approve } from '../../state.ts';
import { useStore } from '../../store.ts';
import { Rows, useTools, useTui } from '../../tools.tsx';
import { emptyRow, row, span, wrapped } from '../../rows.ts';
import { marks } from '../../theme.ts';
import { TextFieldView } from '../../widgets/text-field/view.tsx';
import type { DocumentLine } from './fields.ts';
import { reviewKeys } from './keys.ts';
import { questionRows } from './page-rows.ts';
import { pageOf } from './page.ts';
import { type Reviewing, storesFor } from './reviewing.ts';
import { type ReviewState, type Writing, chosenField, shownDocument } from './state.ts';

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
  const bindings = useQuestionKeys(question, reviewKeys(reviewing, page));
  const session = useTui(({ progress }) => progress.session);
  const command = session === null ? null : `conclave review ${session}`;
  const { writing } = state;
  return (
    <Frame bindings={bindings} typing={writing !== null} copies={copiedFrom(state) ?? command}>
      {(body) => {
        if (writing !== null) return <WritingPage {...{ reviewing, state, writing, body }} />;
        return <Rows rows={questionRows(state, body) ?? page.rows} width={body.width} />;
      }}
    </Frame>
  );
}

/** What is chosen on the page; null where nothing is. */
function copiedFrom(state: ReviewState): string | null {
  const { page, desk } = state;
  if (page === 'fields') return fieldTextIn(shownDocument(state), chosenField(state));
  const finding = page === 'findings' ? desk.findings[state.finding] : undefined;
  if (finding !== undefined) return findingText(finding);
  const task = page === 'tasks' ? desk.tasks.find(({ id }) => id === state.task) : undefined;
  return task === undefined ? null : taskMarkdown(task);
}

function fieldTextIn(document: readonly DocumentLine[], field: string | null): string | null {
  const fields = document.flatMap((line) => ('heading' in line ? [] : line.fields));
  return fields.find((one) => one.field === field)?.text ?? null;
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
