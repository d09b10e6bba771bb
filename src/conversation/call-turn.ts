// Calls the agent of a turn: with its own session if it has one, with the history, and a second time.
import { randomBytes } from 'node:crypto';
import { type Agent, type RequestContent, textWorkspace } from '../agents/agent.ts';
import { resumeIn } from '../agents/agent-session.ts';
import type { AgentCall, Attempt } from '../agents/attempt.ts';
import { callAgent, markWith } from '../agents/call.ts';
import { addTokens } from '../model/make-events.ts';
import type { Receipt } from '../model/receipt.ts';
import { redactTokens } from '../model/secrets.ts';
import { schemaRules } from '../prompts/request.ts';
import { repairTurnPrompt, turnPrompt } from '../prompts/turn-prompt.ts';
import type { AgentMemory, HistoryTurn } from '../store/history.ts';
import { tellTurns } from './summarize.ts';
import type { TurnFacts } from './turn-facts.ts';
import type { Turn } from './turn-request.ts';
import { extractJson } from '../agents/answer/extract.ts';
import { isObject, jsonIn } from '../model/json.ts';
import { listed } from '../model/wording.ts';
import type { SchemaFinding, UserSchema } from '../store/user-schema.ts';

/**
 * Calls the agent of a turn. An agent that no longer knows its own session is asked once more, with
 * the history; one whose answer does not fit the form is asked once to correct it.
 */
export async function callAgentOfTurn(turn: Turn, state: TurnState): Promise<TurnCall> {
  const made = await callKnowing(turn, state);
  const { attempt } = made;
  if (attempt.ended !== 'answered') return made;
  if (turn.form === null) {
    const isMeant = turn.tool === 'work' || !isToolCall(attempt.value);
    return isMeant ? made : unfit(made, 'it wrote a tool call instead of an answer');
  }
  const read = readForm(turn.form, made);
  if ('attempt' in read) return read;
  // The schema is at fault, so asking again would not help.
  const { uncheckable } = await import('../store/user-schema.ts');
  if (read.some((error) => error.endsWith(uncheckable))) {
    return unfit(made, `the answer ${uncheckable}`);
  }
  return await repair(turn, made, { number: state.number, errors: read });
}

/** True for a text of nothing but tool calls, as models write them when they have no tools. */
function isToolCall(text: string): boolean {
  const words = text
    .trim()
    .replace(/^```\w*\n([^]*)\n```$/, '$1')
    .trim();
  const mark = /^<\|?(?:tool_call|function_calls?|tool_use|invoke)\b[^]*(?:<\/[\w:]+>|\|>)$/;
  if (mark.test(words)) return true;
  const read = jsonIn(words);
  if (!isObject(read) || typeof read['name'] !== 'string') return false;
  const given = read['arguments'] ?? read['parameters'] ?? read['input'];
  return Object.keys(read).length <= 4 && (isObject(given) || typeof given === 'string');
}

async function callKnowing(turn: Turn, state: TurnState): Promise<TurnCall> {
  const { agent, cwd } = turn;
  const canResume = state.memory !== null && resumeOf(agent, state.memory, cwd) !== null;
  const memory = canResume ? state.memory : null;
  const first = await firstCall(turn, { ...state, memory }, '');
  const { attempt } = first;
  const isLost = attempt.ended === 'failed' && attempt.failure.category === 'session-lost';
  if (memory === null || !isLost) return first;
  const again = await firstCall(turn, { ...state, memory: null }, '-again');
  again.notes.push(`${agent.name} did not know its session any more, so a new one got the history`);
  return again;
}

/** The turns before this one, its number, and the session to continue. */
export interface TurnState {
  readonly before: readonly HistoryTurn[];
  readonly number: number;
  readonly memory: AgentMemory | null;
}

export interface TurnCall {
  readonly attempt: Attempt<string>;
  readonly prompt: string;
  /** The agent’s own session that it continued. */
  readonly memory: AgentMemory | null;
  /** The session that its next turn can continue. */
  readonly after: AgentMemory | null;
  readonly injected: string;
  readonly partial: string;
  readonly commands: TurnFacts['commands'];
  readonly notes: string[];
}

function resumeOf(agent: Agent, memory: AgentMemory, cwd: string): RequestContent['resume'] {
  const { agent_session: id, input_tokens: input, output_tokens: output } = memory;
  const tokens = { input, output, cached: memory.cached_tokens };
  const session = { agent: agent.name, id, cwd: memory.cwd, tokens, model: memory.answered_by };
  return resumeIn({ cwd, agent, session });
}

async function firstCall(
  turn: Turn,
  { before, number, memory }: TurnState,
  suffix: string,
): Promise<TurnCall> {
  const { agent, question, files, form } = turn;
  const after = memory?.last_turn ?? 0;
  const turns = await tellTurns(turn, { before, after, path: turnFolder(number) });
  const told = [...(memory === null ? [turn.background] : []), turns.text];
  const injected = redactTokens(told.filter((text) => text !== '').join('\n\n'));
  const nonce = randomBytes(8).toString('hex');
  const way = form === null ? null : agent.traits.schemaWay(form.schema);
  const prompt = turnPrompt({
    question,
    history: injected,
    files,
    nonce,
    form: form === null ? null : schemaRules(form.schema, way),
  });
  const made = await call(turn, { prompt, number, memory, suffix });
  return { ...made, injected, notes: [...turns.notes] };
}

/** Asks for an answer in the form, in the same session if that can be continued. */
async function repair(
  turn: Turn,
  made: TurnCall,
  { number, errors }: { readonly number: number; readonly errors: readonly string[] },
): Promise<TurnCall> {
  const { agent, form, cwd } = turn;
  if (form === null || made.attempt.ended !== 'answered') return made;
  const { value: answer, receipt } = made.attempt;
  const goesOn = made.after !== null && resumeOf(agent, made.after, cwd) !== null;
  const prompt = repairTurnPrompt({
    before: goesOn ? null : { prompt: made.prompt, answer },
    errors,
    nonce: randomBytes(8).toString('hex'),
    form: schemaRules(form.schema, agent.traits.schemaWay(form.schema)),
  });
  const memory = goesOn ? made.after : null;
  const second = await call(turn, { prompt, number, memory, suffix: '-repair' });
  const note = 'its answer did not fit the output format at first, so it was asked again';
  const both: TurnCall = {
    ...made,
    prompt,
    after: second.after,
    partial: made.partial + second.partial,
    commands: [...made.commands, ...second.commands],
    notes: [...made.notes, note],
    attempt: { ...second.attempt, receipt: withUseOf(receipt, second.attempt.receipt) },
  };
  if (both.attempt.ended !== 'answered') return both;
  const read = readForm(form, both);
  return 'attempt' in read ? read : unfit(both, misfitReason(read));
}

/** Fails a turn whose answer cannot be used, and keeps the answer as the part that was said. */
function unfit(made: TurnCall, detail: string): TurnCall {
  const { receipt, tree, ...attempt } = made.attempt;
  const category = 'invalid-answer';
  const failure = { agent: receipt.agent, category, detail, retry_after_ms: null } as const;
  const failed = { ...receipt, failure: { category, reason: detail } } as const;
  const partial = attempt.ended === 'answered' ? attempt.value : made.partial;
  return { ...made, partial, attempt: { ended: 'failed', failure, receipt: failed, tree } };
}

/** Makes one receipt for two calls: the last one, with the usage of both. */
function withUseOf(first: Receipt, second: Receipt): Receipt {
  const [a, b] = [first.tokens, second.tokens];
  const costs = [first.cost_usd, second.cost_usd].filter((cost) => cost !== null);
  return {
    ...second,
    duration_ms: first.duration_ms + second.duration_ms,
    output_bytes: first.output_bytes + second.output_bytes,
    tokens: a === null || b === null ? (b ?? a) : addTokens(a, b),
    cost_usd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    attempts: 2,
  };
}

interface Ask {
  readonly prompt: string;
  readonly number: number;
  readonly memory: AgentMemory | null;
  readonly suffix: string;
}

async function call(turn: Turn, { prompt, number, memory, suffix }: Ask): Promise<TurnCall> {
  const { agent, role, wishes, form, cwd, extraDirs, ownSessions, folder, limits, watch } = turn;
  const commands: TurnFacts['commands'][number][] = [];
  let said = '';
  let piece = '';
  const resume = memory === null ? null : resumeOf(agent, memory, cwd);
  const own = ownSessions === undefined ? {} : { ownSessions };
  const schema = form?.schema ?? null;
  const asked: AgentCall<string> = {
    agent,
    request: { ...wishes, ...own, about: null, schema, prompt, role, resume },
    form: null,
    workspace: textWorkspace({ cwd, extraDirs }),
    files: { folder, path: turnFolder(number), suffix },
    limits,
    mark: markWith(turn.markPrefix),
    watch,
    report: {
      acted(event) {
        if (event.type === 'command')
          commands.push({ command: redactTokens(event.command), exit_code: event.exitCode });
        if (event.type === 'message' && event.partial) piece += event.content;
        else if (event.type === 'message') [said, piece] = [said + event.content, ''];
        turn.onEvent(event);
      },
    },
  };
  const attempt = await callAgent(asked, turn.signal);
  const after = memoryAfter(turn, number, { receipt: attempt.receipt, before: memory });
  const partial = said + piece;
  return { attempt, prompt, memory, after, injected: '', partial, commands, notes: [] };
}

/** Names the folder of a turn’s files, relative to that of the conversation. */
export function turnFolder(number: number): string {
  return `turns/${String(number).padStart(5, '0')}`;
}

/** Makes the memory of an agent after a call; the tokens of its session add up from its start. */
function memoryAfter(
  { agent, wishes, cwd }: Turn,
  number: number,
  { receipt, before }: { readonly receipt: Receipt; readonly before: AgentMemory | null },
): AgentMemory | null {
  const { agent_session: id, tokens, version, model } = receipt;
  if (id === null) return null;
  const since = before?.agent_session === id ? before : null;
  return {
    agent: agent.name,
    agent_session: id,
    cwd,
    model: wishes.model,
    cli_version: version ?? since?.cli_version ?? null,
    last_turn: number,
    input_tokens: (since?.input_tokens ?? 0) + (tokens?.input ?? 0),
    output_tokens: (since?.output_tokens ?? 0) + (tokens?.output ?? 0),
    cached_tokens: (since?.cached_tokens ?? 0) + (tokens?.cached ?? 0),
    answered_by: model,
  };
}

/** Reads the JSON object in an answer; lists the errors if it does not fit the user’s schema. */
function readForm(form: UserSchema, made: TurnCall): TurnCall | readonly string[] {
  const { attempt } = made;
  if (attempt.ended !== 'answered') return made;
  const { required, properties } = form.schema;
  const names = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : [];
  const known = isObject(properties) ? Object.keys(properties) : [];
  const found = extractJson(attempt.value, names.length > 0 ? names : known);
  if (!found.ok) return [found.failure.reason];
  const findings = form.check(found.value.value);
  if (findings.length > 0) return findings.map(lineOf);
  const value = JSON.stringify(found.value.value, null, 2);
  return { ...made, attempt: { ...attempt, value } };
}

function lineOf({ pointer, message }: SchemaFinding): string {
  const field = pointer.slice(1).replaceAll('/', '.');
  return `${field === '' ? 'the answer' : field} ${message}`;
}

/** The most errors that a failure names. */
const mostNamed = 3;

/** Says in one clause why an answer cannot be used, and names the fields. */
function misfitReason(errors: readonly string[]): string {
  const more = errors.length - mostNamed;
  const named = [...errors.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])];
  return `its answer does not fit the output format, also when asked again: ${listed(named)}`;
}
