import { assign, fromPromise, setup } from 'xstate';
import type { CodebaseContext } from '../model/context.ts';
import type { Clarification, Decision, PlanVerdict } from '../model/decision.ts';
import type { RunSettings } from '../model/session.ts';
import type { Synthesis } from '../model/synthesis.ts';
import type { NextMove } from '../phases/discussion/next.ts';
import type { RoundOutput } from '../phases/discussion/round.ts';
import type { WrittenPlan } from '../phases/planning/generate-plan.ts';
import type { ReviewedPlan } from '../phases/planning/review-plan.ts';

/** How a run of the chart ended. `left`: the plan is written and waits for its approval. */
export type WorkflowEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'left'; readonly why: string; readonly blocking: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'interrupted' }
  | {
      readonly kind: 'nobody-answered';
      readonly failures: readonly { agent: string; reason: string }[];
    }
  | { readonly kind: 'not-converged' }
  | { readonly kind: 'error'; readonly error: unknown };

interface Reviewed {
  readonly verdict: PlanVerdict;
  readonly reviewed: ReviewedPlan;
}

/** Everything that the chart knows of a session; each field comes from a step’s result. */
export interface WorkflowContext {
  readonly task: string;
  readonly codebase: CodebaseContext | null;
  readonly round: number;
  /** Rounds that a "need more analysis" of the user allows at least. */
  readonly atLeastRounds: number;
  readonly last: { readonly synthesis: Synthesis; readonly settings: RunSettings } | null;
  readonly next: NextMove | null;
  readonly feedback: readonly string[];
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  /** Counts the decisions of the session; the one being made, or the last one. */
  readonly decisions: number;
  readonly decision: Extract<Decision, { kind: 'approve' }> | null;
  readonly plan: WrittenPlan | null;
  readonly end: WorkflowEnd | null;
}

const onError = {
  target: 'failed',
  actions: {
    type: 'endWith',
    params: ({ event }: { event: { error: unknown } }) =>
      ({ kind: 'error', error: event.error }) as const,
  },
} as const;

/** The statechart of a session: it says when each phase runs, the actors say how. No I/O. */
export const workflow = setup({
  types: {
    context: {} as WorkflowContext,
    events: {} as { type: 'CANCEL' },
    input: {} as { task: string },
    output: {} as WorkflowContext,
  },
  actors: {
    gatherContext: actor<CodebaseContext>('gatherContext'),
    discussRound: actor<RoundOutput>('discussRound'),
    askUser: actor<Clarification>('askUser'),
    presentOptions: actor<null>('presentOptions'),
    decide: actor<Decision>('decide'),
    generatePlan: actor<WrittenPlan>('generatePlan'),
    reviewPlan: actor<Reviewed>('reviewPlan'),
    handOff: actor<null>('handOff'),
  },
  actions: {
    endWith: assign((_, end: WorkflowEnd) => ({ end })),
    keepRound: assign((_, output: RoundOutput) => keepRound(output)),
    countDecision: assign(({ context }) => ({ decisions: context.decisions + 1 })),
    keepAnswers: assign(({ context }, given: Clarification) => ({
      round: context.round + 1,
      answers: [...context.answers, ...given.answers],
      feedback: given.feedback === '' ? context.feedback : [...context.feedback, given.feedback],
    })),
    // A person may have edited the files: what was approved is what goes on.
    keepReviewed: assign(({ context }, { reviewed }: Reviewed) => ({
      plan:
        context.plan === null || reviewed.plan === null
          ? context.plan
          : { ...context.plan, ...reviewed, plan: reviewed.plan },
    })),
    endLeft: assign((_, reviewed: Reviewed) => ({ end: leftWith(reviewed) })),
    askForMore: assign(({ context }, decision: Decision) => ({
      round: context.round + 1,
      atLeastRounds: context.round + 1,
      feedback:
        decision.kind === 'more-analysis' && decision.feedback !== ''
          ? [...context.feedback, decision.feedback]
          : context.feedback,
    })),
  },
  guards: {
    nobodyAnswered: (_, output: RoundOutput) => output.kind === 'nobody-answered',
    goesTo: (_, { output, move }: { output: RoundOutput; move: NextMove }) =>
      output.kind === 'synthesized' && output.next === move,
    skipped: (_, given: Clarification) => given.skipped,
    decided: (_, { decision, kind }: { decision: Decision; kind: Decision['kind'] }) =>
      decision.kind === kind,
    approved: (_, verdict: PlanVerdict) => verdict.kind === 'approve',
  },
}).createMachine({
  id: 'conclave',
  context: ({ input }) => ({ ...empty(), task: input.task }),
  output: ({ context }) => context,
  initial: 'context',
  on: {
    CANCEL: {
      target: '.interrupted',
      actions: { type: 'endWith', params: { kind: 'interrupted' } },
    },
  },
  states: {
    context: {
      invoke: {
        src: 'gatherContext',
        input: ({ context }) => context,
        onDone: {
          target: 'discussion',
          actions: assign(({ event }) => ({ codebase: event.output })),
        },
        onError,
      },
    },
    discussion: {
      invoke: {
        src: 'discussRound',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'nobodyAnswered', params: ({ event }) => event.output },
            target: 'failed',
            actions: assign(({ event }) => ({ end: nobodyAnswered(event.output) })),
          },
          {
            guard: {
              type: 'goesTo',
              params: ({ event }) => ({ output: event.output, move: 'another-round' }),
            },
            target: 'discussion',
            reenter: true,
            actions: [
              { type: 'keepRound', params: ({ event }) => event.output },
              assign(({ context }) => ({ round: context.round + 1 })),
            ],
          },
          {
            guard: {
              type: 'goesTo',
              params: ({ event }) => ({ output: event.output, move: 'ask-user' }),
            },
            target: 'userInputNeeded',
            actions: { type: 'keepRound', params: ({ event }) => event.output },
          },
          {
            guard: {
              type: 'goesTo',
              params: ({ event }) => ({ output: event.output, move: 'not-converged' }),
            },
            target: 'failed',
            actions: [
              { type: 'keepRound', params: ({ event }) => event.output },
              { type: 'endWith', params: { kind: 'not-converged' } },
            ],
          },
          {
            target: 'options',
            actions: { type: 'keepRound', params: ({ event }) => event.output },
          },
        ],
        onError,
      },
    },
    userInputNeeded: {
      invoke: {
        src: 'askUser',
        input: ({ context }) => context,
        onDone: [
          { guard: { type: 'skipped', params: ({ event }) => event.output }, target: 'options' },
          {
            target: 'discussion',
            actions: { type: 'keepAnswers', params: ({ event }) => event.output },
          },
        ],
        onError,
      },
    },
    options: {
      entry: 'countDecision',
      invoke: {
        src: 'presentOptions',
        input: ({ context }) => context,
        onDone: 'decision',
        onError,
      },
    },
    decision: {
      invoke: {
        src: 'decide',
        input: ({ context }) => context,
        onDone: [
          {
            guard: {
              type: 'decided',
              params: ({ event }) => ({ decision: event.output, kind: 'more-analysis' }),
            },
            target: 'discussion',
            actions: { type: 'askForMore', params: ({ event }) => event.output },
          },
          {
            guard: {
              type: 'decided',
              params: ({ event }) => ({ decision: event.output, kind: 'cancel' }),
            },
            target: 'cancelled',
            actions: { type: 'endWith', params: { kind: 'cancelled' } },
          },
          {
            target: 'planning',
            actions: assign(({ event }) => ({
              decision: event.output.kind === 'approve' ? event.output : null,
            })),
          },
        ],
        onError,
      },
    },
    planning: {
      invoke: {
        src: 'generatePlan',
        input: ({ context }) => context,
        onDone: { target: 'planReview', actions: assign(({ event }) => ({ plan: event.output })) },
        onError,
      },
    },
    planReview: {
      invoke: {
        src: 'reviewPlan',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'approved', params: ({ event }) => event.output.verdict },
            target: 'execution',
            actions: { type: 'keepReviewed', params: ({ event }) => event.output },
          },
          {
            target: 'left',
            actions: { type: 'endLeft', params: ({ event }) => event.output },
          },
        ],
        onError,
      },
    },
    execution: {
      invoke: {
        src: 'handOff',
        input: ({ context }) => context,
        onDone: { target: 'done', actions: { type: 'endWith', params: { kind: 'done' } } },
        onError,
      },
    },
    done: { type: 'final' },
    left: { type: 'final' },
    cancelled: { type: 'final' },
    interrupted: { type: 'final' },
    failed: { type: 'final' },
  },
});

// Every actor is given by the session; a chart without them can be drawn and tested, not run.
function actor<Output>(name: string) {
  return fromPromise<Output, WorkflowContext>(() =>
    Promise.reject(new Error(`the actor "${name}" was not provided`)),
  );
}

function keepRound(output: RoundOutput): Partial<WorkflowContext> {
  if (output.kind !== 'synthesized') return {};
  const { synthesis, settings, context, next } = output;
  return { last: { synthesis, settings }, codebase: context, next };
}

function nobodyAnswered(output: RoundOutput): WorkflowEnd {
  const failures = output.kind === 'nobody-answered' ? output.failures : [];
  return { kind: 'nobody-answered', failures };
}

function leftWith({ verdict, reviewed }: Reviewed): WorkflowEnd {
  const blocking = reviewed.findings.filter((finding) => finding.severity === 'blocking').length;
  return { kind: 'left', why: verdict.kind === 'leave' ? verdict.why : '', blocking };
}

function empty(): Omit<WorkflowContext, 'task'> {
  return {
    codebase: null,
    round: 1,
    atLeastRounds: 1,
    last: null,
    next: null,
    feedback: [],
    answers: [],
    decisions: 0,
    decision: null,
    plan: null,
    end: null,
  };
}
