import { Stopped } from '../model/failure.ts';
import { blockingIn } from '../model/finding.ts';
import type { PlanComment, PlanEdit } from '../model/plan-edit.ts';
import type { PlanVerdict } from '../model/decision.ts';
import type { PlanDesk, PlanOnDesk, View } from '../workflow/view.ts';

/** What the flags of `conclave review` say to a plan; the edits come first, then one of the rest. */
export interface GivenReview {
  readonly session: string;
  /** The version that the flags are about. */
  readonly version: number;
  readonly edits: readonly PlanEdit[];
  readonly comments: readonly PlanComment[];
  readonly approve: boolean;
  /** Why the plan is rejected; null if it is not. */
  readonly reject: string | null;
}

/** Answers the review of a plan from flags; any other question was answered before. */
export function reviewAnswers(given: GivenReview): Omit<View, 'show'> {
  const { session } = given;
  let asked = 0;
  return {
    clarify: () => Promise.reject(notThere(session)),
    decide: () => Promise.reject(notThere(session)),
    async approve({ desk, seen, canRevise }) {
      asked += 1;
      if (seen.version > given.version) return newVersion(given, { seen, isFirst: asked === 1 });
      if (asked > 1) return again(given);
      const edited = await withEdits(given, { desk, seen });
      if (given.reject !== null) return { kind: 'reject', why: given.reject, by: 'flags' };
      if (given.comments.length > 0) {
        if (!canRevise) throw new Stopped({ reason: 'nobody-revises', session, agents: [] });
        return { kind: 'revise', comments: [...given.comments], by: 'flags' };
      }
      const blocking = blockingIn(edited)[0];
      if (blocking !== undefined) return { kind: 'leave', why: blocking.message };
      if (given.approve) return { kind: 'approve', by: 'flags', hash: edited.hash };
      return { kind: 'leave', why: hint(session) };
    },
  };
}

/** Nobody has seen it yet, so nothing that was said is about it. */
function newVersion(
  { session }: GivenReview,
  { seen, isFirst }: { readonly seen: PlanOnDesk; readonly isFirst: boolean },
): PlanVerdict {
  const blocking = blockingIn(seen)[0];
  if (blocking !== undefined) return { kind: 'leave', why: blocking.message };
  const why = isFirst
    ? `version ${seen.version} had been begun and was made first, so nothing else was done; ${hint(session)}`
    : hint(session);
  return { kind: 'leave', why };
}

/** The question came back: nobody could make a new version, or the files changed meanwhile. */
function again({ session, comments }: GivenReview): PlanVerdict {
  if (comments.length === 0)
    return { kind: 'leave', why: `it changed while it was being approved; ${hint(session)}` };
  throw new Stopped({
    reason: 'nobody-revises',
    session,
    agents: [{ agent: 'who was asked', why: 'failed, see above' }],
  });
}

async function withEdits(
  { edits: [first, ...more] }: GivenReview,
  { desk, seen }: { readonly desk: PlanDesk; readonly seen: PlanOnDesk },
): Promise<PlanOnDesk> {
  if (first === undefined) return seen;
  const edited = await desk.edit(first, ...more);
  if (edited.ok) return edited.value;
  throw new Stopped({ reason: 'usage', message: edited.failure.message });
}

function hint(session: string): string {
  return `look at it with: conclave review ${session}`;
}

function notThere(session: string): Stopped {
  const message = `Session ${session} is not waiting for a review of its plan. To continue: conclave resume ${session}`;
  return new Stopped({ reason: 'usage', message });
}
