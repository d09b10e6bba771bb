import type { AgentEvent } from '../model/agent-event.ts';
import { counted } from '../model/wording.ts';
import type { AgentAdapter, AgentRequest, RunFacts } from './agent.ts';

type ErrorEvent = Extract<AgentEvent, { kind: 'error' }>;

/** What the events of one run add up to. `usage` events are shares and are summed. */
export type RunTally = ReturnType<typeof runTally>;

// Far beyond any answer.
const mostPartialText = 4 * 1024 * 1024;
const mostPlainLines = 20;
const mostUnknownTold = 10_000;
const mostFiles = 1_000;
// What an agent says before it does something is not its answer.
const deeds = new Set<AgentEvent['kind']>(['tool-call', 'file-read', 'file-change', 'command']);
// Shows that a retry has succeeded.
const progress = new Set<AgentEvent['kind']>(['message', 'thinking', 'tool-output', ...deeds]);

export function runTally() {
  let outcome: Extract<AgentEvent, { kind: 'completed' }> | ErrorEvent | null = null;
  let message: string | null = null;
  let partials: string[] = [];
  let partialLength = 0;
  let started: Extract<AgentEvent, { kind: 'started' }> | null = null;
  let tokens: RunFacts['tokens'] = null;
  let costUsd: number | null = null;
  let retrying: string | null = null;
  let calling: string | null = null;
  let unknownEvents = 0;
  let leftOutLines = 0;
  let longestLeftOut = 0;
  const filesChanged = new Set<string>();
  const plainLines: string[] = [];

  function addMessage(text: string, partial: boolean): void {
    if (!partial) {
      message = text;
      dropPartials();
    } else if (message === null && (partialLength += text.length) <= mostPartialText) {
      partials.push(text);
    }
  }

  function dropPartials(): void {
    partials = [];
    partialLength = 0;
  }

  function addUsage({ tokens: share, cost_usd }: Extract<AgentEvent, { kind: 'usage' }>): void {
    tokens = {
      input: (tokens?.input ?? 0) + share.input,
      output: (tokens?.output ?? 0) + share.output,
      cached: (tokens?.cached ?? 0) + share.cached,
    };
    if (cost_usd !== null) costUsd = (costUsd ?? 0) + cost_usd;
  }

  function addUnknown(line: string): void {
    unknownEvents += 1;
    if (/^\s*[[{]/.test(line)) return;
    plainLines.push(line.slice(0, 1_000));
    if (plainLines.length > mostPlainLines) plainLines.shift();
  }

  function count(event: AgentEvent): void {
    if (progress.has(event.kind)) retrying = null;
    if (progress.has(event.kind) || event.kind === 'warning') calling = null;
    if (deeds.has(event.kind)) dropPartials();
    switch (event.kind) {
      case 'message':
        return addMessage(event.text, event.partial);
      case 'completed':
      case 'error':
        outcome = event;
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
        return;
      case 'unknown':
        return addUnknown(event.line);
      case 'tool-call':
        calling = `${event.name} ${event.detail}`.trim();
        return;
      case 'thinking':
      case 'tool-output':
      case 'file-read':
      case 'command':
      case 'approval-needed':
      case 'cancelled':
      case 'warning':
        return;
    }
  }

  function notes(): string[] {
    const found: string[] = [];
    if (unknownEvents > mostUnknownTold) found.push('most of its unknown lines were only counted');
    if (partialLength > mostPartialText) found.push('only the first 4 MB of its text were kept');
    if (leftOutLines > 0) {
      const lines = counted(leftOutLines, 'line');
      found.push(`${lines} over 1 MB left out, the longest of ${longestLeftOut} bytes`);
    }
    return found;
  }

  return {
    /** False for an event that is only counted, in a flood of unknown ones. */
    add(event: AgentEvent): boolean {
      count(event);
      return event.kind !== 'unknown' || unknownEvents <= mostUnknownTold;
    },
    /** The event for a line that was too long to be read. */
    leftOut(bytes: number): AgentEvent {
      leftOutLines += 1;
      longestLeftOut = Math.max(longestLeftOut, bytes);
      return { kind: 'unknown', line: `(a line of ${bytes} bytes was left out)` };
    },
    /** Whether the last outcome is a completion, not an error. */
    get completed() {
      return outcome?.kind === 'completed';
    },
    /** The last error that no `completed` followed. */
    get error() {
      return outcome?.kind === 'error' ? outcome : null;
    },
    /** Why it is retrying, until something follows. */
    get retrying() {
      return retrying;
    },
    /** The tool call that nothing has followed yet. */
    get calling() {
      return calling;
    },
    get agentSession() {
      return started?.agent_session ?? null;
    },
    /** The final text; empty if there is none. */
    text() {
      const repeated = outcome?.kind === 'completed' ? outcome.text : null;
      return repeated ?? message ?? partials.join('');
    },
    /** The last plain lines, where the program wrote something that was no event. */
    plainOutput: () => plainLines.join('\n'),
    facts: () => ({
      agentSession: started?.agent_session ?? null,
      model: (outcome?.kind === 'completed' ? outcome.model : null) ?? started?.model ?? null,
      version: started?.version ?? null,
      tokens,
      costUsd,
      unknownEvents,
      filesChanged: [...filesChanged],
      notes: notes(),
    }),
  };
}

const longest = { lines: 40, characters: 2_000 };

/** An event with `safe` texts, and without the middle of long ones. */
export function boundedEvent(event: AgentEvent, safe: (text: string) => string): AgentEvent {
  const changed: Record<string, string> = {};
  for (const [name, value] of Object.entries(event)) {
    if (typeof value !== 'string') continue;
    const told = longFields.has(name) ? withoutMiddle(safe(value)) : safe(value);
    if (told !== value) changed[name] = told;
  }
  return Object.keys(changed).length === 0 ? event : { ...event, ...changed };
}

const longFields = new Set(['detail', 'input', 'output', 'diff']);

// The beginning shows what it is, the end how it went.
function withoutMiddle(text: string): string {
  const lines = text.trimEnd().split('\n');
  const missing = lines.length - longest.lines;
  const cut = `… ${counted(missing, 'line')} cut`;
  const short = (missing <= 0 ? lines : lines.toSpliced(longest.lines / 2, missing, cut)).join(
    '\n',
  );
  const over = short.length - longest.characters;
  if (over <= 0) return short;
  const half = longest.characters / 2;
  const ends = [short.slice(0, half), short.slice(-half)];
  return ends.join(`\n… ${counted(over, 'character')} cut\n`);
}

type Usage = Extract<AgentEvent, { kind: 'usage' }>;

/**
 * Turns the running totals of `usage` events into increments, for CLIs that count over their whole
 * session. What earlier runs used (`resume.spent`) has been recorded then; if that is unknown, the
 * first total counts as it is, so that no budget is exceeded unnoticed.
 */
export function usageShare(
  { usageOfSession }: Pick<AgentAdapter, 'usageOfSession'>,
  { resume }: Pick<AgentRequest, 'resume'>,
): (event: AgentEvent) => AgentEvent {
  if (usageOfSession !== true) return (event) => event;
  let known = resume?.spent ?? { input: 0, output: 0, cached: 0 };

  function share(event: Usage): Usage {
    const { input, output, cached } = event.tokens;
    const tokens = {
      input: Math.max(0, input - known.input),
      output: Math.max(0, output - known.output),
      cached: Math.max(0, cached - known.cached),
    };
    known = event.tokens;
    return { ...event, tokens };
  }

  return (event) => (event.kind === 'usage' ? share(event) : event);
}
