import type { AgentAdapter, RunFile } from '../../src/agents/agent.ts';
import { claude } from '../../src/agents/cli/claude.ts';
import type { CliAgentSettings } from '../../src/agents/cli/cli-setup.ts';
import { codex } from '../../src/agents/cli/codex.ts';
import { copilot } from '../../src/agents/cli/copilot.ts';
import { gemini } from '../../src/agents/cli/gemini.ts';
import { opencode } from '../../src/agents/cli/opencode.ts';
import type { Dialect } from './model-server/reply.ts';

export const cliNames = ['claude', 'codex', 'gemini', 'copilot', 'opencode'] as const;
export type CliName = (typeof cliNames)[number];

/** One of the real programs, and what the tests have to know of it beside its adapter. */
export interface RealCli {
  readonly adapter: AgentAdapter;
  /** With tools that planning never gives to it. */
  readonly unbound: AgentAdapter;
  readonly version: string;
  /** How long it may take on a busy machine until it runs a tool, in ms. */
  readonly startsWithin: number;
  /** Whether its sessions have ids of ours. */
  readonly takesId: boolean;
  /** The failures after which it asks again by itself, for up to a minute, by their names in the tests. */
  readonly outwaits?: RegExp;
  readonly vendor: string;
  /** A model that it knows. */
  readonly model: string;
  /** How the model server knows who asks. */
  readonly dialect: Dialect['name'];
  /** The paths, from `home/` on, that it writes for itself, whatever it is asked. */
  readonly own: RegExp;
  /** Files of a home in which its login is chosen, by path. */
  readonly login: Readonly<Record<string, string>>;
  /** How a user points it to another provider: by variables, or by settings of ours. */
  environment(url: string): Readonly<Record<string, string>>;
  settings(url: string): Pick<CliAgentSettings, 'args' | 'env'>;
}

export const testKey = 'test-key-of-nobody';

const stubModel = { tool_call: true, limit: { context: 200_000, output: 32_000 } };

export const realClis: Readonly<Record<CliName, RealCli>> = {
  claude: {
    adapter: claude,
    unbound: {
      ...claude,
      argv: (request) => [
        ...claude.argv(request).filter((part) => !part.startsWith('--tools=')),
        '--tools=Bash,Edit,Read,Write',
        '--allowedTools=Bash,Edit,Write',
      ],
    },
    version: '2.1.197',
    startsWithin: 6_000,
    takesId: true,
    vendor: 'anthropic',
    model: 'claude-opus-4-8',
    dialect: 'anthropic',
    own: /^home\/(?:\.claude(?:\.json)?$|\.claude\/(?:backups|projects|sessions)(?:\/|$))/,
    login: {},
    environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: testKey }),
    settings: () => ({}),
  },
  codex: {
    adapter: codex,
    unbound: {
      ...codex,
      argv: (request) =>
        codex
          .argv({ ...request, hidden: [] })
          .map((part) =>
            part === 'sandbox_mode="read-only"' ? 'sandbox_mode="danger-full-access"' : part,
          ),
    },
    version: '0.169.0',
    startsWithin: 6_000,
    takesId: false,
    vendor: 'openai',
    model: 'gpt-6.1-sol',
    dialect: 'openai-responses',
    own: /^home\/\.codex(?:$|\/(?:\w+_\d\.sqlite(?:-shm|-wal)?|installation_id)$|\/(?:sessions|shell_snapshots|skills|thread-writer-locks)(?:\/|$))/,
    login: {},
    environment: () => ({}),
    settings: stubProvider,
  },
  gemini: {
    adapter: gemini,
    unbound: {
      ...gemini,
      files: (request, user) => {
        const more = '"grep_search","run_shell_command","write_file"]';
        const withMore = (file: RunFile) =>
          typeof file === 'string' ? file.replace(/"grep_search" ?\]/, more) : file;
        const files = Object.entries(gemini.files?.(request, user) ?? {});
        return Object.fromEntries(files.map(([path, file]) => [path, withMore(file)]));
      },
    },
    version: '0.61.0',
    startsWithin: 12_000,
    takesId: true,
    vendor: 'google',
    model: 'gemini-2.5-pro',
    dialect: 'gemini',
    own: /^home\/\.gemini(?:$|\/installation_id$|\/tmp(?:\/|$))/,
    login: {
      '.gemini/settings.json': `{
  // As it may be written by hand.
  "security": { "auth": { "selectedType": "gemini-api-key" } }
}`,
    },
    environment: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: testKey }),
    settings: () => ({}),
  },
  copilot: {
    adapter: copilot,
    unbound: {
      ...copilot,
      argv: (request) => [
        ...copilot.argv(request).filter((part) => !/^--(?:available-tools|deny-tool)=/.test(part)),
        '--allow-all-tools',
      ],
    },
    version: '1.0.102',
    startsWithin: 6_000,
    takesId: true,
    vendor: 'xai',
    // Its tools have the names that are usual there.
    model: 'grok-4.7',
    // Not where it is told to wait for long.
    outwaits: /(?:429|names its wait|5\d\d|garbage|no network)$|connection/,
    dialect: 'copilot',
    own: /^home\/\.copilot(?:$|\/session-state(?:\/|$))/,
    login: {},
    environment: (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/copilot/v1`,
      COPILOT_PROVIDER_API_KEY: testKey,
      COPILOT_OFFLINE: 'true',
      COPILOT_MODEL: 'grok-4.7',
      // It unpacks 235 MB for each new one.
      XDG_CACHE_HOME: new URL('../../.cache/copilot', import.meta.url).pathname,
    }),
    settings: () => ({}),
  },
  opencode: {
    adapter: opencode,
    unbound: {
      ...opencode,
      env: (request) => opencode.env({ ...request, permission: 'full' }),
    },
    version: '1.18.33',
    startsWithin: 20_000,
    takesId: false,
    vendor: 'stub',
    model: 'stub/other',
    outwaits: /429|5\d\d|connection|no network/,
    dialect: 'opencode',
    own: /^repo\/\.git\/opencode$|^home\/\.(?:cache|local)(?:$|\/(?:share|state)$|\/(?:(?:share|state)\/)?opencode(?:\/|$))/,
    login: {
      '.config/opencode/opencode.jsonc': `{
  // As it may be written by hand.
  "model": "stub/scripted",
  "provider": { "stub": ${JSON.stringify({
    npm: '@ai-sdk/openai-compatible',
    options: { baseURL: '{env:STUB_URL}', apiKey: '{env:STUB_KEY}' },
    models: { scripted: stubModel, other: stubModel },
  })} },
}`,
      // The models of all providers, without which it reads its own list for two seconds.
      '.cache/opencode/models.json': '{}',
    },
    environment: (url) => ({ STUB_URL: `${url}/opencode/v1`, STUB_KEY: testKey }),
    settings: () => ({}),
  },
};

/** Files of a home in whose settings each CLI may do whatever it likes. */
export const permissive: Readonly<Record<CliName, Readonly<Record<string, string>>>> = {
  claude: {
    '.claude/settings.json': JSON.stringify({
      permissions: { allow: ['Bash', 'Write', 'Edit'], defaultMode: 'bypassPermissions' },
    }),
  },
  codex: {
    '.codex/config.toml': 'sandbox_mode = "danger-full-access"\napproval_policy = "never"\n',
  },
  gemini: {
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { defaultApprovalMode: 'auto_edit' },
      tools: { allowed: ['run_shell_command', 'write_file'] },
    }),
    '.gemini/policies/all.toml': '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n',
  },
  copilot: { '.copilot/config.json': JSON.stringify({ trustedFolders: ['/'] }) },
  opencode: {
    '.config/opencode/opencode.json': JSON.stringify({
      permission: { edit: 'allow', bash: 'allow' },
      agent: { build: { permission: { edit: 'allow', bash: 'allow' } } },
    }),
  },
};

// A provider as a user could configure it, its retries cut short.
function stubProvider(url: string): Pick<CliAgentSettings, 'args' | 'env'> {
  const provider = {
    name: 'stub',
    base_url: `${url}/v1`,
    wire_api: 'responses',
    env_key: 'STUB_KEY',
    request_max_retries: 1,
    stream_max_retries: 1,
  };
  const parts = Object.entries(provider).map(([name, value]) => [
    '-c',
    `model_providers.stub.${name}=${JSON.stringify(value)}`,
  ]);
  return { args: ['-c', 'model_provider="stub"', ...parts.flat()], env: { STUB_KEY: testKey } };
}

/** Models that codex knows get their tools in another form (“code mode”) than others. */
export const forms = [
  { form: 'code mode', model: 'gpt-6.1-sol' },
  { form: 'classic tools', model: 'some-model' },
];
