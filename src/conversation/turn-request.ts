// Defines one turn of a conversation, and the conversation that it belongs to.
import type { Agent, RequestContent } from '../agents/agent.ts';
import type { AgentCall } from '../agents/attempt.ts';
import type { ConversationSettings } from '../model/settings.ts';
import type { FolderFiles } from '../store/folder-files.ts';
import type { AgentMemory, History, HistoryTurn } from '../store/history.ts';
import type { UserSchema } from '../store/user-schema.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { TurnFacts } from './turn-facts.ts';

/** The earlier turns, and where a turn is written down: the history of the user, or the memory of a program. */
export interface Conversation {
  turns(): readonly HistoryTurn[];
  /** Finds the agent’s own session that a turn can continue. */
  memory(turn: Turn): Promise<AgentMemory | null>;
  /** Writes the turn down before it runs; returns its number. */
  begin(turn: Parameters<History['begin']>[1]): number;
  end(turn: Parameters<History['end']>[1]): void;
}

/** A turn and everything that it needs from outside. */
export interface Turn extends Pick<AgentCall<string>, 'agent' | 'limits' | 'watch'> {
  readonly conversation: Conversation;
  readonly tool: HistoryTurn['tool'];
  readonly question: string;
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** The text of the role; null for none. */
  readonly role: string | null;
  /** The permissions of the agent, its model, its turn limit. */
  readonly wishes: Pick<RequestContent, 'permission' | 'allowed' | 'denied' | 'maxTurns' | 'model'>;
  /** The form that the answer must have; null for plain text. */
  readonly form: UserSchema | null;
  readonly cwd: string;
  /** The absolute folder that keeps the sessions of an agent with a separate home. */
  readonly ownSessions?: string;
  readonly extraDirs: readonly string[];
  /** The files of the turns of this conversation. */
  readonly folder: FolderFiles;
  readonly markPrefix: string;
  /** Looks at the user’s work tree before the turn of that number, and returns a look after it. */
  readonly look?: (number: number) => Promise<() => Promise<TreeFacts>>;
  /** The limits that nothing enforces. */
  readonly unenforced: readonly string[];
  /** Text before the turns for an agent without its own session; may be empty. */
  readonly background: string;
  readonly handOffTokens: number;
  /** The agent that summarizes, and an empty folder for it, or null. */
  readonly summarizer: {
    readonly agent: Agent;
    readonly model: string | null;
    readonly cwd: string;
  } | null;
  readonly summarizes: ConversationSettings['summarize'];
  readonly signal: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
}

/** The changes of the work tree during a turn. */
export interface TreeFacts extends Pick<TurnFacts, 'files_changed' | 'diff_stat' | 'undo'> {
  readonly notes: readonly string[];
}

/** The facts of a turn that changed nothing. */
export const noChanges: TreeFacts = { files_changed: [], diff_stat: null, undo: null, notes: [] };
