import type { AgentRequest } from './agent.ts';
import { askProgram } from './cli-readiness.ts';
import { type CliSetup, programPath } from './cli-setup.ts';

/**
 * The flags of a read-only run that the installed version does not list in its help. None where it
 * lists not a single one of them, or gives no help: then that says nothing.
 */
export async function unknownFlags(
  setup: CliSetup,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { adapter } = setup;
  const path = programPath(setup);
  const argv = adapter.helpArgv;
  if (path === null || argv === undefined) return [];
  const env = (folder: string) => adapter.versionEnv?.(folder) ?? {};
  const { lines, end } = await askProgram(setup, { path, argv, env, signal, totalMs: 10_000 });
  if (end.exitCode !== 0) return [];
  const listed = flagsIn([...lines, end.stderrTail].join('\n'));
  const used = [...flagsIn(adapter.argv(fullRequest).map(beforeValue).join('\n'))];
  const unknown = used.filter((flag) => !listed.has(flag));
  return unknown.length === used.length ? [] : unknown;
}

function flagsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/(?<![\w-])--[a-z][\w-]*/gi));
}

function beforeValue(word: string): string {
  return word.split('=')[0] ?? '';
}

/** A read-only request with nothing special. */
export function plainRequest(cwd: string): AgentRequest {
  return {
    prompt: '',
    about: null,
    permission: 'read-only',
    role: null,
    schema: null,
    cwd,
    model: null,
    resume: null,
    extraDirs: [],
    hidden: [],
    mark: 'mark',
    rawOutput: 'events.jsonl',
    filesFolder: 'FILES',
    limits: { firstOutputMs: 0, idleMs: 0, totalMs: 0, graceMs: 0 },
  };
}

/** With all that makes a flag. */
const fullRequest: AgentRequest = {
  ...plainRequest('/project'),
  role: 'role',
  schema: { type: 'object', properties: {} },
  model: 'model',
  effort: 'effort',
  extraDirs: ['/folder'],
  hidden: ['/project/hidden'],
};
