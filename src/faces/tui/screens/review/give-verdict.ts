// Gives the verdict on a plan: approve, leave, reject, comments.
import type { PlanVerdict } from '../../../../model/decision.ts';
import { type FormQuestion, type FormValues, readForm } from '../../../../model/form.ts';
import { commentAt } from '../../../../phases/planning/comments.ts';
import { approveDespite, approveForm } from '../../../question-forms.ts';
import type { Popup } from '../../popup.tsx';
import { type Binding, decisiveKey, key } from '../../key-bindings.ts';
import { approvalBadge } from '../../../../phases/documents/plan-state.ts';
import { type ReviewTools, open, whileBusy, write } from './review-tools.ts';
import {
  type ReviewState,
  closeOne,
  moveTo,
  taskInView,
  unsent,
  withDesk,
} from './review-state.ts';

/** The question about the plan that is shown, as a form. */
function verdictForm({ state, question }: ReviewTools): FormQuestion<PlanVerdict> {
  const { desk: seen, replier: author, rejected } = state.get();
  return approveForm({ ...question, seen, author, rejected });
}

/** The keys of the verdict; Enter takes the recommended one, which never approves over what is open. */
export function verdictKeys(reviewing: ReviewTools): readonly Binding[] {
  const { state } = reviewing;
  const { desk, waitsFor } = state.get();
  const choices = verdictForm(reviewing).form.fields[0]?.choices ?? [];
  const offered = (value: string) => choices.find((one) => one.value === value);
  const isApproved = desk.hash !== null && desk.approvedHash === desk.hash;
  const [fix, despite] = [offered('fix'), offered(approveDespite)];
  const give = (value: string) => () => approve(reviewing, value);
  const whole = offered('approve');
  const isOpen = whole === undefined;
  const name = whole?.name.toLowerCase() ?? '';
  const plain = isApproved ? 'keep it approved' : waitsFor.length === 0 ? name : `${name} now`;
  return [
    ...(isOpen ? [] : [key(['enter'], plain, give('approve'), decisiveKey)]),
    ...(fix === undefined
      ? []
      : [
          key(
            isOpen ? ['enter', 'f'] : ['f'],
            fix.does,
            () => answerBy(reviewing, { choice: 'fix' }),
            decisiveKey,
          ),
        ]),
    ...(isOpen && fix === undefined
      ? [key(['enter'], 'see what is open', () => state.change(moveTo('check')))]
      : []),
    ...(despite === undefined ? [] : [key(['A'], despite.does, give(approveDespite), decisiveKey)]),
  ];
}

/** Approves the plan that is shown; it asks first where comments have not been sent. */
function approve(reviewing: ReviewTools, choice: string): void {
  const state = reviewing.state.get();
  const give = () => answerBy(reviewing, { choice });
  if (unsent(state).length === 0) return give();
  open(reviewing, {
    title: 'Approve the plan without sending your comments?',
    body: unsentLines(state),
    keys: () => [key(['enter', 'y'], 'approve without sending them', give, decisiveKey)],
  });
}

/** Gives the verdict that the values of the form mean. */
function answerBy(reviewing: ReviewTools, values: FormValues): void {
  const reading = readForm(verdictForm(reviewing), values);
  if ('answer' in reading) reviewing.answer(reading.answer);
  else reviewing.say(reading.refusal, 'bad');
}

/** Asks before leaving the review; the files and an existing approval stay as they are. */
export function leave(reviewing: ReviewTools): void {
  const state = reviewing.state.get();
  const save = () => answerBy(reviewing, { choice: 'leave' });
  const { mark, badge: text } = approvalBadge({ ...state.desk, rejected: state.rejected });
  open(reviewing, {
    title: 'Leave the plan as it is?',
    body: [
      { text: `It is saved: ${mark} ${text}.`, tone: 'plain' },
      { text: '"conclave review" opens it again.', tone: 'quiet' },
      ...unsentLines(state),
    ],
    keys: () => [
      key(['enter', 'y'], 'save and leave', save, { decides: true }),
      key(['r', 'x'], rejectVerb(state), () => reject(reviewing)),
    ],
  });
}

/** A few words on what rejecting the plan does. */
export function rejectVerb({ desk }: ReviewState): string {
  return desk.approvedHash === null ? 'reject the plan' : 'withdraw the approval';
}

/** Asks why, then rejects the plan. */
export function reject(reviewing: ReviewTools): void {
  write(reviewing, {
    title: 'Why is the plan rejected?',
    placeholder: 'Leave empty to give no reason',
    does: 'reject the plan and leave',
    accept: (text) => answerBy(reviewing, { choice: 'reject', text }),
  });
}

/** Sends the comments to the planner for a new version of the plan. */
export function sendComments(reviewing: ReviewTools): void {
  const { state, question, say } = reviewing;
  const { desk } = state.get();
  const comments = unsent(state.get());
  if (comments.length === 0) {
    say('There is no comment to send yet; c writes one.', 'warn');
  } else if (question.planner === null) {
    const change = 'Change it here (i, e), or name an agent: conclave resume --tools AGENT.';
    say(`The session has no planning agent that is ready. ${change}`, 'warn');
  } else if (desk.plan === null) {
    say('The files cannot be read as a plan; fix them first (e).', 'bad');
  } else answerBy(reviewing, { choice: 'comment' });
}

/** Opens a comment on the chosen line or the plan; one that was not sent is opened again, and an empty text deletes it. */
export function writeComment(reviewing: ReviewTools): void {
  const { state, question, say } = reviewing;
  const { anchor, desk: seen } = state.get();
  const comment = commentAt(anchor, seen);
  const { quote } = comment;
  const task = comment.task ?? taskInView(state.get());
  const title = seen.tasks.find(({ id }) => id === task)?.title ?? '';
  const save = (text: string) =>
    whileBusy(reviewing, async () => {
      const comments = await question.desk.comment({ ...comment, task, text });
      state.change((now) => withDesk(closeOne(now), { ...now.desk, comments }));
      if (text.trim() !== '')
        say(`Comment on ${task ?? 'the plan'} saved. s sends it to the planner.`, 'good');
    });
  write(reviewing, {
    title: `A comment on ${task === null ? 'the whole plan' : `${task}  ${title}`}`,
    body: quote === undefined ? [] : [{ text: quote, tone: 'quiet' }],
    text: comment.text,
    placeholder: 'What should be different, and why',
    does: 'save it',
    accept: save,
  });
}

/** The comments that the planner has not got. */
function unsentLines(state: ReviewState): NonNullable<Popup['body']> {
  const comments = unsent(state);
  if (comments.length === 0) return [];
  const texts = comments.map(({ task, text }) => `  ${task ?? 'the plan'}: ${text}`);
  return [
    { text: 'These are saved and have not been sent:', tone: 'warn' },
    { text: texts.join('\n'), tone: 'plain' },
  ];
}
