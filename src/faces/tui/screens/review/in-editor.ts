import { row, span } from '../../rows.ts';
import { guarded } from './changes.ts';
import { type Reviewing, dispatch } from './reviewing.ts';
import { chosenTask, clamp } from './chosen.ts';
import type { ReviewState } from './state.ts';

/** The plan file that belongs to what is shown, relative to the session folder. */
export function fileOf(state: ReviewState): string {
  const { desk, page } = state;
  if (page === 'findings') {
    return desk.findings[clamp(state.finding, desk.findings.length)]?.file ?? 'plan.json';
  }
  const task = page === 'tasks' ? chosenTask(state) : page === 'fields' ? state.about : null;
  return task === null ? 'plan.json' : `.task/${task}.json`;
}

/**
 * Opens a plan file in the user’s editor. What comes back is put in its place if it fits; else it
 * is kept with the reason, and opened again the next time.
 */
export async function openInEditor(reviewing: Reviewing, file: string): Promise<void> {
  const { state, question, ports } = reviewing;
  if (state.get().busy) return;
  dispatch(reviewing, { type: 'busy' });
  await guarded(reviewing, async () => {
    const onDisk = await question.desk.text(file);
    const draft = state.get().drafts.find((one) => one.file === file);
    const text = draft?.text ?? onDisk;
    const edited = await ports.editText({ name: file.replace('.task/', ''), text });
    if (!edited.ok) {
      dispatch(reviewing, { type: 'idle' });
      return reviewing.say(row(span(edited.why, 'warn')));
    }
    if (edited.text === onDisk) {
      dispatch(reviewing, { type: 'no-draft', file });
      return reviewing.say(row(span(`${file} is as it was.`, 'quiet')));
    }
    await putInPlace(reviewing, { file, text: edited.text });
  });
}

/** Forgets what was written in the editor; the plan stays as it is. */
export function dropDraft(reviewing: Reviewing, file: string): void {
  dispatch(reviewing, { type: 'no-draft', file });
  reviewing.say(
    row(span('What was written in the editor is dropped; the plan is as it was.', 'quiet')),
  );
}

async function putInPlace(
  reviewing: Reviewing,
  { file, text }: { readonly file: string; readonly text: string },
): Promise<void> {
  const replaced = await reviewing.question.desk.replace(file, text);
  if (!replaced.ok) {
    const why = replaced.failure.message;
    return dispatch(reviewing, { type: 'draft', draft: { file, text, why } });
  }
  dispatch(reviewing, { type: 'no-draft', file });
  dispatch(reviewing, { type: 'desk', desk: replaced.value });
  reviewing.say(row(span(`${file} is changed.`, 'good')));
}
