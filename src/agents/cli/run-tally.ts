// Adds up the events of one run.
import type { AgentEvent, AgentEventOf } from '../../model/agent-event.ts';
import { beginsCall, errorOf, messageOf } from '../../model/make-events.ts';
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

interface RunTally {
  /** Returns the event with plausible amounts: amounts that no run can use count as nothing. */
  sound(event: AgentEvent): AgentEvent;
  /**
   * Counts an event, and returns what is shown of it: first the whole message if its agent sent
   * only pieces, then the event, with what only its call named; nothing if it is only counted, in a
   * flood of text or of unknown lines.
   */
  add(event: AgentEvent): readonly AgentEvent[];
  /** Makes the event for a line that was too long to be read. */
  readonly leftOut: (bytes: number) => AgentEvent;
  sum(): RunSum;
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
// A message is complete when its agent does something, or has answered.
const ends = new Set<AgentEvent['type']>(['approval_needed', 'completed']);
// These events show that a retry has succeeded.
const progress = new Set<AgentEvent['type']>(['message', 'thinking', 'tool_call', ...deeds]);

/** Counts the events of one run. `usage` events are shares and are summed. */
export function runTally(): RunTally {
  let outcome: AgentEventOf<'completed' | 'error'> | null = null;
  let message: string | null = null;
  let partial = '';
  let isPartialCut = false;
  /** The message made of pieces so far. */
  let pieces = '';
  let thinking = '';
  let told = 0;
  let started: AgentEventOf<'started'> | null = null;
  let tokens: RunFacts['tokens'] = null;
  let costUsd: number | null = null;
  let retrying: string | null = null;
  let serverWait: number | null = null;
  let calling: string | null = null;
  /** The words of each tool call about itself, by its id. */
  const calls = new Map<string, Pick<AgentEventOf<'tool_call'>, 'name' | 'input' | 'detail'>>();
  let unknownEvents = 0;
  const overlong = { lines: 0, longest: 0 };
  let impossible: number | null = null;
  const filesChanged = new Set<string>();
  const plainLines: string[] = [];

  function addMessage({ content: text, partial: isPartial }: AgentEventOf<'message'>): void {
    if (!isPartial) {
      message = text.slice(0, mostText);
      dropPartial();
    } else if (message === null) {
      const room = mostText - partial.length;
      isPartialCut ||= text.length > room;
      partial += text.slice(0, room);
    }
  }

  function dropPartial(): void {
    [partial, thinking, isPartialCut] = ['', '', false];
  }

  /** Makes the whole message that ends with an event, if its agent sent only pieces. */
  function wholeBefore(event: AgentEvent): readonly AgentEvent[] {
    if (event.type === 'message') {
      pieces = event.partial ? pieces + event.content.slice(0, mostText - pieces.length) : '';
      return [];
    }
    if (pieces.trim() === '' || !(isDeed(event) || ends.has(event.type))) return [];
    const whole = messageOf(pieces);
    pieces = '';
    return told > mostText ? [] : [whole];
  }

  function addUsage(share: AgentEventOf<'usage'>): void {
    if (share.window !== undefined) return;
    const isEstimated = share.estimated ?? tokens?.estimated;
    tokens = {
      ...(isEstimated === true ? { estimated: true } : {}),
      input: (tokens?.input ?? 0) + share.inputTokens,
      output: (tokens?.output ?? 0) + share.outputTokens,
      cached: (tokens?.cached ?? 0) + share.cachedTokens,
    };
    if (share.costUsd !== null) costUsd = (costUsd ?? 0) + share.costUsd;
  }

  /** Adds to a finished command and to an output what only the call told. */
  function withCall(event: AgentEvent): AgentEvent {
    if (event.type !== 'tool_call' && event.type !== 'command') return event;
    const id = event.id ?? '';
    if (event.type === 'command') {
      return event.command === '' ? { ...event, command: calls.get(id)?.detail ?? '' } : event;
    }
    const { name, input, detail } = event;
    if (beginsCall(event)) calls.set(id, { name, input, detail });
    if (beginsCall(event) || name !== '') return event;
    return { ...event, name: 'other', ...calls.get(id) };
  }

  function sound(event: AgentEvent): AgentEvent {
    if (event.type !== 'usage') return event;
    const { inputTokens, outputTokens, cachedTokens, costUsd: usd } = event;
    return {
      ...event,
      inputTokens: possible(inputTokens, mostTokens - (tokens?.input ?? 0)),
      outputTokens: possible(outputTokens, mostTokens - (tokens?.output ?? 0)),
      cachedTokens: possible(cachedTokens, mostTokens - (tokens?.cached ?? 0)),
      costUsd: usd === null ? null : possible(usd, mostUsd - (costUsd ?? 0)),
    };
  }

  function possible(amount: number, most: number): number {
    if (amount >= 0 && amount <= most) return amount;
    impossible = amount;
    return 0;
  }

  function addUnknown({ line }: AgentEventOf<'unknown'>): void {
    unknownEvents += 1;
    if (/^\s*[[{]/.test(line)) return;
    plainLines.push(line.slice(0, 1_000));
    if (plainLines.length > mostPlainLines) plainLines.shift();
  }

  /** False in a flood of text or unknown lines, because a follower of a run may keep all that it says. */
  function isShown(event: AgentEvent): boolean {
    if (event.type === 'unknown') return unknownEvents <= mostUnknownTold;
    if (event.type !== 'message' && event.type !== 'thinking') return true;
    told += event.content.length;
    return told <= mostText;
  }

  function count(event: AgentEvent): void {
    switch (event.type) {
      case 'message':
        return addMessage(event);
      case 'completed':
        outcome = event;
        return;
      case 'error':
        outcome = errorOf(event.category, event.message, event.retryAfter ?? serverWait);
        return;
      case 'started':
        started = {
          ...event,
          agentSession: event.agentSession ?? started?.agentSession ?? null,
          model: event.model ?? started?.model ?? null,
        };
        return;
      case 'usage':
        return addUsage(event);
      case 'file_change':
        if (filesChanged.size < mostFiles) filesChanged.add(event.path);
        return;
      case 'retrying':
        retrying = event.reason;
        serverWait = waitAskedByServer(event.delay);
        return;
      case 'unknown':
        return addUnknown(event);
      case 'tool_call':
        if (beginsCall(event)) calling = `${event.name} ${event.detail}`.trim();
        return;
      case 'thinking':
        if (thinking.length < mostText) thinking += event.content;
        return;
      case 'file_read':
      case 'command':
      case 'approval_needed':
      case 'cancelled':
      case 'warning':
        return;
    }
  }

  function sum(): RunSum {
    const completed = outcome?.type === 'completed' ? outcome : null;
    const whole = completed?.summary?.slice(0, mostText) ?? message ?? partial;
    const [block = '', thoughts = ''] = /^\s*<think>([^]*?)<\/think>\s*/.exec(whole) ?? [];
    return {
      completed: completed !== null,
      error: outcome?.type === 'error' ? outcome : null,
      retrying,
      calling,
      text: whole.slice(block.length),
      reasoning: thinking + thoughts,
      plainOutput: plainLines.join('\n'),
      facts: {
        agentSession: started?.agentSession ?? null,
        model: completed?.model ?? started?.model ?? null,
        version: started?.version ?? null,
        tokens,
        costUsd,
        unknownEvents,
        filesChanged: [...filesChanged],
        notes: notes(),
      },
    };
  }

  function notes(): string[] {
    const { lines, longest: bytes } = overlong;
    return [
      ...(unknownEvents > mostUnknownTold ? ['most of its unknown lines were only counted'] : []),
      ...(impossible === null
        ? []
        : [`it reported using ${impossible}, which is impossible, so it does not count`]),
      ...(tokens?.estimated === true
        ? ['its server reported no usage, so its tokens are an estimate']
        : []),
      ...(isPartialCut ? ['only the first 4 MB of its text were kept'] : []),
      ...(told > mostText && !isPartialCut ? ['only the first 4 MB of its words were shown'] : []),
      ...(lines === 0
        ? []
        : [`${counted(lines, 'line')} over 1 MB left out, the longest of ${bytes} bytes`]),
    ];
  }

  return {
    sound,
    add(given) {
      const event = withCall(given);
      if (progress.has(event.type)) retrying = null;
      if (progress.has(event.type) || event.type === 'warning') calling = null;
      const whole = wholeBefore(event);
      if (isDeed(event)) dropPartial();
      count(event);
      return isShown(event) ? [...whole, event] : whole;
    },
    leftOut(bytes) {
      overlong.lines += 1;
      overlong.longest = Math.max(overlong.longest, bytes);
      return { type: 'unknown', line: `(a line of ${bytes} bytes was left out)` };
    },
    sum,
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
    const isText = typeof value === 'string';
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
