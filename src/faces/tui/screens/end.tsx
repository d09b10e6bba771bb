// Shows how the session ended, and what can be done next.
import { critiqueTexts } from '../../critique-words.ts';
import { amountText, readablePlanFile, timeText } from '../../short-forms.ts';
import { Frame, useBodySize } from '../frame.tsx';
import { key } from '../key-bindings.ts';
import type { Progress } from '../progress/progress.ts';
import { emptyRow, factRows, row, span, type Row, wrapText } from '../screen-rows.ts';
import type { End } from '../screen-state.ts';
import { marks, type Tone } from '../theme.ts';
import { useTui } from '../tools.tsx';
import { taskLooks } from './run/run-tasks.ts';

/** Shows the end of the session, and the next commands. */
export function EndScreen({ stage }: { readonly stage: End }) {
  const progress = useTui((state) => state.progress);
  const close = () => stage.answer(null);
  const { width, height } = useBodySize();
  const bindings = [key(['enter', 'q', 'esc', 'ctrl+c'], 'close', close)];
  const rows = endRows(progress, width).slice(0, height);
  return <Frame bindings={bindings} rows={rows} copies={copiedFrom(progress)} />;
}

/** The text to copy: the next command, or the path of the plan. */
function copiedFrom({ end, session }: Progress): string | null {
  if (end === null || session === null) return null;
  const [next] = nextSteps(end, session);
  return next ?? (end.plan === null ? session : readablePlanFile(end.plan));
}

/** The end of the session, its files on disk, and the next commands. */
export function endRows(progress: Progress, width: number): readonly Row[] {
  const { end, session, review, critique } = progress;
  if (end === null || session === null) return [row(span('The session has ended.'))];
  const [mark, tone] = look(progress, end);
  const tasks = taskRows(progress, end.titles, width);
  const byHand = end.by_hand ?? null;
  const texts = critique === null || end.plan !== null ? [] : critiqueTexts(critique);
  const judged = texts.flatMap((text) => wrapText(text, { width, indent: 2 }));
  return [
    ...wrapText(`${mark} ${end.message}`, { width, tone }),
    ...(end.summary === null ? [] : [emptyRow, ...wrapText(end.summary, { width })]),
    ...(tasks.length === 0 ? [] : [emptyRow, ...tasks]),
    ...(judged.length === 0 ? [] : [emptyRow, ...judged]),
    emptyRow,
    ...(end.plan === null
      ? []
      : factRows('Plan', readablePlanFile(end.plan), width).map(
          linkTo(readablePlanFile(end.plan)),
        )),
    ...(review === null ? [] : factRows('Review', review.file, width).map(linkTo(review.file))),
    ...factRows('Session', session, width),
    ...factRows('Spent', amountText(end.spent), width),
    ...factRows('Time', timeText(end.spent), width),
    ...nextSteps(end, session).flatMap((command) => [
      emptyRow,
      ...factRows('Next', command, width),
    ]),
    ...(byHand === null ? [] : factRows('By hand', byHand, width)),
  ];
}

/** The tasks of the plan; executed ones with what became of them. */
function taskRows(
  { execution }: Progress,
  titles: readonly string[],
  width: number,
): readonly Row[] {
  if (execution === null) return titles.flatMap((title) => wrapText(title, { width, indent: 2 }));
  return execution.tasks.map(({ id, title, state }) => {
    const [mark, tone] = taskLooks[state];
    return row(
      span(`  ${mark} `, tone),
      span(`${state.padEnd(9)}  `, tone),
      span(`${id} ${title}`),
    );
  });
}

type Ending = NonNullable<Progress['end']>;

function look(
  { execution, critique }: Progress,
  { end, approved, plan }: Ending,
): readonly [string, Tone] {
  if (end === 'failed') return [marks.failed, 'bad'];
  if (critique?.verdict === 'sound' && plan === null && end === 'done') return [marks.done, 'good'];
  const isWhole = execution?.tasks.every(({ state }) => state === 'completed') ?? true;
  return approved && end === 'done' && isWhole ? [marks.done, 'good'] : [marks.warning, 'warn'];
}

/** The next commands, unless the first words already name them. */
function nextSteps(
  { end, plan, message, next, approved, program = 'conclave' }: Ending,
  session: string,
): readonly string[] {
  // A person who has just approved a plan is not sent back to it.
  if (approved || next !== null) return next === null ? [] : [next];
  const isReviewed = plan !== null && (end === 'done' || end === 'failed');
  if (end === 'done' && !isReviewed) return [];
  if (new RegExp(` [a-z]+ ${session}`).test(message)) return [];
  return [`${program} ${isReviewed ? 'review' : 'resume'} ${session}`];
}

function linkTo(file: string): (line: Row) => Row {
  return (line) => line.map((piece, index) => (index === 0 ? piece : { ...piece, file }));
}
