import type { Body } from '../../frame.tsx';
import type { Binding } from '../../keys.ts';
import { Rows } from '../../rows-view.tsx';
import { emptyRow, row, span } from '../../rows.ts';
import type { Decide } from '../../stage.ts';
import { textField } from '../../widgets/text-field/state.ts';
import { type FieldStore, TextFieldView, brokeLine } from '../../widgets/text-field/view.tsx';
import type { DecisionAction, DecisionPage } from './state.ts';

/** The pages of the decision on which something is written. */
export interface Writing {
  readonly page: DecisionPage;
  readonly field: FieldStore;
  readonly dispatch: (action: DecisionAction) => void;
  readonly answer: Decide['answer'];
}

/** Feedback for one more round, or a constraint for the plan. */
export function WrittenPage({ body, ...writing }: Writing & { readonly body: Body }) {
  const isFeedback = writing.page === 'more';
  const title = isFeedback ? 'What should the agents look into?' : 'What must the plan respect?';
  return (
    <>
      <Rows rows={[row(span(title, 'strong')), emptyRow]} width={body.width} />
      <TextFieldView
        field={writing.field}
        active={body.active}
        width={body.width}
        height={Math.max(1, Math.floor(body.height / 2))}
        lines="many"
        placeholder={
          isFeedback
            ? 'e.g. Compare both with what it costs to migrate the saved files'
            : 'e.g. No new dependency'
        }
      />
    </>
  );
}

export function writtenKeys(writing: Writing): readonly Binding[] {
  const { page, field, dispatch } = writing;
  const leave = () => {
    field.change(() => textField());
    dispatch({ type: 'back' });
  };
  return [
    {
      keys: ['enter'],
      does: page === 'more' ? 'ask for another round' : 'add it',
      decides: page === 'more',
      run: () => brokeLine(field) || accept(writing),
    },
    { keys: ['esc'], does: 'back', run: leave },
  ];
}

function accept({ page, field, dispatch, answer }: Writing): void {
  const { text } = field.get();
  field.change(() => textField());
  if (page === 'more') answer({ kind: 'more-analysis', feedback: text.trim(), by: 'user' });
  else dispatch({ type: 'add-constraint', text });
}
