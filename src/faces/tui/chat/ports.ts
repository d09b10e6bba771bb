// Defines what the chat screen needs of the machine.
import type { ChatChoice, ChatTool, ChatTurn } from './state.ts';

interface ChatRequest extends ChatChoice {
  readonly question: string;
  readonly session: string | null;
  readonly signal: AbortSignal;
  /** Told in a few words what the agent does. */
  readonly onActivity: (activity: string) => void;
}

/** The end of a turn, or one sentence on why nobody was asked. */
export type ChatReply =
  | (Pick<ChatTurn, 'who' | 'answer' | 'facts'> & {
      readonly ok: true;
      readonly state: 'answered' | 'failed';
      readonly session: string;
    })
  | { readonly ok: false; readonly why: string };

/** The needs of the chat; the commands provide them. */
export interface ChatPorts {
  ask(request: ChatRequest): Promise<ChatReply>;
  /** One sentence where nobody is known by that name; null where somebody is. */
  whyUnknown(who: string, tool: ChatTool): string | null;
  /** One sentence where there is no such role. */
  whyNoRole(role: string): Promise<string | null>;
}

/** The end of the chat: the person leaves, or hands the conversation to planning. */
export type ChatEnd =
  | { readonly kind: 'leave'; readonly session: string | null }
  | { readonly kind: 'plan'; readonly session: string; readonly task: string };
