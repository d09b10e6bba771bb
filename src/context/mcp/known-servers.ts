// Defines the known servers, their tools, and the port `StartServer`.
import type { Result } from '../../model/failure.ts';

/** How to call a tool, by the kind of its server; the user only names the program. */
export interface McpTool {
  readonly tool: string;
  /** The arguments; values may contain {query}, {task}, {root} and {limit}. */
  readonly arguments: Readonly<Record<string, McpArgument>>;
  /** Queries that are asked one by one. They may contain {task}, {keywords} and {keyword}, the best one. */
  readonly queries: readonly string[];
  /** Variables with the user’s access to the service, passed on from our own environment. */
  readonly variables: readonly string[];
}

export type McpArgument = string | number | boolean | readonly string[];

/** A server that the user named, and how its tool is called. */
export interface McpServer extends McpTool {
  readonly command: string;
  /** The arguments of the program, which may contain {root}. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The most bytes that it may print in one search. */
  readonly maxBytes: number;
}

/** The result, or one clause for people on why there is none. */
export type SearchResult<T> = Result<T, { readonly reason: string }>;

/** A line of output, or only its length in bytes if it is too long to read. */
type OutputLine = string | { readonly overlong: number };

/** A program that we exchange lines with for as long as it is needed. */
export interface ServerProgram {
  /** Writes one line to its stdin; what it does not accept is lost. */
  send(line: string): void;
  /** The next lines of its stdout, or null if no more will come or they are too much. */
  take(): Promise<readonly OutputLine[] | null>;
  /** The number of bytes that it has printed so far. */
  readonly bytes: number;
  /** Says how it ended, once there are no more lines, e.g. "exit code 1: no such file". */
  ending(): Promise<string>;
  /** Ends the program and all its child processes; resolves when none is left. */
  end(): Promise<void>;
}

/** Starts a program in its own process group. A failure is one clause for people. */
export type StartServer = (call: {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables added to those that every program receives. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of further variables that are passed on, `*` at the end for any ending. */
  readonly variables: readonly string[];
  readonly cwd: string;
  /** The most output that is read. */
  readonly maxBytes: number;
}) => Promise<SearchResult<ServerProgram>>;

/** The task itself as the only query, for a server without better ones. */
const plainQueries: readonly string[] = ['{task}'];

/** Architecture, existing implementations, code patterns, integration points. */
const fourQueries = [
  'Project architecture related to {keywords}',
  'Existing implementations of {keyword}',
  'Code patterns for {keywords} features',
  'Integration points for {keyword}',
];

export const presets: Readonly<Record<'ace' | 'augment' | 'claude-context', McpTool>> = {
  ace: {
    tool: 'search_context',
    arguments: { project_root_path: '{root}', query: '{query}' },
    queries: fourQueries,
    variables: ['ACE_*', 'ACEMCP_*'],
  },
  // Older servers do not know directory_path: an argument that the tool does not list is left out.
  augment: {
    tool: 'codebase-retrieval',
    arguments: { information_request: '{query}', directory_path: '{root}' },
    queries: plainQueries,
    variables: ['AUGMENT_*'],
  },
  'claude-context': {
    tool: 'search_code',
    arguments: { path: '{root}', query: '{query}', limit: '{limit}' },
    queries: plainQueries,
    variables: ['EMBEDDING_*', 'MILVUS_*', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OLLAMA_*'],
  },
};

/** Fills a template in one pass, so that a task that contains a placeholder itself is passed on unchanged. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? place) : place,
  );
}
