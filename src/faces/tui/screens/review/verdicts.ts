import { counted } from '../../../../model/wording.ts';
import { row, span } from '../../rows.ts';
import { type Reviewing, dispatch } from './reviewing.ts';
import { blockingIn } from './chosen.ts';

/** Approves the plan that is seen; says why not where something blocks it. */
export function approve(reviewing: Reviewing): void {
  const { desk, comments, page } = reviewing.state.get();
  const found = blockingIn(desk);
  if (found.length > 0 || desk.plan === null) {
    const count = counted(found.length, 'blocking finding');
    const why = `${count} (3 shows all). ${found[0]?.message ?? ''}`;
    reviewing.say(row(span(`It cannot be approved yet: ${why}`, 'bad')));
  } else if (comments.length > 0 && page !== 'confirm') {
    dispatch(reviewing, { type: 'doubt', doubt: { kind: 'approve' } });
  } else reviewing.answer({ kind: 'approve', by: 'user', hash: desk.hash });
}

/** Sends the comments to the planner for a new version of the plan. */
export function sendComments({ state, question, answer, say }: Reviewing): void {
  const { comments, desk } = state.get();
  if (comments.length === 0) {
    say(row(span('There is no comment to send yet; c writes one.', 'warn')));
  } else if (!question.canRevise) {
    const why =
      'No planning agent is ready to revise the plan. Change it here (i, e), or log one in, see "conclave agents".';
    say(row(span(why, 'warn')));
  } else if (desk.plan === null) {
    say(row(span('The files cannot be read as a plan; mend them first (e).', 'bad')));
  } else answer({ kind: 'revise', comments: [...comments], by: 'user' });
}

/** Leaves the files as they are; an approval that the plan has stays. */
export function leave({ state, answer }: Reviewing): void {
  const [first] = blockingIn(state.get().desk);
  answer({ kind: 'leave', why: first?.message ?? 'left by the user' });
}

/** Takes an approval back, if there is one, and leaves. */
export function reject({ answer }: Reviewing, why: string): void {
  answer({ kind: 'reject', why, by: 'user' });
}
