// Sets up an agent that speaks the Agent Client Protocol, from what the user configured.
import type { AgentAdapter, AgentRequest } from '../agent.ts';
import type { CliAgentSettings, CliSetup } from '../cli/cli-setup.ts';
import { toolsOf } from '../permission.ts';
import type { AcpModes } from './acp-dialogue.ts';
import { type AcpProgram, acpProgramOf } from './programs.ts';

/** The settings of an agent that speaks ACP. */
export interface AcpSettings {
  /** The program with its arguments. */
  readonly command: readonly [string, ...string[]];
  /** The mode in which it plans. */
  readonly mode?: string | undefined;
}

/** Sets up one ACP agent as a program that holds a dialogue. */
export function acpSetup(given: {
  readonly name: string;
  readonly acp: AcpSettings;
  readonly settings: CliAgentSettings;
  readonly environment: NodeJS.ProcessEnv;
  readonly versions?: string | undefined;
}): CliSetup {
  const { name, acp, ...rest } = given;
  const known = acpProgramOf(acp.command);
  return {
    ...rest,
    adapter: acpAdapter(name, acp, known),
    async dialogue(request) {
      const { acpDialogue } = await import('./acp-dialogue.ts');
      return acpDialogue(request, modesFor(request, acp, known), known?.remarks);
    },
  };
}

function acpAdapter(
  name: string,
  { command: [command, ...words] }: AcpSettings,
  known: AcpProgram | null,
): AgentAdapter {
  const cli = known?.cli;
  const isUntried = cli === undefined || cli.isUntried;
  return {
    name,
    displayName: cli === undefined ? name : `${cli.displayName} by ACP`,
    command,
    install:
      cli?.install ??
      `put its program on the PATH, or write its path first into acp under [agents.${name}]`,
    login: cli?.login ?? `see the documentation of the program in acp under [agents.${name}]`,
    keepsIn: cli?.keepsIn ?? [],
    mounts: cli?.mounts ?? [],
    resumes: known?.resumes ?? 'never',
    maxPromptBytes: cli?.maxPromptBytes ?? 1_000_000,
    variables: cli?.variables ?? [],
    variablesOf: (user) => cli?.variablesOf?.(user) ?? [],
    ...(isUntried === true ? { isUntried } : {}),
    readOnlyBy: 'its mode, and we refuse what it asks for',
    explained: [...explained, known?.untold ?? []].flat(),
    unenforced: ({ permission }) =>
      permission === 'read-only'
        ? []
        : ['it may do whatever it does not ask about, wherever you may'],
    ...(cli?.unserved === undefined ? {} : { unserved: cli.unserved }),
    loginState: (user) => cli?.loginState?.(user) ?? { state: 'unknown' },
    argv: () => words,
    env: (request) => known?.env?.(request) ?? {},
    // The dialogue reads its lines.
    read: (line) => ({ type: 'unknown', line }),
    vendorOf: (model) => cli?.vendorOf(model) ?? null,
  };
}

const explained = [
  'it runs in your own home: the servers, hooks and instructions that you gave that program apply',
  'what it asks for is allowed once where its task allows it, and refused otherwise',
];

function modesFor(request: AgentRequest, acp: AcpSettings, known: AcpProgram | null): AcpModes {
  const isReading = !toolsOf(request).has('file_write');
  if (!isReading) return { wanted: known?.editMode ?? null, isNeeded: false };
  return {
    wanted: acp.mode ?? known?.planMode ?? 'plan',
    isNeeded: acp.mode !== undefined || (known !== null && known.cli.isUntried !== true),
  };
}
