import { findingText } from '../../../../model/finding.ts';
import { taskMarkdown } from '../../../../phases/planning/plan-text.ts';
import { type Body, Frame, useBodySize } from '../../frame.tsx';
import { useQuestionKeys } from '../../keys.ts';
import type { Approve } from '../../state.ts';
import { useStore } from '../../store.ts';
import { Rows, useTools, useTui } from '../../tools.tsx';
import { emptyRow, row, span } from '../../rows.ts';
import { TextFieldView } from '../../widgets/text-field/view.tsx';
import { reviewKeys } from './keys.ts';
import { overlayRows, pageOf, refusalRows } from './page.ts';
import { type Reviewing, storesFor } from './reviewing.ts';
import { type ReviewState, chosenField, chosenFinding, chosenTask } from './state.ts';

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
  const typing = state.overlay?.placeholder !== undefined;
  return (
    <Frame bindings={bindings} typing={typing} copies={copiedFrom(state) ?? command}>
      {(body) =>
        state.overlay === null ? (
          <Rows rows={page.rows} width={body.width} />
        ) : (
          <OverlayView reviewing={reviewing} body={body} />
        )
      }
    </Frame>
  );
}

/** The text of what is chosen on the page; null where nothing is. */
function copiedFrom(state: ReviewState): string | null {
  const task = chosenTask(state);
  const finding = chosenFinding(state);
  switch (state.page) {
    case 'fields':
      return chosenField(state)?.text ?? null;
    case 'findings':
      return finding === undefined ? null : findingText(finding);
    case 'tasks':
      return task === undefined ? null : taskMarkdown(task);
    case 'overview':
    case 'changes':
    case 'comments':
      return null;
  }
}

/** What is open in front of the page, and why it was not accepted. */
function OverlayView({ reviewing, body }: { readonly reviewing: Reviewing; readonly body: Body }) {
  const { width, height, active } = body;
  const state = reviewing.state.get();
  const { overlay, busy } = state;
  if (overlay === null) return null;
  const why = [emptyRow, ...refusalRows(state, width)];
  const head = overlayRows(overlay, { width, height: height - why.length });
  if (overlay.placeholder === undefined) return <Rows rows={[...head, ...why]} width={width} />;
  return (
    <>
      <Rows rows={[...head, emptyRow]} width={width} />
      <TextFieldView
        field={reviewing.field}
        active={active && !busy}
        width={width}
        height={Math.max(1, height - head.length - 1 - why.length)}
        lines="many"
        placeholder={overlay.placeholder}
      />
      <Rows rows={why} width={width} />
    </>
  );
}
