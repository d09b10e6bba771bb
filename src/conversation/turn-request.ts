// Defines one turn of a conversation as it is asked for.
import type { Agent, RequestContent } from '../agents/agent.ts';
import type { AgentCall } from '../agents/attempt.ts';
import type { TreeWatch } from '../agents/tree-watch.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { ConversationSettings } from '../model/settings.ts';
import type { FolderFiles } from '../store/folder-files.ts';
import type { ConversationKey, History, HistoryTurn } from '../store/history.ts';
import type { UserSchema } from '../store/user-schema.ts';
import type { TurnFacts } from './turn-facts.ts';

/** One turn, with all that it needs of others. */
export interface TurnRequest {
  readonly history: History;
  readonly key: ConversationKey;
  readonly tool: HistoryTurn['tool'];
  readonly agent: Agent;
  readonly question: string;
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** The text of the role. */
  readonly role: string;
  /** The rights of the agent, its model, its limit of turns. */
  readonly wishes: Pick<RequestContent, 'permission' | 'allowed' | 'denied' | 'maxTurns' | 'model'>;
  /** The form that the answer must have; null for plain text. */
  readonly form: UserSchema | null;
  readonly cwd: string;
  /** Keeps the agent’s own sessions where it has a home of its own; absolute. */
  readonly ownSessions: string;
  readonly extraDirs: readonly string[];
  /** The files of the turns of this conversation. */
  readonly folder: FolderFiles;
  readonly limits: AgentCall<string>['limits'];
  readonly markPrefix: string;
  /** Sees what changes in the user’s repository itself, such as its branches and hooks. */
  readonly watch: TreeWatch;
  /** Looks at the user’s work tree before the turn of that number, and after it. */
  readonly look: (number: number) => Promise<() => Promise<TreeFacts>>;
  /** Told before the turns to an agent without a session of its own; empty for nothing. */
  readonly background: string;
  readonly handOffTokens: number;
  /** The agent that shortens, and an empty folder for it; null for none. */
  readonly summarizer: {
    readonly agent: Agent;
    readonly model: string | null;
    readonly cwd: string;
  } | null;
  readonly summarizes: ConversationSettings['summarize'];
  readonly unenforced: readonly string[];
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly onEvent: (event: AgentEvent) => void;
}

/** The part of a turn that its calls need; a conversation without a store has no more. */
export interface CallsOfTurn extends Omit<
  TurnRequest,
  'history' | 'key' | 'look' | 'summarizes' | 'unenforced' | 'now' | 'role' | 'ownSessions'
> {
  readonly role: string | null;
  readonly ownSessions?: string;
}

/** The changes of the work tree in a turn. */
export interface TreeFacts extends Pick<TurnFacts, 'files_changed' | 'diff_stat' | 'undo'> {
  readonly notes: readonly string[];
}
