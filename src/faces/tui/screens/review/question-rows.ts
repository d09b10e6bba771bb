import { type Row, emptyRow, row, span, wrapped } from '../../rows.ts';
import { nameOfPlace } from './changes.ts';
import { approvalText } from './overview-rows.ts';
import type { ReviewState } from './state.ts';

/** The pages that ask something; null for every other. */
export function questionRows(state: ReviewState, width: number): readonly Row[] | null {
  if (state.page === 'confirm') return [...doubtRows(state, width), ...refusalRows(state, width)];
  return state.page === 'mend' ? mendRows(state, width) : null;
}

function refusalRows({ refused }: ReviewState, width: number): readonly Row[] {
  return refused === null ? [] : [emptyRow, ...wrapped(refused, { width, tone: 'bad' })];
}

/** What is asked once more before it is done. */
function doubtRows(state: ReviewState, width: number): readonly Row[] {
  const { doubt, desk } = state;
  switch (doubt?.kind) {
    case undefined:
      return [];
    case 'leave':
      return leavingRows(state, width);
    case 'approve':
      return [
        row(span('Approve the plan without sending your comments?', 'strong')),
        emptyRow,
        ...unsentRows(state, width),
      ];
    case 'delete': {
      const waiting = desk.tasks.filter((task) => task.depends_on.includes(doubt.task));
      const title = desk.tasks.find(({ id }) => id === doubt.task)?.title ?? '';
      const then = `${waiting.map(({ id }) => id).join(', ')} will not wait for it any more.`;
      return [
        row(span(`Delete ${doubt.task}?`, 'strong')),
        emptyRow,
        ...wrapped(title, { width, indent: 2 }),
        ...(waiting.length === 0 ? [] : [emptyRow, ...wrapped(then, { width, tone: 'warn' })]),
      ];
    }
    case 'remove':
      return [row(span(`Take out ${nameOfPlace(doubt)}?`, 'strong'))];
    case 'drop-comment':
      return [
        row(span('Delete this comment?', 'strong')),
        emptyRow,
        ...wrapped(state.comments[doubt.index]?.text ?? '', { width, indent: 2 }),
      ];
  }
}

/** Why what came back from the editor is not in the plan. */
function mendRows({ drafts }: ReviewState, width: number): readonly Row[] {
  const draft = drafts.at(-1);
  if (draft === undefined) return [];
  return [
    row(span(`What you wrote in ${draft.file} does not fit`, 'strong')),
    emptyRow,
    ...wrapped(draft.why, { width, tone: 'bad' }),
    emptyRow,
    ...wrapped('Your text is kept, and the plan is as it was.', { width }),
  ];
}

function leavingRows(state: ReviewState, width: number): readonly Row[] {
  return [
    row(span('Leave the plan as it is?', 'strong')),
    emptyRow,
    ...wrapped(`It is saved: ${approvalText(state).text}.`, { width }),
    ...wrapped('"conclave review" opens it again.', { width, tone: 'quiet' }),
    ...unsentRows(state, width),
  ];
}

function unsentRows({ comments, drafts }: ReviewState, width: number): readonly Row[] {
  const lost = [
    ...comments.map(({ task, text }) => `${task ?? 'the plan'}: ${text}`),
    ...drafts.map(({ file }) => `what you wrote in ${file}`),
  ];
  if (lost.length === 0) return [];
  return [
    emptyRow,
    row(span('These are not sent and would be lost:', 'warn')),
    ...lost.flatMap((text) => wrapped(text, { width, indent: 2 })),
  ];
}
