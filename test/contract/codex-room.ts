import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import type { Agent, AgentRequest } from '../../src/agents/agent.ts';
import { cliAgent, type CliAgentSettings } from '../../src/agents/cli-agent.ts';
import { codex } from '../../src/agents/codex.ts';
import { type Limits, noLimits } from '../agents/agent-room.ts';
import { clis } from './install.ts';

/** A home and a repository of their own, in which the real codex runs against the model server. */
export interface CodexRoom {
  readonly home: string;
  readonly repo: string;
  agent(settings?: CliAgentSettings): Agent;
  request(prompt: string, more?: RequestParts): AgentRequest;
  writeHome(path: string, text: string, mode?: number): void;
  /** Everything that a planning agent may not change: path → digest. */
  tree(): Readonly<Record<string, string>>;
  /** What codex printed in the last run. */
  rawOutput(): string;
  remove(): void;
}

type RequestParts = Partial<Omit<AgentRequest, 'limits'>> & { limits?: Limits };

export function codexRoom(url: string): CodexRoom {
  const base = mkdtempSync(join(tmpdir(), 'conclave-codex-'));
  const [home, repo, state] = ['home', 'repo', 'home/.codex'].map((name) => join(base, name));
  if (home === undefined || repo === undefined || state === undefined) throw new Error('no room');
  const output = join(base, 'output');
  for (const folder of [state, join(repo, 'src'), output]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(repo, 'src/list.js'), 'export const list = [];\n');
  execFileSync('git', ['init', '--quiet'], { cwd: repo });
  const rawOutput = join(output, 'events.jsonl');
  let runs = 0;
  return {
    home,
    repo,
    agent: (settings = {}) =>
      cliAgent({
        adapter: codex,
        settings: { args: stubProvider(`${url}/v1`), env: { STUB_KEY: stubKey }, ...settings },
        environment: { PATH: `${clis}:${process.env['PATH']}`, HOME: home, LANG: 'C.UTF-8' },
      }),
    request: (prompt, { limits, ...more } = {}) => ({
      prompt,
      about: { session: 'S', round: 1, task: 'T', context: noContext, constraints: [] },
      role: null,
      schema: null,
      cwd: repo,
      model: null,
      resume: null,
      extraDirs: [],
      mark: `${base}-${(runs += 1)}`,
      rawOutput,
      limits: { ...noLimits, totalMs: 30_000, graceMs: 2_000, ...limits },
      ...more,
    }),
    writeHome(path, text, mode = 0o644) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text, { mode });
    },
    // Its own state folder is the one place where codex has to write.
    tree: () => digests(base, (path) => path === 'home/.codex' || path === 'output'),
    rawOutput: () => readFileSync(rawOutput, 'utf8'),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

export const stubKey = 'test-key-of-nobody';

/** A provider as a user could configure it, with its retries cut short. */
function stubProvider(baseUrl: string): string[] {
  const provider = {
    name: 'stub',
    base_url: baseUrl,
    wire_api: 'responses',
    env_key: 'STUB_KEY',
    request_max_retries: 1,
    stream_max_retries: 1,
  };
  const parts = Object.entries(provider).map(([name, value]) => [
    '-c',
    `model_providers.stub.${name}=${JSON.stringify(value)}`,
  ]);
  return ['-c', 'model_provider="stub"', ...parts.flat()];
}

function digests(
  root: string,
  isLeftOut: (path: string) => boolean,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  function visit(path: string): void {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (isLeftOut(inner)) continue;
      if (entry.isDirectory()) visit(inner);
      const full = join(root, inner);
      found[inner] = entry.isDirectory()
        ? 'folder'
        : entry.isSymbolicLink()
          ? readlinkSync(full)
          : createHash('sha256').update(readFileSync(full)).digest('hex');
    }
  }
  visit('.');
  return found;
}

const noContext: AgentRequest['about']['context'] = {
  session_id: 'S',
  task_description: 'T',
  keywords: [],
  relevant_files: [],
  detected_patterns: [],
  architecture_insights: [],
  project_facts: [],
  provider: 'scan',
  degraded: false,
  falls: [],
  duration_ms: 0,
  base: { commit: null, dirty: {} },
};

/** The command lines of every process on this machine. */
export function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => textOrEmpty(`/proc/${pid}/cmdline`));
}

/** The pids of the processes that carry a run’s mark. */
export function marked(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => textOrEmpty(`/proc/${pid}/environ`).includes(`CONCLAVE_RUN=${mark}\0`))
    .map(Number);
}

// Processes come and go while the list is walked.
function textOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}
