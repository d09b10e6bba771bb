import type { Config } from '../../model/config.ts';
import type { McpServer } from '../../context/mcp/provider.ts';
import { plainQueries, presets } from '../../context/mcp/presets.ts';
import type { Leaf, Leaves } from './leaf.ts';

/** How code is searched for. Times in ms. */
export interface ContextSettings {
  /** In the order in which they are asked. */
  readonly providers: readonly ('mcp' | 'local' | 'ripgrep' | 'scan')[];
  readonly maxFiles: number;
  readonly timeoutMs: number;
  /** Whether one agent puts the found files in order. */
  readonly rerank: 'off' | 'agent';
  /** Null where no server is configured, it is switched off, or it is not among the providers. */
  readonly mcp: McpServer | null;
}

/** Where nobody says otherwise; a server may have to read the whole repository first. */
const mcpSeconds = 30;
const mcpBytes = 8_000_000;

interface Configured {
  readonly providers: ContextSettings['providers'];
  readonly max_files: number;
  readonly timeout: number;
  readonly rerank: ContextSettings['rerank'];
  readonly mcp?: McpSettings | undefined;
}
type McpSettings = NonNullable<NonNullable<Config['context']>['mcp']>;

/** Throws, blaming the setting, where the settings of the server do not go together. */
export function contextSettings(context: Configured, leaves: Leaves): ContextSettings {
  const server = context.mcp === undefined ? null : serverOf(context.mcp, leaves);
  const isLast = context.providers.at(-1) === 'mcp';
  if (isLast) {
    const advice = 'put another provider after it, as what it finds never stands alone';
    throw blamed(leaves, 'context.providers').stop(`context.providers ends with mcp; ${advice}.`);
  }
  const isAsked = server !== null && context.providers.includes('mcp');
  return {
    providers: context.providers.filter((name) => name !== 'mcp' || isAsked),
    maxFiles: context.max_files,
    timeoutMs: context.timeout * 1000,
    rerank: context.rerank,
    mcp: isAsked ? server : null,
  };
}

/** Null where it is switched off. */
function serverOf(own: McpSettings, leaves: Leaves): McpServer | null {
  if (own.enabled === false) return null;
  const { command } = own;
  const preset = own.preset === undefined ? null : presets[own.preset];
  const tool = own.tool ?? preset?.tool;
  const values = own.arguments ?? preset?.arguments;
  if (command === undefined) throw missing(leaves, 'command, the program to start');
  if (tool === undefined) throw missing(leaves, 'tool, or a preset that knows it');
  if (values === undefined) throw missing(leaves, 'arguments, or a preset that knows them');
  return {
    command,
    args: own.args ?? [],
    env: own.env ?? {},
    tool,
    arguments: values,
    queries: own.queries ?? preset?.queries ?? plainQueries,
    variables: preset?.variables ?? [],
    timeoutMs: (own.timeout ?? mcpSeconds) * 1000,
    maxBytes: own.max_bytes ?? mcpBytes,
  };
}

function missing(leaves: Leaves, what: string): Error {
  return blamed(leaves, 'context.mcp.').stop(`[context.mcp] needs ${what}.`);
}

/** The first setting whose key begins so; there is one, or nothing could be wrong with it. */
function blamed(leaves: Leaves, start: string): Leaf {
  const found = [...leaves].find(([key]) => key.startsWith(start));
  if (found === undefined) throw new Error(`No setting begins with ${start}.`);
  return found[1];
}
