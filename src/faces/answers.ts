import { type CodeReviewTool, type ExecutionMethod } from '../model/decision.ts';
import { blockingIn } from '../model/finding.ts';
import { Stopped } from '../model/failure.ts';
import { isDraftPlan } from '../model/plan.ts';
import { counted } from '../model/wording.ts';
import type { View } from '../workflow/view.ts';

/** What the command line says in place of a person. */
export interface GivenAnswers {
  readonly autoYes: boolean;
  /** `autoYes` goes for a draft as well, which no model has read. */
  readonly approvesDrafts: boolean;
  /** Number of the option, counted from 1. */
  readonly solution: number | null;
  readonly execution: ExecutionMethod | null;
  readonly review: CodeReviewTool | null;
  readonly constraints: readonly string[];
  /**
   * Answers the agents’ questions; if they ask none, it is what to analyse further, or goes to the
   * plan where nobody can.
   */
  readonly feedback: string | null;
}

/** The flags that a run without a person still needs, as one text; null if none. */
export function missingAnswers(given: GivenAnswers): string | null {
  if (given.autoYes) return null;
  const missing = [
    ...(given.solution === null ? ['--solution N'] : []),
    ...(given.execution === null ? ['--execution agent|codex|auto'] : []),
    ...(given.review === null ? ['--review skip|gemini|codex|agent'] : []),
  ];
  return missing.length === 0 ? null : missing.join(', ');
}

/** Answers every question from the flags, so that nobody has to be there. */
export function answersFrom(given: GivenAnswers, session: string): Omit<View, 'show'> {
  let feedback = given.feedback;
  return {
    async clarify({ questions }) {
      if (feedback === null) return { answers: [], feedback: '', skipped: true, by: 'nobody' };
      const answer = feedback;
      feedback = null;
      return {
        answers: questions.map((question) => ({ question, answer })),
        feedback: answer,
        skipped: false,
        by: 'flags',
      };
    },
    async decide({ synthesis, canDiscuss }) {
      if (feedback !== null && canDiscuss) {
        const decision = { kind: 'more-analysis', feedback, by: 'flags' } as const;
        feedback = null;
        return decision;
      }
      const solution = given.solution ?? 1;
      const known = synthesis.solutions.length;
      if (solution > known) {
        const message = `--solution ${solution}: there ${known === 1 ? 'is' : 'are'} only ${counted(known, 'option')}; resume the session with another number.`;
        throw new Stopped({ reason: 'usage', message });
      }
      return {
        kind: 'approve',
        solution,
        execution_method: given.execution ?? 'Agent',
        code_review_tool: given.review ?? 'Skip',
        constraints: [...given.constraints],
        ...(feedback === null ? {} : { feedback }),
        by: given.solution === null ? 'auto' : 'flags',
      };
    },
    async approve({ seen: { plan, findings, hash } }) {
      const blocking = blockingIn({ findings })[0];
      if (blocking !== undefined) return { kind: 'leave', why: blocking.message };
      const isDraft = isDraftPlan(plan);
      if (given.autoYes && (!isDraft || given.approvesDrafts)) {
        return { kind: 'approve', by: 'auto', hash };
      }
      const command = `conclave review ${session} --approve`;
      return {
        kind: 'leave',
        why: isDraft
          ? `no model has read the task. Read the draft and approve it with: ${command}, or log in to an agent ("conclave doctor" says how) and plan again`
          : `approve it with: ${command}`,
      };
    },
  };
}
