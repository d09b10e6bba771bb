import type { CodebaseContext } from '../model/context.ts';
import { contextText } from './context-text.ts';
import { type Excerpts, excerptsText } from './excerpts.ts';
import {
  type LabelledText,
  type PromptInput,
  type UserRequest,
  promptText,
  requestParts,
} from './question.ts';

/** What both kinds of discussion prompts are made from. */
export interface DiscussionQuestion extends PromptInput, UserRequest {
  readonly context: CodebaseContext;
  /** The angle this agent looks from, e.g. "Think of what could break."; null for none. */
  readonly role: string | null;
  readonly excerpts: Excerpts;
}

/** The blind question of round 1, and of an agent that joins later. */
export function proposePrompt(question: DiscussionQuestion): string {
  return promptText(question, {
    template: 'propose',
    phase: 'propose',
    own: { role: roleText(question) },
    request: requestParts(question),
    data: discussionData(question),
    cuttable: ['excerpts', 'context', 'feedback', 'constraints', 'task'],
  });
}

export function roleText({ role }: DiscussionQuestion): string {
  return role === null ? '' : `\nYour role: ${role.trim()}\n`;
}

export function discussionData({ context, excerpts }: DiscussionQuestion): {
  readonly context: LabelledText;
  readonly excerpts: LabelledText;
} {
  return {
    context: ['codebase context', contextText(context)],
    excerpts: ['code', excerptsText(excerpts)],
  };
}
