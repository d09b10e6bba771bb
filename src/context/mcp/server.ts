import type { Result } from '../../model/failure.ts';
import type { McpTool } from './presets.ts';

/** A server that the user named, and how its tool is called. */
export interface McpServer extends McpTool {
  readonly command: string;
  /** They may hold {root}. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The most that it may print in one search. */
  readonly maxBytes: number;
}

/** What was found, or one clause for people on why nothing was. */
export type Found<T> = Result<T, { readonly reason: string }>;

/** A line of output, or only its length in bytes where it was longer than anybody would read. */
type OutputLine = string | { readonly overlong: number };

/** A program that we exchange lines with for as long as it is needed. */
export interface ServerProgram {
  /** Writes one line to its stdin; what it does not take is lost. */
  send(line: string): void;
  /** The next lines of its stdout, or null when there will be none or they are too much. */
  take(): Promise<readonly OutputLine[] | null>;
  /** How much it has printed so far. */
  readonly bytes: number;
  /** How it ended, once there are no more lines, e.g. "exit code 1: no such file". */
  ending(): Promise<string>;
  /** Ends it and everything that came from it; resolves when nothing of it lives. */
  end(): Promise<void>;
}

/** Starts a program in its own process group. A failure is one clause for people. */
export type StartServer = (call: {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to what every program gets to see. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of further variables that are passed on, `*` at the end for any ending. */
  readonly variables: readonly string[];
  readonly cwd: string;
  /** More than this is not read. */
  readonly maxBytes: number;
}) => Promise<Found<ServerProgram>>;
