// Lists the ACP agents that we know, with the modes in which they only read.
import { basename } from 'node:path';
import type { AgentAdapter, AgentRequest, AgentTraits } from '../agent.ts';
import { familyOf } from '../api/api-providers.ts';
import { makerOf } from '../cli/adapter-parts.ts';
import { claude } from '../cli/claude.ts';
import { codex } from '../cli/codex.ts';
import { copilot } from '../cli/copilot.ts';
import { gemini } from '../cli/gemini.ts';
import { opencode } from '../cli/opencode.ts';
import type { Remarks } from './updates.ts';

/** The facts of a program that its row shares with the adapter of a CLI. */
type Facts = Pick<
  AgentAdapter,
  'name' | 'displayName' | 'install' | 'login' | 'keepsIn' | 'variables' | 'vendorOf'
> &
  Partial<AgentAdapter>;

/** A known program that speaks ACP, with the CLI that it is or belongs to. */
export interface AcpProgram {
  readonly cli: Facts;
  readonly commands: readonly string[];
  /** The command of a program that is an agent by its name alone. */
  readonly command?: readonly [string, ...string[]];
  /** The mode in which our refusals hold: every call that writes asks first. */
  readonly planMode: string;
  /** The mode to set if it may edit; null for the first one. */
  readonly editMode: string | null;
  readonly resumes: AgentTraits['resumes'];
  /** A sentence for people on what the program does not report. */
  readonly untold?: string | undefined;
  readonly remarks?: Remarks;
  /** Variables that restrict it where no mode does, or keep it from doing what we do ourselves. */
  env?(request: AgentRequest): Readonly<Record<string, string>>;
}

// Measured with gemini 0.61, copilot 1.0.102, opencode 1.18.33, claude-agent-acp 0.101, codex-acp 2.6.
const programs: readonly AcpProgram[] = [
  {
    cli: claude,
    commands: ['claude-agent-acp', 'claude-code-acp'],
    // Its first mode is `auto`, which runs commands without asking; `plan` lets a classifier decide.
    planMode: 'default',
    editMode: 'default',
    resumes: 'anywhere',
    remarks: { notice: /^\s*\*\*Warning:\*\* We['’]re changing auto mode / },
    env: (request) => claude.env(request),
  },
  {
    cli: codex,
    commands: ['codex-acp'],
    planMode: 'read-only',
    editMode: null,
    resumes: 'anywhere',
    remarks: { notice: /^\s*Warning: Model metadata for / },
  },
  {
    cli: gemini,
    commands: [gemini.command],
    planMode: 'plan',
    editMode: null,
    // Its `session/load` fails.
    resumes: 'never',
    remarks: { notice: /^\s*\[MODE_UPDATE\] \w+\s*$/ },
    untold: 'it counts neither its thoughts nor what it had cached',
  },
  {
    cli: copilot,
    commands: [copilot.command],
    planMode: 'plan',
    editMode: null,
    resumes: 'anywhere',
    remarks: { retry: /^\s*Info: Request failed due to .*Retrying/, error: /^\s*Error: / },
  },
  {
    cli: opencode,
    commands: [opencode.command],
    // It still runs commands in that mode, so its rules are set as well.
    planMode: 'plan',
    editMode: null,
    resumes: 'never',
    untold: 'it counts only the tokens of the last step of an answer',
    env: (request) => {
      const { OPENCODE_PERMISSION = '' } = opencode.env(request);
      return { OPENCODE_PERMISSION };
    },
  },
  // Measured with droid 0.225.2: in `spec` it reads and plans, in `normal` it asks before all else.
  preset('Factory Droid', ['droid', 'exec', '--output-format', 'acp'], {
    install: 'npm install -g @factory/cli',
    login: 'start "droid" and log in, or set FACTORY_API_KEY',
    keepsIn: '.factory',
    variables: 'FACTORY_*',
    modes: ['spec', 'normal'],
    resumes: 'anywhere',
    env: { FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false' },
    untold: 'it counts no tokens',
  }),
  // Measured with qwen 0.24.4: its first mode is `auto`, which lets a model judge what it may do.
  preset('Qwen Code', ['qwen', '--acp'], {
    install: 'npm install -g @qwen-code/qwen-code',
    login: 'start "qwen" and choose /auth, or set OPENAI_API_KEY and OPENAI_BASE_URL',
    keepsIn: '.qwen',
    variables: 'QWEN_* OPENAI_* DASHSCOPE_* BAILIAN_*',
    modes: ['plan', 'default'],
    resumes: 'in-its-folder',
    untold: 'it counts no tokens',
  }),
  // The rest by their documentation, of November 2026.
  preset('Cursor CLI', ['cursor-agent', 'acp'], {
    name: 'cursor',
    install: 'curl https://cursor.com/install -fsS | bash',
    login: 'run "cursor-agent login", or set CURSOR_API_KEY',
    keepsIn: '.cursor .config/cursor .local/share/cursor-agent',
    variables: 'CURSOR_*',
    modes: ['plan', 'agent'],
    isUntried: true,
  }),
  preset('Kimi CLI', ['kimi', 'acp'], {
    install: 'curl -L code.kimi.com/install.sh | bash',
    login: 'run "kimi login"',
    keepsIn: '.kimi .kimi-code .local/share/kimi',
    variables: 'KIMI_* MOONSHOT_*',
    modes: ['plan', null],
    vendor: 'kimi',
    isUntried: true,
  }),
  preset('goose', ['goose', 'acp'], {
    install: 'see https://block.github.io/goose',
    login: 'run "goose configure"',
    keepsIn: '.config/goose .local/share/goose .local/state/goose',
    variables: 'GOOSE_* OPENAI_* ANTHROPIC_* GOOGLE_* OPENROUTER_*',
    modes: ['approve', 'approve'],
    env: { GOOSE_MODE: 'approve' },
    isUntried: true,
  }),
  preset('Kiro CLI', ['kiro-cli', 'acp'], {
    name: 'kiro',
    install: 'curl -fsSL https://cli.kiro.dev/install | bash',
    login: 'run "kiro-cli login", or set KIRO_API_KEY',
    keepsIn: '.kiro .local/share/kiro-cli',
    variables: 'KIRO_*',
    modes: ['kiro_planner', null],
    isUntried: true,
  }),
  preset('Grok CLI', ['grok', 'agent', 'stdio'], {
    install: 'curl -fsSL https://x.ai/cli/install.sh | bash',
    login: 'run "grok login", or set XAI_API_KEY',
    keepsIn: '.grok',
    variables: 'GROK_* XAI_*',
    modes: ['plan', null],
    vendor: 'xai',
    isUntried: true,
  }),
  preset('Amp', ['amp-acp'], {
    name: 'amp',
    install: 'npm install -g @sourcegraph/amp amp-acp',
    login: 'run "amp login", or set AMP_API_KEY',
    keepsIn: '.amp .config/amp .local/share/amp',
    variables: 'AMP_*',
    modes: ['plan', null],
    isUntried: true,
  }),
];

/** Makes the row of a program that is an agent by its name; lists are words with spaces between. */
function preset(
  displayName: string,
  command: readonly [string, ...string[]],
  {
    name = command[0],
    modes: [planMode, editMode],
    vendor = null,
    env = {},
    resumes = 'never',
    untold,
    ...row
  }: Pick<Facts, 'install' | 'login' | 'isUntried'> &
    Partial<Pick<AcpProgram, 'resumes' | 'untold'>> & {
      /** The agent’s name, if it is not that of its program. */
      readonly name?: string;
      readonly keepsIn: string;
      readonly variables: string;
      /** The modes for planning and for editing. */
      readonly modes: readonly [plan: string, edit: string | null];
      /** The provider of its models if their names do not tell. */
      readonly vendor?: string | null;
      readonly env?: Readonly<Record<string, string>>;
    },
): AcpProgram {
  const vendorOf = (model: string | null) => familyOf(model) ?? makerOf(model) ?? vendor;
  const lists = { keepsIn: row.keepsIn.split(' '), variables: row.variables.split(' ') };
  const cli = { displayName, name, ...row, ...lists, vendorOf };
  const { 0: program } = command;
  return { cli, commands: [program], command, planMode, editMode, resumes, untold, env: () => env };
}

/** The programs that are agents by their names. */
export const presets: ReadonlyMap<string, AcpProgram> = new Map(
  programs.flatMap((one) => (one.command === undefined ? [] : [[one.cli.name, one]])),
);

/** The known program that a command starts, possibly by a runner such as npx; null for others. */
export function acpProgramOf(command: readonly string[]): AcpProgram | null {
  const words = command.map((word) => basename(word));
  return programs.find(({ commands }) => words.some((word) => commands.includes(word))) ?? null;
}
