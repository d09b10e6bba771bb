// Calls a program of the user.
import type { AgentAdapter } from '../agent.ts';

/**
 * Adapts any program that reads the prompt on stdin and prints lines of our kinds, one JSON
 * object per line, on stdout. Model, role, permission and the session to continue reach it as CONCLAVE_MODEL,
 * CONCLAVE_ROLE, CONCLAVE_PERMISSION and CONCLAVE_RESUME. It answers `--version`.
 */
export function programAdapter(name: string, vendor: string | null): AgentAdapter {
  return {
    name,
    displayName: name,
    command: name,
    install: `let path under [agents.${name}] name a program that answers --version`,
    login: `see the documentation of ${name}`,
    keepsIn: [],
    isUntried: true,
    readOnlyBy: 'a confinement of ours',
    unenforced: ({ permission }) =>
      permission === 'read-only' ? [] : ['it may read and write wherever you may'],
    resumes: 'never',
    maxPromptBytes: Infinity,
    variables: [],
    argv: () => [],
    env: ({ model, role, permission, resume }) => ({
      CONCLAVE_PERMISSION: permission,
      ...(resume === null ? {} : { CONCLAVE_RESUME: resume.agentSession }),
      ...(model === null ? {} : { CONCLAVE_MODEL: model }),
      ...(role === null ? {} : { CONCLAVE_ROLE: role }),
    }),
    // The shapes of our events take a while to load.
    reader: async () => (await import('./own-lines.ts')).readOwnLine,
    read: (line) => ({ type: 'unknown', line }),
    vendorOf: () => vendor,
  };
}
