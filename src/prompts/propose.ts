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
  readonly excerpts: Excerpts;
  /** See `conventionsText`. */
  readonly conventions: string;
}

/** The blind question of round 1, and of an agent that joins later. */
export function proposePrompt(question: DiscussionQuestion): string {
  return promptText(question, {
    template: 'propose',
    phase: 'propose',
    request: requestParts(question),
    data: discussionData(question),
    cuttable: ['excerpts', 'context', 'conventions', 'feedback', 'constraints', 'task'],
  });
}

export function discussionData({
  context,
  excerpts,
  conventions,
}: DiscussionQuestion): Readonly<Record<'conventions' | 'context' | 'excerpts', LabelledText>> {
  return {
    conventions: ['conventions', conventions],
    context: ['codebase context', contextText(context)],
    excerpts: ['code', excerptsText(excerpts)],
  };
}
