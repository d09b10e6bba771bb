// Writes what codex may do in the terms of its sandbox.
import { join } from 'node:path';
import type { AgentAdapter, AgentRequest } from '../agent.ts';
import { type ToolWishes, toolsOf } from '../permission.ts';

/**
 * Its sandbox, and a profile of the same kind in which commands cannot even read the hidden folders.
 * A version without profiles ignores it and keeps the sandbox.
 */
export function sandbox(request: AgentRequest): readonly string[] {
  const { hidden } = request;
  if (!isConfined(request)) return ['sandbox_mode="danger-full-access"'];
  const tools = toolsOf(request);
  // Its own search of the web needs none.
  const hasNetwork = tools.has('web') && tools.has('shell');
  const canWrite = writes(request);
  const folders = [
    ...hidden.map((folder) => `${tomlString(folder)}="none"`),
    ...helpers(request),
    ...(canWrite ? ['":slash_tmp"="read"'] : []),
  ].join(',');
  const profile = [
    'default_permissions="conclave"',
    `permissions.conclave.extends="${canWrite ? ':workspace' : ':read-only'}"`,
    `permissions.conclave.filesystem={${folders}}`,
    ...(hasNetwork ? ['permissions.conclave.network={enabled=true}'] : []),
  ];
  return [
    `sandbox_mode="${canWrite ? 'workspace-write' : 'read-only'}"`,
    ...(canWrite ? ['sandbox_workspace_write.exclude_slash_tmp=true'] : []),
    ...(hasNetwork ? ['sandbox_workspace_write.network_access=true'] : []),
    ...(folders === '' ? [] : profile),
  ];
}

export function unenforced({ maxTurns, ...wishes }: Parameters<Unenforced>[0]): readonly string[] {
  const tools = toolsOf(wishes);
  return [
    ...(tools.has('shell') ? [] : [heldCommands]),
    ...(isConfined(wishes) ? [readsAll] : []),
    ...(tools.has('shell') && !tools.has('git') ? ['git cannot be taken from its commands'] : []),
    ...(typeof maxTurns === 'number' ? ['it has no limit of turns'] : []),
  ];
}

const heldCommands =
  'commands cannot be taken from it: its kernel sandbox gives them no network, and lets them write only where its edits may';
const readsAll = 'a command that it runs may read whatever you may';

type Unenforced = NonNullable<AgentAdapter['unenforced']>;

/**
 * Within a hidden folder it needs its helpers, without which no command starts; a hidden folder can be
 * passed through only to what may be written. The helpers themselves may not: they start the sandbox.
 */
function helpers(request: AgentRequest): readonly string[] {
  const { hidden, filesFolder = '' } = request;
  const isHidden = hidden.some((folder) => filesFolder.startsWith(`${folder}/`));
  if (!isHidden || !hasOwnHome(request)) return [];
  const kept = helperFolders.map((name) => `${tomlString(join(filesFolder, name))}="read"`);
  return [`${tomlString(join(filesFolder, 'tmp'))}="write"`, ...kept];
}

/** The folders, relative to a home of its own, in which its versions keep their helpers. */
export const helperFolders = ['tmp/arg0', 'tmp/arg0-linux'];

// No setting keeps the user’s own AGENTS.md out: it belongs to whoever works there, not to a plan.
export function hasOwnHome({ isolation, permission }: AgentRequest): boolean {
  return isolation === 'home' || (isolation !== 'none' && permission === 'read-only');
}

/** Tells if its sandbox holds its commands: they cannot be taken from it, whatever it may do otherwise. */
export function isConfined(wishes: ToolWishes): boolean {
  return wishes.permission !== 'full' || !toolsOf(wishes).has('shell');
}

function writes(request: AgentRequest): boolean {
  return isConfined(request) && toolsOf(request).has('file_write');
}

/**
 * The folder for temporary files within the files of a run. Not `tmp`, where it keeps the helpers of its
 * sandbox if these files are its home: a command that may write there could replace them.
 */
export const temporaryFolder = 'temporary';

/**
 * The folder for temporary files: its sandbox would leave a `.git` behind in /tmp, and gets no helpers
 * in a home below the folder for temporary files, without which no command starts.
 */
export function temporary({ filesFolder = '' }: AgentRequest): string {
  return join(filesFolder, temporaryFolder);
}

// JSON escapes as TOML does, apart from DEL, which TOML wants escaped too.
export function tomlString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', String.raw`\u007f`);
}
