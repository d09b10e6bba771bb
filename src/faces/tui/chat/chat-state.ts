// Defines what the chat screen shows and needs of the machine: the turns, who is asked next.
import type { ToldTurn } from '../../../phases/documents/turn-document.ts';

export type ChatTool = 'work' | 'consult';

/** A question and what became of it; `startedAt` is in ms since the epoch. */
export interface ChatTurn extends ToldTurn {
  readonly startedAt: number;
}

/** Who gets the next question, and how. */
interface ChatChoice {
  readonly tool: ChatTool;
  /** An agent or a model, as the person named it. */
  readonly who: string;
  readonly role: string;
}

export interface ChatState extends ChatChoice {
  /** The id of the conversation; null before the first turn. */
  readonly session: string | null;
  readonly turns: readonly ChatTurn[];
  /** The row to which the turns are scrolled; null while the end is shown. */
  readonly top: number | null;
  /** The sentence under the turns, or null. */
  readonly note: string | null;
  /** The time that the clock of a running turn shows, in ms since the epoch. */
  readonly now: number;
}

/** The current turn; null while nobody is asked. */
export function runningTurn({ turns }: ChatState): ChatTurn | null {
  const last = turns.at(-1);
  return last?.state === 'started' ? last : null;
}

/** Adds a turn and scrolls to the end. */
export function withQuestion(state: ChatState, question: string): ChatState {
  const { tool, who, now } = state;
  const number = (state.turns.at(-1)?.number ?? 0) + 1;
  const asked = { number, tool, question, who, state: 'started', answer: '', facts: [] } as const;
  const turn: ChatTurn = { ...asked, startedAt: now };
  return { ...state, turns: [...state.turns, turn], top: null, note: null };
}

/** Replaces parts of the last turn. */
export function withLastTurn(state: ChatState, part: Partial<ChatTurn>): ChatState {
  const last = state.turns.at(-1);
  if (last === undefined) return state;
  return { ...state, turns: [...state.turns.slice(0, -1), { ...last, ...part }] };
}

/** The most events of a running turn that are shown. */
const mostDoing = 3;

export function withActivity(state: ChatState, activity: string): ChatState {
  const { facts = [] } = state.turns.at(-1) ?? {};
  if (facts.at(-1) === activity) return state;
  return withLastTurn(state, { facts: [...facts, activity].slice(-mostDoing) });
}

interface ChatRequest extends ChatChoice {
  readonly question: string;
  readonly session: string | null;
  readonly signal: AbortSignal;
  /** Receives in a few words what the agent is doing. */
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

/** What the chat needs; the commands provide it. */
export interface ChatPorts {
  ask(request: ChatRequest): Promise<ChatReply>;
  /** Says that no agent or model has that name; null if one has. */
  whyUnknown(who: string, tool: ChatTool): string | null;
  /** Undoes the last turn that changed files; returns a sentence on what came of it. */
  undo(session: string): Promise<string>;
  /** Says that a role does not exist; null if it does. */
  whyNoRole(role: string): Promise<string | null>;
}

/** The end of the chat: the person leaves, or hands the conversation over to planning. */
export type ChatEnd =
  | { readonly kind: 'leave'; readonly session: string | null }
  | { readonly kind: 'plan'; readonly session: string; readonly task: string };
