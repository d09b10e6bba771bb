// Defines one turn of a conversation as it is requested.
import type { Agent, RequestContent } from '../agents/agent.ts';
import type { AgentCall } from '../agents/attempt.ts';
import type { TreeWatch } from '../agents/tree-watch.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { ConversationSettings } from '../model/settings.ts';
import type { FolderFiles } from '../store/folder-files.ts';
import type { ConversationKey, History, HistoryTurn } from '../store/history.ts';
import type { UserSchema } from '../store/user-schema.ts';
import type { TurnFacts } from './turn-facts.ts';

/** A turn and everything that its calls need from outside. */
export interface TurnRequest extends Pick<AgentCall<string>, 'agent' | 'limits'> {
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
  /** Sees what changes in the user’s repository itself, such as its branches and hooks. */
  readonly watch: TreeWatch | undefined;
  /** Text before the turns for an agent without its own session; may be empty. */
  readonly background: string;
  readonly handOffTokens: number;
  /** The agent that summarizes, and an empty folder for it, or null. */
  readonly summarizer: {
    readonly agent: Agent;
    readonly model: string | null;
    readonly cwd: string;
  } | null;
  readonly signal: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
}

/** A turn that is kept in the history. */
export interface KeptTurn extends TurnRequest {
  readonly history: History;
  readonly key: ConversationKey;
  readonly role: string;
  /** Looks at the user’s work tree before the turn of that number, and returns a look after it. */
  readonly look: (number: number) => Promise<() => Promise<TreeFacts>>;
  readonly summarizes: ConversationSettings['summarize'];
  readonly unenforced: readonly string[];
}

/** The changes of the work tree during a turn. */
export interface TreeFacts extends Pick<TurnFacts, 'files_changed' | 'diff_stat' | 'undo'> {
  readonly notes: readonly string[];
}
