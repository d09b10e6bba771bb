// Gives the verdict on a plan: approve, leave, reject, comments.
import { blockingIn } from '../../../../model/finding.ts';
import { counted } from '../../../../model/wording.ts';
import type { Popup } from '../../popup.tsx';
import { decisiveKey, key } from '../../key-bindings.ts';
import { clamp } from '../../list-page.ts';
import { approvalText } from './review-page.ts';
import { type ReviewTools, open, write } from './review-tools.ts';
import { type ReviewState, closeOne, taskInView } from './review-state.ts';

/** Approves the plan that is shown, or says what blocks it. */
export function approve(reviewing: ReviewTools): void {
  const state = reviewing.state.get();
  const { desk, comments } = state;
  const found = blockingIn(desk);
  const give = () => reviewing.answer({ kind: 'approve', by: 'user', hash: desk.hash });
  if (found.length > 0 || desk.plan === null) {
    const why = `${counted(found.length, 'blocking finding')} (3 shows all). ${found[0]?.message ?? ''}`;
    return reviewing.say(`It cannot be approved yet: ${why}`, 'bad');
  }
  if (comments.length === 0) return give();
  open(reviewing, {
    title: 'Approve the plan without sending your comments?',
    body: unsent(state),
    keys: () => [key(['enter', 'y'], 'approve without sending them', give, decisiveKey)],
  });
}

/** Asks before leaving the review; the files and an existing approval stay as they are. */
export function leave(reviewing: ReviewTools): void {
  const state = reviewing.state.get();
  const why = blockingIn(state.desk)[0]?.message ?? 'left by the user';
  const save = () => reviewing.answer({ kind: 'leave', why });
  open(reviewing, {
    title: 'Leave the plan as it is?',
    body: [
      { text: `It is saved: ${approvalText(state)}.`, tone: 'plain' },
      { text: '"conclave review" opens it again.', tone: 'quiet' },
      ...unsent(state),
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
    accept: (text) => reviewing.answer({ kind: 'reject', why: text.trim(), by: 'user' }),
  });
}

/** Sends the comments to the planner for a new version of the plan. */
export function sendComments({ state, question, answer, say }: ReviewTools): void {
  const { comments, desk } = state.get();
  if (comments.length === 0) {
    say('There is no comment to send yet; c writes one.', 'warn');
  } else if (!question.canRevise) {
    const change = 'Change it here (i, e), or name an agent: conclave resume --tools AGENT.';
    say(`The session has no planning agent that is ready. ${change}`, 'warn');
  } else if (desk.plan === null) {
    say('The files cannot be read as a plan; fix them first (e).', 'bad');
  } else answer({ kind: 'revise', comments: [...comments], by: 'user' });
}

/** Opens a comment on what is shown; it is kept until it is sent. */
export function writeComment(reviewing: ReviewTools): void {
  const state = reviewing.state.get();
  openComment(reviewing, { task: taskInView(state), index: state.comments.length });
}

/** Opens the chosen comment again; an empty text deletes it. */
export function rewriteComment(reviewing: ReviewTools): void {
  const { comments, at } = reviewing.state.get();
  const index = clamp(at.comments, comments.length);
  openComment(reviewing, { task: comments[index]?.task ?? null, index });
}

function openComment(
  reviewing: ReviewTools,
  { task, index }: { readonly task: string | null; readonly index: number },
): void {
  const { desk, comments } = reviewing.state.get();
  const title = desk.tasks.find(({ id }) => id === task)?.title ?? '';
  const about = task ?? 'the plan';
  const accept = (typed: string) => {
    const text = typed.trim();
    const left = comments.toSpliced(index, 1, ...(text === '' ? [] : [{ task, text }]));
    reviewing.state.change((now) => ({ ...closeOne(now), comments: left }));
    if (text !== '') reviewing.say(`Comment on ${about} kept. s sends it to the planner.`, 'good');
  };
  write(
    reviewing,
    {
      title: `A comment on ${task === null ? 'the whole plan' : `${task}  ${title}`}`,
      placeholder: 'What should be different, and why',
      does: 'keep it',
      accept,
    },
    comments[index]?.text,
  );
}

/** The unsent comments, which would be lost. */
function unsent({ comments }: ReviewState): NonNullable<Popup['body']> {
  if (comments.length === 0) return [];
  const lost = comments.map(({ task, text }) => `  ${task ?? 'the plan'}: ${text}`);
  return [
    { text: 'These have not been sent and would be lost:', tone: 'warn' },
    { text: lost.join('\n'), tone: 'plain' },
  ];
}
