import { createHash } from 'node:crypto';
import type { AgentEvent } from '../model/event.ts';
import type { FailureCategory } from '../model/failure.ts';
import type { AgentAdapter, AgentRequest } from './agent.ts';

export const claude: AgentAdapter = {
  name: 'claude',
  displayName: 'Claude Code',
  command: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  login: 'claude auth login',
  can: { model: true, schema: true, resume: true, extraDirs: true },
  maxPromptBytes: 10_000_000,
  variables: [
    'ANTHROPIC_*',
  ],
  versionArgv: ['--version'],
  argv,
  env: ({ limits }) => ({
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
  }),
  read: (line) => [{ kind: 'unknown', line }],
  vendorOf: () => 'anthropic',
};

function argv(request: AgentRequest): readonly string[] {
  const { model, role, schema, resume, extraDirs } = request;
  return [
    '-p',
    ...['--output-format', 'stream-json', '--verbose'],
    ...['--tools', 'Read,Grep,Glob'],
    ...['--strict-mcp-config', '--setting-sources', ''],
    ...(model === null ? [] : ['--model', model]),
    ...(role === null ? [] : ['--append-system-prompt', role]),
    ...(schema === null ? [] : ['--json-schema', JSON.stringify(schema)]),
    ...(resume === null ? [] : ['--resume', resume.agentSession]),
    ...extraDirs.flatMap((folder) => ['--add-dir', folder]),
  ];
}
