import type { CodebaseContext } from '../model/context.ts';
import type { UserAnswer } from '../model/decision.ts';
import { contextText } from './context-text.ts';
import { type Excerpts, excerptsText } from './excerpts.ts';
import { type DataPart, type PromptInput, bullets, promptText } from './question.ts';

/** What both kinds of discussion prompts are made from. */
export interface DiscussionQuestion extends PromptInput {
  readonly task: string;
  readonly context: CodebaseContext;
  readonly constraints: readonly string[];
  /** The angle this agent looks from, e.g. "Think of what could break."; null for none. */
  readonly role: string | null;
  readonly excerpts: Excerpts;
  /** What the user said after earlier rounds; empty in round 1. */
  readonly feedback: readonly string[];
  readonly answers: readonly UserAnswer[];
}

/** The blind question of round 1 (and of an agent that joins later): two or three solutions. */
export function proposePrompt(question: DiscussionQuestion): string {
  return promptText(question, {
    template: 'propose',
    phase: 'propose',
    own: { role: roleText(question) },
    data: discussionData(question),
    cuttable: ['excerpts', 'context', 'feedback', 'constraints', 'task'],
  });
}

export function roleText({ role }: DiscussionQuestion): string {
  return role === null ? '' : `\nYour role: ${role.trim()}\n`;
}

export function discussionData(question: DiscussionQuestion): Readonly<Record<string, DataPart>> {
  const { task, constraints, context, excerpts, feedback } = question;
  const answers = question.answers.map((one) => `Asked: ${one.question}\nAnswer: ${one.answer}`);
  return {
    task: ['task', task],
    constraints: ['constraints', bullets(constraints)],
    context: ['codebase context', contextText(context)],
    excerpts: ['code', excerptsText(excerpts)],
    feedback: ['user feedback', bullets([...feedback, ...answers])],
  };
}
