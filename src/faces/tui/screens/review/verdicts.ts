import { blockingIn } from '../../../../model/finding.ts';
import { counted } from '../../../../model/wording.ts';
import { approvalText } from './page-rows.ts';
import { type Reviewing, ask, key, write } from './reviewing.ts';
import { type Doubt, type ReviewState, closed, taskInView } from './state.ts';

/** Approves the plan that is seen; says why not where something blocks it. */
export function approve(reviewing: Reviewing): void {
  const { desk, comments } = reviewing.state.get();
  const found = blockingIn(desk);
  const give = () => reviewing.answer({ kind: 'approve', by: 'user', hash: desk.hash });
  if (found.length > 0 || desk.plan === null) {
    const count = counted(found.length, 'blocking finding');
    const why = `${count} (3 shows all). ${found[0]?.message ?? ''}`;
    reviewing.say(`It cannot be approved yet: ${why}`, 'bad');
  } else if (comments.length > 0) {
    ask(reviewing, {
      title: 'Approve the plan without sending your comments?',
      says: unsent(reviewing.state.get()),
      keys: [
        key(['enter', 'y'], 'approve without sending them', give, {
          decides: true,
          ownPress: true,
        }),
      ],
    });
  } else give();
}

/** Asks before the review is left; the files stay as they are, and so does an approval. */
export function leave(reviewing: Reviewing): void {
  const state = reviewing.state.get();
  const { desk } = state;
  const why = blockingIn(desk)[0]?.message ?? 'left by the user';
  ask(reviewing, {
    title: 'Leave the plan as it is?',
    says: [
      { text: `It is saved: ${approvalText(state).text}.`, tone: 'plain' },
      { text: '"conclave review" opens it again.', tone: 'quiet' },
      ...unsent(state),
    ],
    keys: [
      key(['enter', 'y'], 'save and leave', () => reviewing.answer({ kind: 'leave', why }), {
        decides: true,
      }),
      key(['r', 'x'], rejects(reviewing), () => reject(reviewing)),
    ],
  });
}

/** Sends the comments to the planner for a new version of the plan. */
export function sendComments({ state, question, answer, say }: Reviewing): void {
  const { comments, desk } = state.get();
  if (comments.length === 0) {
    say('There is no comment to send yet; c writes one.', 'warn');
  } else if (!question.canRevise) {
    const why =
      'No planning agent is ready to revise the plan. Change it here (i, e), or log in to one: see "conclave agents".';
    say(why, 'warn');
  } else if (desk.plan === null) {
    say('The files cannot be read as a plan; fix them first (e).', 'bad');
  } else answer({ kind: 'revise', comments: [...comments], by: 'user' });
}

/** A comment on what is shown, kept until it is sent. */
export function writeComment(reviewing: Reviewing): void {
  const state = reviewing.state.get();
  openComment(reviewing, { task: taskInView(state), index: state.comments.length });
}

/** The chosen comment again. */
export function rewriteComment(reviewing: Reviewing): void {
  const { comments, comment: index } = reviewing.state.get();
  openComment(reviewing, { task: comments[index]?.task ?? null, index });
}

export function deleteComment(reviewing: Reviewing): void {
  const { comments, comment: index } = reviewing.state.get();
  const remove = () =>
    reviewing.state.change((now) => ({ ...closed(now), comments: comments.toSpliced(index, 1) }));
  ask(reviewing, {
    title: 'Delete this comment?',
    says: [{ text: comments[index]?.text ?? '', tone: 'plain' }],
    keys: [key(['enter', 'y'], 'delete it', remove)],
  });
}

/** What rejecting the plan does, in a few words. */
export function rejects({ state }: Reviewing): string {
  const { approvedHash } = state.get().desk;
  return approvedHash === null ? 'reject the plan' : 'withdraw the approval';
}

/** Asks why, then rejects the plan. */
export function reject(reviewing: Reviewing): void {
  const { answer } = reviewing;
  write(reviewing, {
    title: 'Why is the plan rejected?',
    placeholder: 'Leave empty to give no reason',
    lines: 'many',
    does: 'reject the plan and leave',
    accept: (text) => answer({ kind: 'reject', why: text.trim(), by: 'user' }),
  });
}

function openComment(
  reviewing: Reviewing,
  { task, index }: { readonly task: string | null; readonly index: number },
): void {
  const { desk, comments } = reviewing.state.get();
  const title = desk.tasks.find(({ id }) => id === task)?.title ?? '';
  write(
    reviewing,
    {
      title: `A comment on ${task === null ? 'the whole plan' : `${task}  ${title}`}`,
      placeholder: 'What should be different, and why',
      lines: 'many',
      does: 'keep it',
      accept: (typed) => {
        const text = typed.trim();
        reviewing.state.change(closed);
        if (text === '') return;
        const next = comments.toSpliced(index, 1, { task, text });
        reviewing.state.change((now) => ({ ...now, comments: next }));
        const how = reviewing.question.canRevise
          ? 's sends it to the planner.'
          : 'No planning agent is ready to revise the plan, so it cannot be sent now.';
        reviewing.say(`Comment on ${task ?? 'the plan'} kept. ${how}`, 'good');
      },
    },
    comments[index]?.text,
  );
}

/** What would be lost. */
function unsent({ comments, drafts }: ReviewState): Doubt['says'] {
  const lost = [
    ...comments.map(({ task, text }) => `  ${task ?? 'the plan'}: ${text}`),
    ...drafts.map(({ file }) => `  what you wrote in ${file}`),
  ];
  if (lost.length === 0) return [];
  return [
    { text: 'These have not been sent and would be lost:', tone: 'warn' },
    { text: lost.join('\n'), tone: 'plain' },
  ];
}
