// Adds up the events of one run.
import type { AgentEvent, AgentEventOf, TokenCounts } from '../../model/agent-event.ts';
import { addTokens, beginsCall, errorOf, messageOf } from '../../model/make-events.ts';
import { jsonIn } from '../../model/json.ts';
import { counted } from '../../model/wording.ts';
import type { AgentAdapter, AgentRequest, RunFacts } from '../agent.ts';

/** The sum of the events of a run so far. */
export interface RunSum {
  /** True if the last outcome is a completion, not an error. */
  readonly completed: boolean;
  /** The last error that was not followed by `completed`. */
  readonly error: AgentEventOf<'error'> | null;
  /** Why it is retrying, until something else comes. */
  readonly retrying: string | null;
  /** The tool call that was not followed by anything yet. */
  readonly calling: string | null;
  /** The final text, without leading reasoning; may be empty. */
  readonly text: string;
  /** Its reasoning since it last did something. */
  readonly reasoning: string;
  /** The last plain lines, if the program wrote something other than events. */
  readonly plainOutput: string;
  readonly facts: Pick<
    RunFacts,
    | 'agentSession'
    | 'model'
    | 'version'
    | 'tokens'
    | 'costUsd'
    | 'unknownEvents'
    | 'filesChanged'
    | 'notes'
  >;
}

// The most text in characters, far beyond any answer.
const mostText = 4 * 1024 * 1024;
const mostPlainLines = 20;
const mostUnknownTold = 10_000;
const mostFiles = 1_000;
/** The most tokens and money that a run can use; higher amounts are errors. */
const mostTokens = 10_000_000_000;
const mostUsd = 1_000_000;
// A text that an agent writes before it does something is not its answer.
const deeds = new Set<AgentEvent['type']>(['file_read', 'file_change', 'command']);
const isDeed = (event: AgentEvent) => beginsCall(event) || deeds.has(event.type);
// These events show that a retry has succeeded.
const progress = new Set<AgentEvent['type']>(['message', 'thinking', 'tool_call', ...deeds]);

/** Counts the events of one run. `usage` events are shares and are summed. */
export function runTally() {
  const [words, use, calls] = [wordTally(), useTally(), callTally()];
  const filesChanged = new Set<string>();
  const plainLines: string[] = [];
  const overlong = { lines: 0, longest: 0 };
  let outcome: AgentEventOf<'completed' | 'error'> | null = null;
  let started: Partial<AgentEventOf<'started'>> = {};
  let retrying: AgentEventOf<'retrying'> | null = null;
  let serverWait: number | null = null;
  let unknownEvents = 0;

  function count(event: AgentEvent): void {
    if (progress.has(event.type)) retrying = null;
    if (event.type === 'completed') outcome = event;
    if (event.type === 'error')
      outcome = errorOf(event.category, event.message, event.retryAfter ?? serverWait);
    if (event.type === 'started') {
      const { agentSession = null, model = null } = started;
      started = { ...event, agentSession: event.agentSession ?? agentSession };
      started.model = event.model ?? model;
    }
    if (event.type === 'usage' && event.window === undefined) use.add(event);
    if (event.type === 'file_change' && filesChanged.size < mostFiles) filesChanged.add(event.path);
    if (event.type === 'retrying') {
      retrying = event;
      serverWait = waitAskedByServer(event.delay);
    }
    if (event.type !== 'unknown') return;
    unknownEvents += 1;
    if (/^\s*[[{]/.test(event.line)) return;
    plainLines.push(event.line.slice(0, 1_000));
    if (plainLines.length > mostPlainLines) plainLines.shift();
  }

  function sum(): RunSum {
    const completed = outcome?.type === 'completed' ? outcome : null;
    const { agentSession = null, model = null, version = null } = started;
    const { lines, longest: bytes } = overlong;
    const notes = [
      ...(unknownEvents > mostUnknownTold ? ['most of its unknown lines were only counted'] : []),
      ...use.notes(),
      ...words.notes(),
      ...(lines === 0
        ? []
        : [`${counted(lines, 'line')} over 1 MB left out, the longest of ${bytes} bytes`]),
    ];
    const answer = { model: completed?.model ?? model, version, unknownEvents, notes };
    return {
      completed: completed !== null,
      error: outcome?.type === 'error' ? outcome : null,
      retrying: retrying?.reason ?? null,
      calling: calls.open(),
      // These are only read at the end, since each reading joins all pieces.
      get text() {
        return words.sum(completed?.summary).text;
      },
      get reasoning() {
        return words.sum(completed?.summary).reasoning;
      },
      plainOutput: plainLines.join('\n'),
      facts: { agentSession, ...use.sum(), ...answer, filesChanged: [...filesChanged] },
    };
  }

  return {
    /**
     * Counts an event, and returns what is shown of it: first the whole message if its agent sent
     * only pieces, then the event, with what only its call named; nothing if it is only counted, in a
     * flood of text or of unknown lines, because a follower of a run may keep all that it says. Amounts
     * that no run can use count as nothing.
     */
    add(given: AgentEvent): readonly AgentEvent[] {
      const whole = calls.complete(given);
      const event = whole.type === 'usage' ? use.sound(whole) : whole;
      count(event);
      const shown = words.add(event);
      return event.type === 'unknown' && unknownEvents > mostUnknownTold ? [] : shown;
    },
    /** Makes the event for a line that was too long to be read. */
    leftOut: (bytes: number): AgentEvent => {
      overlong.lines += 1;
      overlong.longest = Math.max(overlong.longest, bytes);
      return { type: 'unknown', line: `(a line of ${bytes} bytes was left out)` };
    },
    sum,
  };
}

/** Adds up what an agent says: whole messages, or their pieces until it does something. */
function wordTally() {
  let message: string | null = null;
  let [partial, thinking, isCut] = ['', '', false];
  /** The length of `partial` that was shown as a whole message, and the characters of all that was shown. */
  let [wholes, told] = [0, 0];
  const drop = () => {
    [partial, thinking, isCut, wholes] = ['', '', false, 0];
  };

  /** Makes the whole message that ends with an event, if its agent sent only pieces. */
  function wholeBefore(event: AgentEvent): readonly AgentEvent[] {
    const isEnd = event.type === 'approval_needed' || event.type === 'completed';
    if (!isEnd && !isDeed(event)) return [];
    const whole = partial.slice(wholes);
    wholes = partial.length;
    return whole.trim() === '' || told > mostText ? [] : [messageOf(whole)];
  }

  return {
    /** Returns what is shown with an event: the whole message before it, and itself but in a flood. */
    add(event: AgentEvent): readonly AgentEvent[] {
      const whole = wholeBefore(event);
      if (isDeed(event)) drop();
      if (event.type !== 'message' && event.type !== 'thinking') return [...whole, event];
      const { content } = event;
      told += content.length;
      if (event.type === 'thinking') thinking += content.slice(0, mostText - thinking.length);
      else if (event.partial) {
        isCut ||= partial.length + content.length > mostText;
        partial += content.slice(0, mostText - partial.length);
      } else {
        message = content.slice(0, mostText);
        drop();
      }
      return told > mostText ? [] : [event];
    },
    sum(summary: string | null | undefined) {
      const whole = summary?.slice(0, mostText) ?? message ?? partial;
      const [block = '', thoughts = ''] = /^\s*<think>([^]*?)<\/think>\s*/.exec(whole) ?? [];
      return { text: whole.slice(block.length), reasoning: thinking + thoughts };
    },
    notes: () =>
      isCut && message === null
        ? ['only the first 4 MB of its text were kept']
        : told > mostText
          ? ['only the first 4 MB of its words were shown']
          : [],
  };
}

/** Adds up tokens and money, and takes amounts that no run can use for nothing. */
function useTally() {
  let [tokens, costUsd, impossible]: [RunFacts['tokens'], number | null, number | null] = [
    null,
    null,
    null,
  ];
  const possible = (amount: number, most: number): number => {
    if (amount >= 0 && amount <= most) return amount;
    impossible = amount;
    return 0;
  };
  const before = (): TokenCounts => tokens ?? { input: 0, output: 0, cached: 0 };
  return {
    sound(event: AgentEventOf<'usage'>): AgentEventOf<'usage'> {
      const { input, output, cached } = before();
      const { costUsd: usd } = event;
      return {
        ...event,
        inputTokens: possible(event.inputTokens, mostTokens - input),
        outputTokens: possible(event.outputTokens, mostTokens - output),
        cachedTokens: possible(event.cachedTokens, mostTokens - cached),
        costUsd: usd === null ? null : possible(usd, mostUsd - (costUsd ?? 0)),
      };
    },
    add({
      estimated,
      inputTokens,
      outputTokens,
      cachedTokens,
      costUsd: usd,
    }: AgentEventOf<'usage'>) {
      const more = { estimated, input: inputTokens, output: outputTokens, cached: cachedTokens };
      tokens = addTokens(before(), more);
      if (usd !== null) costUsd = (costUsd ?? 0) + usd;
    },
    sum: () => ({ tokens, costUsd }),
    notes: () => [
      ...(impossible === null
        ? []
        : [`it reported using ${impossible}, which is impossible, so it does not count`]),
      ...(tokens?.estimated === true
        ? ['its server reported no usage, so its tokens are an estimate']
        : []),
    ],
  };
}

/** Remembers what tool calls said about themselves, and which one is under way. */
function callTally() {
  const calls = new Map<string, Pick<AgentEventOf<'tool_call'>, 'name' | 'input' | 'detail'>>();
  let calling: string | null = null;
  return {
    open: () => calling,
    /** Adds to a finished command and to an output what only the call told. */
    complete(event: AgentEvent): AgentEvent {
      if (progress.has(event.type) || event.type === 'warning') calling = null;
      if (event.type === 'command' && event.command === '')
        return { ...event, command: calls.get(event.id ?? '')?.detail ?? '' };
      if (event.type !== 'tool_call') return event;
      const { name, input, detail, id } = event;
      if (beginsCall(event)) {
        calls.set(id ?? '', { name, input, detail });
        calling = `${name} ${detail}`.trim();
      } else if (name === '') return { ...event, name: 'other', ...calls.get(id ?? '') };
      return event;
    },
  };
}

/**
 * The wait that a server asked for: one that a CLI chooses itself has a random part, so whole
 * seconds are the server’s.
 */
function waitAskedByServer(delayMs: number | null): number | null {
  return delayMs !== null && delayMs > 0 && delayMs % 1_000 === 0 ? delayMs : null;
}

const longest = { lines: 40, characters: 2_000 };

/** An event with `safe` texts, and without the middle of long ones. */
export function boundEvent(event: AgentEvent, safe: (text: string) => string): AgentEvent {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(event)) {
    const isText = typeof value === 'string' && name !== 'type';
    if (!isText && (name !== 'input' || value === null)) continue;
    const text = isText ? value : JSON.stringify(value);
    const whole = name === 'diff' ? withoutContext(safe(text)) : safe(text);
    const told = longFields.has(name) ? withoutMiddle(whole) : whole;
    // An input that was cut is no longer JSON.
    if (told !== text) changed[name] = isText ? told : (jsonIn(told) ?? told);
  }
  return Object.keys(changed).length === 0 ? event : { ...event, ...changed };
}

const longFields = new Set(['detail', 'input', 'output', 'diff']);

/** Drops the unchanged lines of a diff that would otherwise be cut. */
function withoutContext(diff: string): string {
  const lines = diff.trimEnd().split('\n');
  const isShort = lines.length <= longest.lines && diff.length <= longest.characters;
  return isShort ? diff : lines.filter((line) => !line.startsWith(' ')).join('\n');
}

// The beginning shows what it is, the end how it went.
function withoutMiddle(text: string): string {
  const lines = text.trimEnd().split('\n');
  const missing = lines.length - longest.lines;
  const cut = `… ${counted(missing, 'line')} cut`;
  const kept = missing <= 0 ? lines : lines.toSpliced(longest.lines / 2, missing, cut);
  const short = kept.join('\n');
  const over = short.length - longest.characters;
  if (over <= 0) return short;
  const half = longest.characters / 2;
  return `${short.slice(0, half)}\n… ${counted(over, 'character')} cut\n${short.slice(-half)}`;
}

/**
 * Turns the running totals of `usage` events into increments, for CLIs that count over their whole
 * session. The usage of earlier runs (`resume.spent`) was recorded then; if it is unknown, the
 * first total counts in full, so that no budget is exceeded unnoticed.
 */
export function usageShare(
  { usageOfSession }: Pick<AgentAdapter, 'usageOfSession'>,
  { resume }: Pick<AgentRequest, 'resume'>,
): (event: AgentEvent) => AgentEvent {
  if (usageOfSession !== true) return (event) => event;
  let known = resume?.spent ?? { input: 0, output: 0, cached: 0 };
  return (event) => {
    if (event.type !== 'usage' || event.window !== undefined) return event;
    const { inputTokens: input, outputTokens: output, cachedTokens: cached } = event;
    const before = known;
    known = { input, output, cached };
    return {
      ...event,
      inputTokens: Math.max(0, input - before.input),
      outputTokens: Math.max(0, output - before.output),
      cachedTokens: Math.max(0, cached - before.cached),
    };
  };
}
