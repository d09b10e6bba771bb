// Defines what the chat screen shows, and what it needs of the machine: the turns, who is asked next.

export type ChatTool = 'work' | 'consult';

/** One question with what became of it. */
export interface ChatTurn {
  readonly tool: ChatTool;
  readonly question: string;
  /** The agent, with its model where that is known. */
  readonly who: string;
  readonly state: 'running' | 'answered' | 'failed';
  readonly answer: string;
  /** The time it took, the files it changed and the like, a line each. */
  readonly facts: readonly string[];
  /** Its latest events while it runs, the newest last. */
  readonly doing: readonly string[];
  /** In ms since the epoch. */
  readonly startedAt: number;
}

/** The next question goes to these. */
interface ChatChoice {
  readonly tool: ChatTool;
  /** An agent or a model, as the person named it. */
  readonly who: string;
  readonly role: string;
}

export interface ChatState extends ChatChoice {
  /** Null before the first turn. */
  readonly session: string | null;
  readonly turns: readonly ChatTurn[];
  /** The row to which the turns are scrolled; null while the end is shown. */
  readonly top: number | null;
  /** The sentence under the turns; null for none. */
  readonly note: string | null;
  /** The time that the clock of a running turn shows, in ms since the epoch. */
  readonly now: number;
}

/** The turn that runs; null while nobody is asked. */
export function runningTurn({ turns }: ChatState): ChatTurn | null {
  const last = turns.at(-1);
  return last?.state === 'running' ? last : null;
}

/** A new turn at the end, which is shown. */
export function withQuestion(state: ChatState, question: string): ChatState {
  const { tool, who, now } = state;
  const turn: ChatTurn = {
    tool,
    question,
    who,
    state: 'running',
    answer: '',
    facts: [],
    doing: [],
    startedAt: now,
  };
  return { ...state, turns: [...state.turns, turn], top: null, note: null };
}

/** The last turn with these changes. */
export function withLastTurn(state: ChatState, part: Partial<ChatTurn>): ChatState {
  const last = state.turns.at(-1);
  if (last === undefined) return state;
  return { ...state, turns: [...state.turns.slice(0, -1), { ...last, ...part }] };
}

/** The most events of a running turn that are shown. */
const mostDoing = 3;

export function withActivity(state: ChatState, activity: string): ChatState {
  const { doing = [] } = state.turns.at(-1) ?? {};
  if (doing.at(-1) === activity) return state;
  return withLastTurn(state, { doing: [...doing, activity].slice(-mostDoing) });
}

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
  /** Says that no agent or model has that name; null if one has. */
  whyUnknown(who: string, tool: ChatTool): string | null;
  /** Says that there is no such role; null if there is. */
  whyNoRole(role: string): Promise<string | null>;
}

/** The end of the chat: the person leaves, or hands the conversation to planning. */
export type ChatEnd =
  | { readonly kind: 'leave'; readonly session: string | null }
  | { readonly kind: 'plan'; readonly session: string; readonly task: string };
