// Takes one turn of a conversation and keeps the outcome.
import { jsonIn } from '../model/json.ts';
import { redactTokens } from '../model/secrets.ts';
import { listed } from '../model/wording.ts';
import { callAgentOfTurn, type TurnCall, turnFolder } from './call-turn.ts';
import { headAndTail, summarize, longestShown, summaryBlock } from './summarize.ts';
import type { TurnFacts } from './turn-facts.ts';
import { type Conversation, noChanges, type TreeFacts, type Turn } from './turn-request.ts';
import type { Attempt } from '../agents/attempt.ts';
import type { ConversationKey, History } from '../store/history.ts';

export interface TurnEnd {
  readonly number: number;
  readonly state: 'answered' | 'failed';
  /** The answer: partial if the turn failed, shortened if it is long. */
  readonly text: string;
  readonly facts: TurnFacts;
  /** The end of the agent’s call. */
  readonly attempt: Attempt<string>;
}

/** The conversation in the user’s history. */
export function keptConversation(history: History, key: ConversationKey): Conversation {
  const turns = () => history.turns(key);
  return {
    turns,
    begin: (turn) => history.begin(key, turn),
    end: (turn) => history.end(key, turn),
    async memory({ agent, wishes, signal }) {
      const memory = history.memories(key).find((one) => one.agent === agent.name);
      if (memory === undefined || memory.model !== wishes.model) return null;
      const readiness = await agent.ready(signal);
      if (readiness.state !== 'ready') return null;
      // A program that was too slow to report its version may be the same.
      const [now, then] = [readiness.version, memory.cli_version];
      if (now !== null && then !== null && now !== then) return null;
      // Its session may contain half of a turn that failed.
      const own = turns().findLast((one) => one.agent === agent.name);
      return own?.number === memory.last_turn ? memory : null;
    },
  };
}

/**
 * Takes a turn and writes down its start and end. The caller owns the conversation meanwhile. An agent
 * that no longer knows its own session is asked once more, with the history.
 */
export async function takeTurn(turn: Turn): Promise<TurnEnd> {
  const { conversation, tool, agent, question, markPrefix: mark } = turn;
  const before = conversation.turns();
  const memory = await conversation.memory(turn);
  const at = new Date().toISOString();
  const number = conversation.begin({ tool, agent: agent.name, question, at, mark });
  const lookAgain = await turn.look?.(number);
  const made = await callAgentOfTurn(turn, { before, number, memory });
  const tree = (await lookAgain?.()) ?? noChanges;
  return await keep(turn, { number, made: await withRawText(turn, made), tree });
}

/** Shows the unparsed output of an agent that failed without a readable message. */
async function withRawText({ folder }: Turn, made: TurnCall): Promise<TurnCall> {
  const { attempt, partial, notes } = made;
  const file = attempt.receipt.raw_output;
  if (attempt.ended === 'answered' || partial.trim() !== '' || file === null) return made;
  const lines = ((await folder.read(file)) ?? '').split('\n');
  const text = lines.filter((line) => jsonIn(line) === undefined).join('\n');
  if (text.trim() === '') return made;
  const note = 'its output could not be read, and is shown as it came';
  return { ...made, partial: headAndTail(text.trim()), notes: [...notes, note] };
}

async function keep(
  turn: Turn,
  {
    number,
    made,
    tree,
  }: { readonly number: number; readonly made: TurnCall; readonly tree: TreeFacts },
): Promise<TurnEnd> {
  const { conversation, role } = turn;
  const { attempt, injected, partial } = made;
  const state = attempt.ended === 'answered' ? 'answered' : 'failed';
  const text = redactTokens(attempt.ended === 'answered' ? attempt.value : partial);
  const { text: shown, ...short } = await shortenAnswer(turn, { text, path: turnFolder(number) });
  const facts = factsOf(turn, { made, tree, short });
  conversation.end({
    number,
    state,
    answer: text,
    facts: JSON.stringify(facts),
    injected,
    role: role ?? '',
    memory: state === 'answered' ? made.after : null,
    at: new Date().toISOString(),
  });
  return { number, state, text: shown, facts, attempt };
}

function factsOf(
  { agent, folder, unenforced }: Turn,
  {
    made: { attempt, memory, injected, commands, notes },
    tree,
    short,
  }: {
    readonly made: TurnCall;
    readonly tree: TreeFacts;
    readonly short: Omit<ShownAnswer, 'text'>;
  },
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
    summary: short.summary,
    full_answer: short.full_answer,
    unenforced: [...unenforced],
    notes: [
      ...receipt.notes,
      ...notes,
      ...repositoryNotes(attempt.tree),
      ...tree.notes,
      ...short.notes,
    ],
    failure: receipt.failure,
  };
}

function repositoryNotes(changes: readonly string[]): readonly string[] {
  const inside = changes.filter((path) => path.startsWith('.git/'));
  return inside.length === 0
    ? []
    : [`changed meanwhile in the repository itself: ${listed(inside)}`];
}

/** An answer as it is shown. */
interface ShownAnswer extends Pick<TurnFacts, 'summary' | 'full_answer'> {
  readonly text: string;
  readonly notes: readonly string[];
}

/** The length from which an answer is shortened, in characters. */
const longAnswer = 10_000;

/**
 * Shortens an answer if the settings ask for it: by the summarizer, else to the summary that it
 * contains, else to head and tail. The files go to `path`, relative to the folder of the
 * conversation.
 */
async function shortenAnswer(
  turn: Turn,
  { text, path }: { readonly text: string; readonly path: string },
): Promise<ShownAnswer> {
  const { summarizes, summarizer, form, folder } = turn;
  const asIs = { text, summary: null, full_answer: null, notes: [] };
  const isLong = summarizes === 'always' || text.length > longAnswer;
  if (summarizes === 'never' || !isLong || form !== null || text.trim() === '') return asIs;
  const short =
    summarizer === null
      ? null
      : await summarize(turn, { of: 'answer', text, path: `${path}/summary` });
  const shown = short?.ok === true ? short.text : (summaryBlock(text) ?? headAndTail(text));
  const notes =
    summarizer === null || short === null || short.ok
      ? []
      : [`${summarizer.agent.name}, which summarizes, ${short.why}`];
  if (shown === text) return { ...asIs, notes };
  await folder.write(`${path}/answer.txt`, text);
  return {
    text: shown.slice(0, longestShown + 100),
    summary: short?.ok === true ? short.facts : null,
    full_answer: folder.absolute(`${path}/answer.txt`),
    notes,
  };
}
