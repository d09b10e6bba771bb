// Writes what Claude Code may do in the terms of its sandbox for commands, and what nothing holds.
import type { AgentAdapter, AgentRequest } from '../agent.ts';
import { type ToolWishes, toolsOf, unboundCommands } from '../permission.ts';
import { secretPaths } from '../process/home-places.ts';

/** Its sandbox for commands, where it can be used. */
export function sandboxFlags(request: AgentRequest): readonly string[] {
  return isSandboxed(request) ? [`--settings=${JSON.stringify({ sandbox })}`] : [];
}

/** Its sandbox is for commands; its other tools are held by its rules. */
function isSandboxed(wishes: Pick<AgentRequest, 'confined'> & ToolWishes): boolean {
  return wishes.confined === true && wishes.permission !== 'full' && toolsOf(wishes).has('shell');
}

// Without the third it would run a command unconfined where the model asks for that, without the second
// all of them where its sandbox is missing. With no domain allowed, there is no network.
const sandbox = {
  enabled: true,
  failIfUnavailable: true,
  allowUnsandboxedCommands: false,
  autoAllowBashIfSandboxed: true,
  network: { allowedDomains: [] },
  filesystem: { denyRead: secretPaths },
};

export function notEnforced({
  isolation: kind,
  ...wishes
}: Parameters<Unenforced>[0]): readonly string[] {
  const hasRules = kind !== 'home' && wishes.permission !== 'full';
  return [
    ...(isSandboxed(wishes) ? [readsMost] : unboundCommands(wishes)),
    ...(hasRules && toolsOf(wishes).has('file_write')
      ? ['rules of your settings that allow edits count outside of its folders too']
      : []),
  ];
}

const readsMost =
  'a command that it runs may read whatever you may, except the usual places of secrets in your home, and may move branches of the repository';

type Unenforced = NonNullable<AgentAdapter['unenforced']>;
