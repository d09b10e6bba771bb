// Lists the settings of the search for code.
import { type ShapeParts, setting } from './setting.ts';

const onOff = ({ z }: ShapeParts) => z.boolean();
const texts = ({ z }: ShapeParts) => z.array(z.string());
const filled = ({ z }: ShapeParts) => z.string().min(1);
const named = ({ z }: ShapeParts) => z.record(z.string(), z.string());
const seconds = ({ z }: ShapeParts) => z.number().positive().max(600);

/** The part of the table of settings that is about the search for code. Times in seconds. */
export const searchSettings = {
  providers: setting('context.providers', {
    about: 'who is asked for code, in order; mcp only where its server is configured',
    shape: ({ z }) => z.array(z.string()).min(1),
    default: ['mcp', 'search'],
    untrusted: 'among',
  }),
  maxFiles: setting('context.max_files', {
    about: 'how many files the agents are shown at most',
    shape: ({ z }) => z.int().min(1).max(100),
    default: 12,
    untrusted: 'any',
  }),
  contextTimeout: setting('context.timeout', {
    about: 'seconds for each provider but mcp',
    shape: seconds,
    default: 15,
    untrusted: 'any',
  }),
  rerank: setting('context.rerank', {
    about: '"agent" lets one agent put the best 20 files in order, one short call a session',
    shape: ({ z }) => z.enum(['off', 'agent']),
    default: 'off',
    untrusted: { only: 'off' },
  }),
  mcpEnabled: setting('context.mcp.enabled', {
    about: 'false leaves the server out',
    shape: onOff,
    default: true,
    untrusted: { only: false },
  }),
  mcpPreset: setting('context.mcp.preset', {
    about: 'a known server: its tool, arguments and queries',
    shape: ({ z }) => z.enum(['ace', 'augment', 'claude-context']),
  }),
  mcpCommand: setting('context.mcp.command', {
    about: 'the program to start',
    shape: filled,
    example: '/path/to/the/server',
    holds: 'program',
  }),
  mcpArgs: setting('context.mcp.args', {
    about: 'its arguments; {root} is the repository',
    shape: texts,
    default: [],
    holds: 'arguments',
    isSecret: true,
  }),
  mcpEnv: setting('context.mcp.env', {
    about: 'variables added for it',
    shape: named,
    default: {},
    example: { NAME: 'value' },
    isSecret: true,
  }),
  mcpTool: setting('context.mcp.tool', {
    about: 'the tool that is called',
    shape: filled,
    example: 'search',
  }),
  mcpArguments: setting('context.mcp.arguments', {
    about: 'arguments of the tool; {query}, {task}, {root} and {limit} are filled in',
    shape: ({ z }) =>
      z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
    example: { query: '{query}', path: '{root}' },
  }),
  mcpQueries: setting('context.mcp.queries', {
    about: 'what it is asked; {task}, {keywords} and {keyword} are filled in',
    shape: ({ z }) => z.array(z.string()).min(1),
  }),
  mcpTimeout: setting('context.mcp.timeout', {
    about: 'seconds for all its queries',
    shape: seconds,
    // A server may have to read the whole repository first.
    default: 30,
    untrusted: 'at-most',
  }),
  mcpMaxBytes: setting('context.mcp.max_bytes', {
    about: 'the most it may print, in bytes',
    shape: ({ z }) => z.int().min(1_000).max(1_000_000_000),
    default: 8_000_000,
    untrusted: 'at-most',
  }),
};
