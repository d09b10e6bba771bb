// Takes one turn of a conversation: what the agent must know, the call, and what is kept of it.
import { randomBytes } from 'node:crypto';
import type { Agent, RequestContent } from '../agents/agent.ts';
import { resumeIn } from '../agents/agent-session.ts';
import type { AgentCall, Attempt } from '../agents/attempt.ts';
import { callAgent } from '../agents/call.ts';
import type { TreeWatch } from '../agents/tree-watch.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { Receipt } from '../model/receipt.ts';
import { redactTokens } from '../model/secrets.ts';
import { listed } from '../model/wording.ts';
import { turnPrompt } from '../prompts/turn.ts';
import type { FolderFiles } from '../store/folder-files.ts';
import type { AgentMemory, ConversationKey, History, HistoryTurn } from '../store/history.ts';
import { handOffText } from './hand-off.ts';
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
  readonly wishes: Pick<
    RequestContent,
    'permission' | 'allowed' | 'denied' | 'maxTurns' | 'model' | 'schema'
  >;
  readonly cwd: string;
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
  readonly unenforced: readonly string[];
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly onEvent: (event: AgentEvent) => void;
}

/** The changes of the work tree in a turn. */
export interface TreeFacts extends Pick<TurnFacts, 'files_changed' | 'diff_stat' | 'undo'> {
  readonly notes: readonly string[];
}

export interface TurnEnd {
  readonly number: number;
  readonly state: 'answered' | 'failed';
  /** Partial where it failed. */
  readonly text: string;
  readonly facts: TurnFacts;
}

/**
 * Takes a turn and keeps it, begun and ended. The caller owns the conversation meanwhile. An agent
 * that no longer knows its own session is asked once more, with the history.
 */
export async function takeTurn(turn: TurnRequest): Promise<TurnEnd> {
  const { history, key, tool, agent, question, now } = turn;
  const before = history.turns(key);
  const memory = await usableMemory(turn, before);
  const at = now().toISOString();
  const number = history.begin(key, {
    tool,
    agent: agent.name,
    question,
    at,
    mark: turn.markPrefix,
  });
  const lookAgain = await turn.look(number);
  const made = await callKnowing(turn, { before, number, memory });
  return keep(turn, { number, made, tree: await lookAgain() });
}

async function callKnowing(turn: TurnRequest, state: Omit<TurnState, 'suffix'>): Promise<TurnCall> {
  const first = await call(turn, { ...state, suffix: '' });
  const { attempt } = first;
  const isLost = attempt.ended === 'failed' && attempt.failure.category === 'session-lost';
  if (state.memory === null || !isLost) return first;
  const again = await call(turn, { ...state, memory: null, suffix: '-again' });
  const { name } = turn.agent;
  again.notes.push(`${name} did not know its session any more, so a new one got the history`);
  return again;
}

/** The base of a turn. */
interface TurnState {
  readonly before: readonly HistoryTurn[];
  readonly number: number;
  readonly memory: AgentMemory | null;
  /** Put at the names of its files. */
  readonly suffix: string;
}

interface TurnCall {
  readonly attempt: Attempt<string>;
  readonly memory: AgentMemory | null;
  readonly injected: string;
  readonly partial: string;
  readonly commands: TurnFacts['commands'];
  readonly notes: string[];
}

/** The agent’s own session, where the same model and version can go on with it from this folder. */
async function usableMemory(
  { history, key, agent, wishes, cwd, signal }: TurnRequest,
  before: readonly HistoryTurn[],
): Promise<AgentMemory | null> {
  const memory = history.memories(key).find((one) => one.agent === agent.name);
  if (memory === undefined || memory.model !== wishes.model) return null;
  const readiness = await agent.ready(signal);
  if (readiness.state !== 'ready' || readiness.version !== memory.cli_version) return null;
  // Its session may hold half of a turn that did not end well.
  const own = before.findLast((one) => one.agent === agent.name);
  if (own?.number !== memory.last_turn) return null;
  return resumeOf(agent, memory, cwd) === null ? null : memory;
}

function resumeOf(agent: Agent, memory: AgentMemory, cwd: string): RequestContent['resume'] {
  const { agent_session: id, input_tokens: input, output_tokens: output } = memory;
  const tokens = { input, output, cached: memory.cached_tokens };
  const session = { agent: agent.name, id, cwd: memory.cwd, tokens };
  return resumeIn({ cwd, agent, session });
}

async function call(
  turn: TurnRequest,
  { before, number, memory, suffix }: TurnState,
): Promise<TurnCall> {
  const { agent, question, files, role, wishes, cwd, extraDirs, folder, signal } = turn;
  const after = memory?.last_turn ?? 0;
  const turns = handOffText(before, { after, tokens: turn.handOffTokens });
  const told = [...(memory === null ? [turn.background] : []), turns];
  const injected = redactTokens(told.filter((text) => text !== '').join('\n\n'));
  const nonce = randomBytes(8).toString('hex');
  const prompt = turnPrompt({ question, history: injected, files, nonce });
  const commands: TurnFacts['commands'] = [];
  let partial = '';
  const path = `turns/${String(number).padStart(5, '0')}`;
  const attempt = await callAgent<string>(
    {
      agent,
      seat: agent.name,
      request: {
        ...wishes,
        prompt,
        about: null,
        role,
        resume: memory === null ? null : resumeOf(agent, memory, cwd),
      },
      form: null,
      workspace: { cwd, extraDirs, hidden: [], keep: async (text) => text },
      files: { folder, path, suffix },
      limits: turn.limits,
      mark: `${turn.markPrefix}${randomBytes(6).toString('hex')}`,
      wasKilled: false,
      watch: turn.watch,
      skip: neverSkipped,
      reserve: async () => ({ over: neverSkipped, use: () => undefined, end: () => undefined }),
      report: {
        started: () => undefined,
        spent: () => undefined,
        acted(event) {
          if (event.kind === 'command')
            commands.push({ command: redactTokens(event.command), exit_code: event.exit_code });
          if (event.kind === 'message') partial += event.text;
          turn.onEvent(event);
        },
      },
    },
    signal,
  );
  return { attempt, memory, injected, partial, commands, notes: [] };
}

const neverSkipped = new AbortController().signal;

function keep(
  turn: TurnRequest,
  {
    number,
    made,
    tree,
  }: { readonly number: number; readonly made: TurnCall; readonly tree: TreeFacts },
): TurnEnd {
  const { history, key, role, now } = turn;
  const { attempt, injected, partial } = made;
  const { receipt } = attempt;
  const state = attempt.ended === 'answered' ? 'answered' : 'failed';
  const text = redactTokens(attempt.ended === 'answered' ? attempt.value : partial);
  const facts = factsOf(turn, made, tree);
  history.end(key, {
    number,
    state,
    answer: text,
    facts: JSON.stringify(facts),
    injected,
    role,
    memory:
      state === 'answered' ? memoryAfter(turn, number, { receipt, before: made.memory }) : null,
    at: now().toISOString(),
  });
  return { number, state, text, facts };
}

/** The tokens of an agent’s session count from its begin. */
function memoryAfter(
  { agent, wishes, cwd }: TurnRequest,
  number: number,
  { receipt, before }: { readonly receipt: Receipt; readonly before: AgentMemory | null },
): AgentMemory | null {
  const { agent_session: id, tokens, version } = receipt;
  if (id === null) return null;
  const since = before?.agent_session === id ? before : null;
  return {
    agent: agent.name,
    agent_session: id,
    cwd,
    model: wishes.model,
    cli_version: version,
    last_turn: number,
    input_tokens: (since?.input_tokens ?? 0) + (tokens?.input ?? 0),
    output_tokens: (since?.output_tokens ?? 0) + (tokens?.output ?? 0),
    cached_tokens: (since?.cached_tokens ?? 0) + (tokens?.cached ?? 0),
  };
}

function factsOf(
  { agent, folder, unenforced }: TurnRequest,
  { attempt, memory, injected, commands, notes }: TurnCall,
  tree: TreeFacts,
): TurnFacts {
  const { receipt } = attempt;
  const native = memory !== null;
  const handed = injected !== '';
  return {
    agent: agent.name,
    model: receipt.model,
    cli_version: receipt.version,
    return_code: receipt.exit_code,
    output_bytes: receipt.output_bytes,
    duration_ms: receipt.duration_ms,
    files_changed: [...tree.files_changed],
    diff_stat: tree.diff_stat,
    commands,
    tokens: receipt.tokens,
    cost_usd: receipt.cost_usd,
    resumed_from: memory?.agent_session ?? null,
    used_resume_flag: native,
    context_injected: handed,
    context_source:
      native && handed ? 'native and history' : native ? 'native' : handed ? 'history' : 'none',
    undo: tree.undo,
    raw_output: receipt.raw_output === null ? null : folder.absolute(receipt.raw_output),
    unenforced: [...unenforced],
    notes: [...receipt.notes, ...notes, ...repositoryNotes(attempt.tree), ...tree.notes],
    failure: receipt.failure,
  };
}

function repositoryNotes(changes: readonly string[]): readonly string[] {
  const inside = changes.filter((path) => path.startsWith('.git/'));
  return inside.length === 0
    ? []
    : [`changed meanwhile in the repository itself: ${listed(inside)}`];
}
