import type { Clarification, Decision, PlanVerdict } from '../../model/decision.ts';
import type { View } from '../../workflow/view.ts';

type Question<Method extends 'clarify' | 'decide' | 'approve'> = Parameters<View[Method]>[0];

/** What the terminal shows now. A question stays until it is answered or withdrawn. */
export type Stage =
  | Offered<'start', string | null>
  | Offered<'sessions', string | null>
  | { readonly kind: 'run' }
  | Asked<'clarify', Question<'clarify'>, Clarification>
  | Asked<'decide', Question<'decide'>, Decision>
  | Asked<'approve', Question<'approve'>, PlanVerdict>
  | Offered<'end', null>;

/** Null where the person leaves. */
interface Offered<Kind extends string, A> {
  readonly kind: Kind;
  answer(given: A): void;
}

interface Asked<Kind extends string, Q, A> {
  readonly kind: Kind;
  readonly question: Q;
  answer(given: A): void;
}

export type Start = Extract<Stage, { kind: 'start' }>;
export type Sessions = Extract<Stage, { kind: 'sessions' }>;
export type End = Extract<Stage, { kind: 'end' }>;
export type Clarify = Extract<Stage, { kind: 'clarify' }>;
export type Decide = Extract<Stage, { kind: 'decide' }>;
export type Approve = Extract<Stage, { kind: 'approve' }>;
