// Writes what codex may do in the terms of its sandbox.
import { join } from 'node:path';
import type { AgentAdapter, AgentRequest } from '../agent.ts';
import { toolsOf } from '../permission.ts';

/**
 * Its sandbox, and a profile of the same kind in which commands cannot even read the hidden folders.
 * A version without profiles ignores it and keeps the sandbox.
 */
export function sandbox(request: AgentRequest): readonly string[] {
  const { permission, hidden } = request;
  if (permission === 'full') return ['sandbox_mode="danger-full-access"'];
  const tools = toolsOf(request);
  const canWrite = writes(request);
  const folders = [
    ...hidden.map((folder) => `${tomlString(folder)}="none"`),
    ...(canWrite ? ['":slash_tmp"="read"'] : []),
  ].join(',');
  const profile = [
    'default_permissions="conclave"',
    `permissions.conclave.extends="${canWrite ? ':workspace' : ':read-only'}"`,
    `permissions.conclave.filesystem={${folders}}`,
    ...(tools.has('web') ? ['permissions.conclave.network={enabled=true}'] : []),
  ];
  return [
    `sandbox_mode="${canWrite ? 'workspace-write' : 'read-only'}"`,
    ...(canWrite ? ['sandbox_workspace_write.exclude_slash_tmp=true'] : []),
    ...(tools.has('web') ? ['sandbox_workspace_write.network_access=true'] : []),
    ...(folders === '' ? [] : profile),
  ];
}

export function unenforced({ maxTurns, ...wishes }: Parameters<Unenforced>[0]): readonly string[] {
  const tools = toolsOf(wishes);
  return [
    ...(tools.has('shell') || wishes.permission === 'full'
      ? []
      : [
          'commands cannot be taken from it: its kernel sandbox holds them to the same as its edits',
        ]),
    ...(tools.has('shell') && wishes.permission !== 'full' ? [readsAll] : []),
    ...(tools.has('shell') && !tools.has('git') ? ['git cannot be taken from its commands'] : []),
    ...(typeof maxTurns === 'number' ? ['it has no limit of turns'] : []),
  ];
}

const readsAll = 'a command that it runs may read whatever you may';

type Unenforced = NonNullable<AgentAdapter['unenforced']>;

/** Tells if its sandbox lets it write anywhere. */
export function writes(request: AgentRequest): boolean {
  return request.permission !== 'full' && toolsOf(request).has('file_write');
}

/** The folder for temporary files within the files of a run. */
export const temporaryFolder = 'tmp';

/** The folder for temporary files of commands: in /tmp its sandbox would leave a `.git` behind. */
export function temporary({ filesFolder = '' }: AgentRequest): string {
  return join(filesFolder, temporaryFolder);
}

// JSON escapes as TOML does, apart from DEL, which TOML wants escaped too.
export function tomlString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', String.raw`\u007f`);
}
