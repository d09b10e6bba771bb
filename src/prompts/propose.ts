import type { CodebaseContext } from '../model/context.ts';
import type { UserAnswer } from '../model/decision.ts';
import { contextText } from './context-text.ts';
import { type Excerpts, excerptsText } from './excerpts.ts';
import { bullets, commonValues, fencedValues, type Question } from './question.ts';
import { renderWithin } from './render.ts';

/** What both kinds of discussion prompts are made from. */
export interface DiscussionQuestion extends Question {
  readonly task: string;
  readonly context: CodebaseContext;
  readonly constraints: readonly string[];
  /** The angle this agent looks from, e.g. "Think of what could break."; null for none. */
  readonly role: string | null;
  readonly excerpts: Excerpts;
}

/** The blind question of round 1 (and of an agent that joins later): two or three solutions. */
export function proposePrompt(
  question: DiscussionQuestion & {
    /** What the user said after earlier rounds; empty in round 1. */
    readonly feedback: readonly string[];
    readonly answers: readonly UserAnswer[];
  },
): string {
  const values = {
    ...commonValues({ ...question, phase: 'propose', repair: false }),
    ...discussionValues(question),
    feedback: feedbackText(question),
  };
  return renderWithin('propose', values, {
    maxBytes: question.maxBytes,
    cuttable: ['excerpts', 'context', 'feedback', 'constraints', 'task'],
    dress: (raw) =>
      fencedValues(question.nonce, { ...discussionLabels, feedback: 'user feedback' }, raw),
  });
}

export const discussionLabels = {
  task: 'task',
  constraints: 'constraints',
  context: 'codebase context',
  excerpts: 'code',
} as const;

export function discussionValues(question: DiscussionQuestion): {
  readonly [Name in keyof typeof discussionLabels | 'role']: string;
} {
  return {
    role: question.role === null ? '' : `\nYour role: ${question.role.trim()}\n`,
    task: question.task,
    constraints: bullets(question.constraints),
    context: contextText(question.context),
    excerpts: excerptsText(question.excerpts),
  };
}

/** The user's words and answers since the session began. */
export function feedbackText(said: {
  readonly feedback: readonly string[];
  readonly answers: readonly UserAnswer[];
}): string {
  const answers = said.answers.map(
    ({ question, answer }) => `Asked: ${question}\nAnswer: ${answer}`,
  );
  return bullets([...said.feedback, ...answers]);
}
