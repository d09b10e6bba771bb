import { z } from 'zod';
import { type Failure, Stopped, exitCodeOf, failureText } from '../model/failure.ts';
import { isDraftPlan } from '../model/plan.ts';
import { type WorkflowContext, type WorkflowEnd, reviewKey } from './chart-context.ts';

/** How a session ended, as it stands in the journal. */
export const RecordedEnd = z.object({
  kind: z.enum(['done', 'left', 'cancelled', 'failed']),
  message: z.string(),
  exit_code: z.int(),
  /** The step to redo, with all that followed, when the session is resumed; null if it is done. */
  reopen: z.string().nullable(),
});
export type RecordedEnd = z.infer<typeof RecordedEnd>;

export interface SessionEnd {
  readonly end: 'done' | 'failed' | 'cancelled' | 'interrupted';
  readonly exitCode: number;
  readonly message: string;
  /** Null where it ended as it was meant to. */
  readonly failure: Failure | null;
  /** Null for an end that is not a decision: an interruption or an error that may pass. */
  readonly record: RecordedEnd | null;
}

/** Gives an end of the chart its words, its exit code and the place to resume from. */
export function endOf(session: string, context: WorkflowContext): SessionEnd {
  const { end } = context;
  if (end === null) throw new Error('the chart stopped without an end');
  switch (end.kind) {
    case 'done':
      return recorded('done', {
        kind: 'done',
        message: `The ${planWord(context)} is approved.`,
        exit_code: 0,
        reopen: null,
      });
    case 'left':
      return left(end, context);
    case 'cancelled': {
      const message = `Cancelled and saved. To continue: conclave resume ${session}`;
      const reopen = `decision-${context.decisions}`;
      return recorded('cancelled', { kind: 'cancelled', message, exit_code: 0, reopen });
    }
    case 'nobody-answered':
      return failed(
        end.instead === null
          ? { reason: 'no-agent-answered', failures: end.failures }
          : { reason: 'nothing-found', ...end.instead },
        `round-${context.round}/open`,
      );
    case 'not-converged': {
      const score = context.last?.synthesis.convergence.score ?? 0;
      const failure = { reason: 'not-converged', score, rounds: context.round } as const;
      return failed(failure, `round-${context.round}/next`);
    }
    case 'interrupted':
      return passing({ reason: 'cancelled', session }, 'interrupted');
    case 'error':
      if (end.error instanceof Stopped) return passing(end.error.failure, 'failed');
      throw end.error;
  }
}

function left(end: Extract<WorkflowEnd, { kind: 'left' }>, context: WorkflowContext): SessionEnd {
  const reopen = `${reviewKey(context)}/check`;
  if (end.blocking > 0) {
    return failed({ reason: 'plan-invalid', findings: end.blocking, first: end.why }, reopen);
  }
  const message = `The ${planWord(context)} is saved but not approved: ${end.why}`;
  return recorded('done', { kind: 'left', message, exit_code: 0, reopen });
}

function planWord({ plan }: WorkflowContext): string {
  return isDraftPlan(plan?.plan ?? null) ? 'draft' : 'plan';
}

function failed(failure: Failure, reopen: string): SessionEnd {
  const message = failureText(failure);
  const record = { kind: 'failed', message, exit_code: exitCodeOf(failure), reopen } as const;
  return { ...recorded('failed', record), failure };
}

function recorded(end: SessionEnd['end'], record: RecordedEnd): SessionEnd {
  return { end, exitCode: record.exit_code, message: record.message, failure: null, record };
}

function passing(failure: Failure, end: SessionEnd['end']): SessionEnd {
  const message = failureText(failure);
  return { end, exitCode: exitCodeOf(failure), message, failure, record: null };
}
