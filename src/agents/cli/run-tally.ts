// Adds up the events of one run.
import type { AgentEvent } from '../../model/agent-event.ts';
import { counted } from '../../model/wording.ts';
import type { AgentAdapter, AgentRequest, RunFacts } from '../agent.ts';

type EventOf<K extends AgentEvent['kind']> = Extract<AgentEvent, { kind: K }>;

/** The sum of the events of a run so far. */
export interface RunSum {
  /** True if the last outcome is a completion, not an error. */
  readonly completed: boolean;
  /** The last error that was not followed by `completed`. */
  readonly error: EventOf<'error'> | null;
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
   * only pieces, then the event; nothing if it is only counted, in a flood of text or of unknown
   * lines.
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
const deeds = new Set<AgentEvent['kind']>(['tool-call', 'file-read', 'file-change', 'command']);
// A message is complete when its agent does something, or has answered.
const ends = new Set<AgentEvent['kind']>([...deeds, 'approval-needed', 'completed']);
// These events show that a retry has succeeded.
const progress = new Set<AgentEvent['kind']>(['message', 'thinking', 'tool-output', ...deeds]);

/** Counts the events of one run. `usage` events are shares and are summed. */
export function runTally(): RunTally {
  let outcome: EventOf<'completed' | 'error'> | null = null;
  let message: string | null = null;
  let partial = '';
  let isPartialCut = false;
  /** The message made of pieces so far, and the last such message. */
  let pieces = '';
  let joined: string | null = null;
  let thinking = '';
  let told = 0;
  let started: EventOf<'started'> | null = null;
  let tokens: RunFacts['tokens'] = null;
  let costUsd: number | null = null;
  let retrying: string | null = null;
  let serverWait: number | null = null;
  let calling: string | null = null;
  let unknownEvents = 0;
  const overlong = { lines: 0, longest: 0 };
  let impossible: number | null = null;
  const filesChanged = new Set<string>();
  const plainLines: string[] = [];

  function addMessage({ text, partial: isPartial }: EventOf<'message'>): void {
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
    if (event.kind === 'message') {
      pieces = event.partial ? pieces + event.text.slice(0, mostText - pieces.length) : '';
      return [];
    }
    if (pieces.trim() === '' || !ends.has(event.kind)) return [];
    [joined, pieces] = [pieces, ''];
    return told > mostText ? [] : [{ kind: 'message', text: joined, partial: false }];
  }

  /** True if an agent repeats a message that was already made whole. */
  function isRepeated(event: AgentEvent): boolean {
    if (event.kind !== 'message') return false;
    const isSame = !event.partial && event.text === joined;
    joined = null;
    return isSame;
  }

  function addUsage({ tokens: share, cost_usd }: EventOf<'usage'>): void {
    const isEstimated = share.estimated ?? tokens?.estimated;
    tokens = {
      ...(isEstimated === true ? { estimated: true } : {}),
      input: (tokens?.input ?? 0) + share.input,
      output: (tokens?.output ?? 0) + share.output,
      cached: (tokens?.cached ?? 0) + share.cached,
    };
    if (cost_usd !== null) costUsd = (costUsd ?? 0) + cost_usd;
  }

  function sound(event: AgentEvent): AgentEvent {
    if (event.kind !== 'usage') return event;
    const { input, output, cached } = event.tokens;
    const usd = event.cost_usd;
    return {
      ...event,
      tokens: {
        ...event.tokens,
        input: possible(input, mostTokens - (tokens?.input ?? 0)),
        output: possible(output, mostTokens - (tokens?.output ?? 0)),
        cached: possible(cached, mostTokens - (tokens?.cached ?? 0)),
      },
      cost_usd: usd === null ? null : possible(usd, mostUsd - (costUsd ?? 0)),
    };
  }

  function possible(amount: number, most: number): number {
    if (amount >= 0 && amount <= most) return amount;
    impossible = amount;
    return 0;
  }

  function addUnknown({ line }: EventOf<'unknown'>): void {
    unknownEvents += 1;
    if (/^\s*[[{]/.test(line)) return;
    plainLines.push(line.slice(0, 1_000));
    if (plainLines.length > mostPlainLines) plainLines.shift();
  }

  /** False in a flood of text or unknown lines, because a follower of a run may keep all that it says. */
  function isShown(event: AgentEvent): boolean {
    if (event.kind === 'unknown') return unknownEvents <= mostUnknownTold;
    if (event.kind !== 'message' && event.kind !== 'thinking') return true;
    told += event.text.length;
    return told <= mostText;
  }

  function count(event: AgentEvent): void {
    switch (event.kind) {
      case 'message':
        return addMessage(event);
      case 'completed':
        outcome = event;
        return;
      case 'error':
        outcome = { ...event, retry_after_ms: event.retry_after_ms ?? serverWait };
        return;
      case 'started':
        started = {
          ...event,
          agent_session: event.agent_session ?? started?.agent_session ?? null,
          model: event.model ?? started?.model ?? null,
        };
        return;
      case 'usage':
        return addUsage(event);
      case 'file-change':
        if (filesChanged.size < mostFiles) filesChanged.add(event.path);
        return;
      case 'retrying':
        retrying = event.reason;
        serverWait = waitAskedByServer(event.delay_ms);
        return;
      case 'unknown':
        return addUnknown(event);
      case 'tool-call':
        calling = `${event.name} ${event.detail}`.trim();
        return;
      case 'thinking':
        if (thinking.length < mostText) thinking += event.text;
        return;
      case 'tool-output':
      case 'file-read':
      case 'command':
      case 'approval-needed':
      case 'cancelled':
      case 'warning':
        return;
    }
  }

  function sum(): RunSum {
    const completed = outcome?.kind === 'completed' ? outcome : null;
    const whole = completed?.text?.slice(0, mostText) ?? message ?? partial;
    const [block = '', thoughts = ''] = /^\s*<think>([^]*?)<\/think>\s*/.exec(whole) ?? [];
    return {
      completed: completed !== null,
      error: outcome?.kind === 'error' ? outcome : null,
      retrying,
      calling,
      text: whole.slice(block.length),
      reasoning: thinking + thoughts,
      plainOutput: plainLines.join('\n'),
      facts: {
        agentSession: started?.agent_session ?? null,
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
    add(event) {
      if (progress.has(event.kind)) retrying = null;
      if (progress.has(event.kind) || event.kind === 'warning') calling = null;
      const whole = wholeBefore(event);
      const isNew = !isRepeated(event);
      if (deeds.has(event.kind)) dropPartial();
      count(event);
      return isNew && isShown(event) ? [...whole, event] : whole;
    },
    leftOut(bytes) {
      overlong.lines += 1;
      overlong.longest = Math.max(overlong.longest, bytes);
      return { kind: 'unknown', line: `(a line of ${bytes} bytes was left out)` };
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
  const changed: Record<string, string> = {};
  for (const [name, value] of Object.entries(event)) {
    if (typeof value !== 'string') continue;
    const whole = name === 'diff' ? withoutContext(safe(value)) : safe(value);
    const told = longFields.has(name) ? withoutMiddle(whole) : whole;
    if (told !== value) changed[name] = told;
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
    if (event.kind !== 'usage') return event;
    const { input, output, cached } = event.tokens;
    const tokens = {
      input: Math.max(0, input - known.input),
      output: Math.max(0, output - known.output),
      cached: Math.max(0, cached - known.cached),
    };
    known = event.tokens;
    return { ...event, tokens };
  };
}
