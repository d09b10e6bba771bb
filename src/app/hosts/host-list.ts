// Lists the hosts that can have our MCP server, with the file and the form of its entry in each.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolder } from '../user-folders.ts';

/** The program and its arguments that start our server. */
export interface ServerCommand {
  /** The absolute path of Node. */
  readonly command: string;
  readonly args: readonly string[];
}

interface EntryRequest extends ServerCommand {
  /** Names of variables that the server needs and the host would not pass on. */
  readonly variables: readonly string[];
}

export type ConfigSyntax = 'json' | 'commented-json' | 'json-with-commas' | 'toml';

/** A program in which people work and that can start MCP servers. */
export interface Host {
  readonly syntax: ConfigSyntax;
  /** The key in its file that contains its servers. */
  readonly section: string;
  readonly userFile: (environment: NodeJS.ProcessEnv) => string;
  /** The path relative to the project; null if it reads servers only from the user’s file. */
  readonly projectFile: string | null;
  readonly entry: (request: EntryRequest) => Readonly<Record<string, unknown>>;
  /** Explains what happens to calls of our tools when nobody can be asked. */
  readonly unattended: string;
  /** The longest text of a result that it shows its model in full, in bytes. */
  readonly mostText: number;
}

/** Some hosts cut results of more than 8,000 bytes, and a result contains its text in two forms. */
const shortText = 3_400;
const longText = 20_000;

/** The longest text for a program that calls our tools, by the name that it reports. */
export function mostTextFor(client: string): number {
  const name = Object.keys(hosts).find((one) => client.toLowerCase().includes(one));
  return name === undefined ? shortText : (hosts[name]?.mostText ?? shortText);
}

/** Refers to variables by name, so that the host inserts the values that it has itself. */
export function referTo(variables: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(variables.map((name) => [name, `$${name}`]));
}

/** The time limit for a call; our tools answer within 170 seconds. */
const callSeconds = 300;
const callMs = callSeconds * 1000;

export const serverName = 'conclave';

export const hosts: Readonly<Record<string, Host>> = {
  claude: {
    syntax: 'json',
    section: 'mcpServers',
    userFile: (environment) =>
      join(environment['CLAUDE_CONFIG_DIR'] || homeFolder(environment), '.claude.json'),
    projectFile: '.mcp.json',
    entry: ({ command, args }) => ({ type: 'stdio', command, args }),
    unattended: 'start it with --allowedTools=mcp__conclave',
    mostText: longText,
  },
  codex: {
    syntax: 'toml',
    section: 'mcp_servers',
    userFile: (environment) =>
      join(environment['CODEX_HOME'] || join(homeFolder(environment), '.codex'), 'config.toml'),
    projectFile: null,
    entry: ({ command, args, variables }) => ({
      command,
      args,
      // It passes on only HOME, LANG, PATH, TERM and TMPDIR by itself.
      env_vars: variables,
      tool_timeout_sec: callSeconds,
    }),
    unattended: 'add default_tools_approval_mode = "approve" to its entry',
    mostText: shortText,
  },
  gemini: {
    syntax: 'commented-json',
    section: 'mcpServers',
    userFile: (environment) =>
      join(environment['GEMINI_CLI_HOME'] || homeFolder(environment), '.gemini/settings.json'),
    projectFile: '.gemini/settings.json',
    entry: ({ command, args, variables }) => ({
      command,
      args,
      // It withholds keys and tokens that the entry does not name.
      env: referTo(variables),
      timeout: callMs,
    }),
    unattended: 'add "trust": true to its entry',
    mostText: longText,
  },
  copilot: {
    syntax: 'commented-json',
    section: 'mcpServers',
    userFile: (environment) =>
      join(
        environment['COPILOT_HOME'] || join(homeFolder(environment), '.copilot'),
        'mcp-config.json',
      ),
    projectFile: '.github/mcp.json',
    entry: ({ command, args }) => ({
      type: 'local',
      command,
      args,
      tools: ['*'],
      timeout: callMs,
    }),
    unattended: 'start it with --allow-tool=conclave',
    mostText: shortText,
  },
  opencode: {
    syntax: 'json-with-commas',
    section: 'mcp',
    userFile(environment) {
      const config = environment['XDG_CONFIG_HOME'] || join(homeFolder(environment), '.config');
      const commented = join(config, 'opencode/opencode.jsonc');
      return existsSync(commented) ? commented : join(config, 'opencode/opencode.json');
    },
    projectFile: 'opencode.json',
    entry: ({ command, args }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
      timeout: callMs,
    }),
    unattended: 'it asks nobody before it calls a tool',
    mostText: longText,
  },
};
