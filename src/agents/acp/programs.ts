// Lists the ACP agents that we know, with the modes in which they only read.
import { basename } from 'node:path';
import type { AgentAdapter, AgentRequest, AgentTraits } from '../agent.ts';
import { claude } from '../cli/claude.ts';
import { codex } from '../cli/codex.ts';
import { copilot } from '../cli/copilot.ts';
import { gemini } from '../cli/gemini.ts';
import { opencode } from '../cli/opencode.ts';
import type { Remarks } from './updates.ts';

/** A known program that speaks ACP, with the CLI that it is or belongs to. */
export interface AcpProgram {
  readonly cli: AgentAdapter;
  readonly commands: readonly string[];
  /** The mode in which our refusals hold: every call that writes asks first. */
  readonly planMode: string;
  /** The mode to set if it may edit; null for the first one. */
  readonly editMode: string | null;
  readonly resumes: AgentTraits['resumes'];
  /** A sentence for people on what the program does not report. */
  readonly untold?: string;
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
];

/** The known program that a command starts, possibly by a runner such as npx; null for others. */
export function acpProgramOf(command: readonly string[]): AcpProgram | null {
  const words = command.map((word) => basename(word));
  return programs.find(({ commands }) => words.some((word) => commands.includes(word))) ?? null;
}
