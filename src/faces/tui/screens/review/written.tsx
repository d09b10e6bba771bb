import type { Body } from '../../frame.tsx';
import { Rows } from '../../rows-view.tsx';
import { type Row, emptyRow, wrapped } from '../../rows.ts';
import { marks } from '../../theme.ts';
import { TextFieldView } from '../../widgets/text-field/view.tsx';
import { nameOfPlace } from './changes.ts';
import type { Reviewing } from './reviewing.ts';
import type { ReviewState } from './state.ts';

/** A text that is written: a field, a title, a comment, a reason. What is refused stays, with the reason. */
export function WrittenPage({
  reviewing,
  state,
  body,
}: {
  readonly reviewing: Reviewing;
  readonly state: ReviewState;
  readonly body: Body;
}) {
  const { width, height, active } = body;
  const head = headRows(state, width);
  const why = state.refused === null ? [] : wrapped(state.refused, { width, tone: 'bad' });
  return (
    <>
      <Rows rows={head} width={width} />
      <TextFieldView
        field={reviewing.field}
        active={active && !state.busy}
        width={width}
        height={Math.max(1, height - head.length - why.length - 1)}
        lines={isLong(state) ? 'many' : 'one'}
        placeholder={placeholderOf(state)}
      />
      <Rows rows={[emptyRow, ...why]} width={width} />
    </>
  );
}

function headRows({ writing, desk }: ReviewState, width: number): readonly Row[] {
  const title = (id: string) => desk.tasks.find((task) => task.id === id)?.title ?? '';
  switch (writing?.kind) {
    case undefined:
      return [];
    case 'set':
      return headed(nameOfPlace(writing), width);
    case 'add':
      return headed(
        writing.after === null ? 'A new task' : `A new task behind ${writing.after}`,
        width,
      );
    case 'comment':
      return headed(
        `A comment on ${writing.task === null ? 'the whole plan' : `${writing.task}  ${title(writing.task)}`}`,
        width,
      );
    case 'reject':
      return headed('Why is the plan rejected?', width);
    case 'split':
      return [
        ...headed(`Split ${writing.task}: the title of part ${writing.titles.length + 1}`, width),
        ...writing.titles.flatMap((part, index) =>
          wrapped(`${marks.done} ${index + 1}. ${part}`, { width, tone: 'quiet' }),
        ),
        ...(writing.titles.length === 0 ? [] : [emptyRow]),
      ];
  }
}

function headed(text: string, width: number): readonly Row[] {
  return [...wrapped(text, { width, tone: 'strong' }), emptyRow];
}

function isLong({ writing }: ReviewState): boolean {
  return writing?.kind === 'set' || writing?.kind === 'comment' || writing?.kind === 'reject';
}

function placeholderOf({ writing }: ReviewState): string {
  switch (writing?.kind) {
    case undefined:
      return '';
    case 'set':
      return 'Empty takes it out';
    case 'add':
      return 'What it does, in a few words';
    case 'comment':
      return 'What should be different, and why';
    case 'reject':
      return 'Empty says no reason';
    case 'split':
      return writing.titles.length < 2 ? 'What this part does' : 'Empty: these are all parts';
  }
}
