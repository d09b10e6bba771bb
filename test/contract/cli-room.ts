import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Agent, AgentAdapter, AgentRequest } from '../../src/agents/agent.ts';
import { cliAgent, type CliAgentSettings } from '../../src/agents/cli-agent.ts';
import { type Limits, noLimits } from '../agents/agent-room.ts';
import { clis } from './install.ts';

/** A home and a repository of their own, in which a real CLI runs as our adapter says. */
export interface CliRoom {
  /** Holds everything else. */
  readonly base: string;
  readonly home: string;
  readonly repo: string;
  agent(settings?: CliAgentSettings): Agent;
  request(prompt: string, more?: RequestParts): AgentRequest;
  /** Writes a file; the path is relative to the room: `home/…` or `repo/…`. */
  write(path: string, text: string): void;
  /** Everything that a planning agent may not change: path → digest. */
  tree(): Readonly<Record<string, string>>;
  /** What the CLI printed in the last run. */
  rawOutput(): string;
  remove(): void;
}

export type RequestParts = Partial<Omit<AgentRequest, 'limits'>> & { limits?: Limits };

export function cliRoom({
  adapter,
  environment,
  own,
}: {
  readonly adapter: AgentAdapter;
  /** Beside PATH, HOME and LANG. */
  readonly environment: NodeJS.ProcessEnv;
  /** Where the CLI keeps its own state, relative to the room. */
  readonly own: readonly string[];
}): CliRoom {
  const base = realpathSync(mkdtempSync(join(tmpdir(), `conclave-${adapter.name}-`)));
  const [home, repo] = [join(base, 'home'), join(base, 'repo')];
  const rawOutput = join(base, 'events.jsonl');
  let runs = 0;
  const room: CliRoom = {
    base,
    home,
    repo,
    agent: (settings = {}) =>
      cliAgent({
        adapter,
        settings,
        environment: {
          PATH: `${clis}:${process.env['PATH']}`,
          HOME: home,
          LANG: 'C.UTF-8',
          ...environment,
        },
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
    write(path, text) {
      mkdirSync(dirname(join(base, path)), { recursive: true });
      writeFileSync(join(base, path), text);
    },
    tree: () => digests(base, new Set([...own, 'events.jsonl', 'stderr.log'])),
    rawOutput: () => readFileSync(rawOutput, 'utf8'),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
  mkdirSync(home);
  room.write('repo/src/list.js', 'export const list = [];\n');
  execFileSync('git', ['init', '--quiet'], { cwd: repo });
  return room;
}

function digests(root: string, leftOut: ReadonlySet<string>): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  function visit(folder: string): void {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (leftOut.has(path)) continue;
      found[path] = entry.isDirectory()
        ? 'folder'
        : entry.isSymbolicLink()
          ? readlinkSync(join(root, path))
          : createHash('sha256')
              .update(readFileSync(join(root, path)))
              .digest('hex');
      if (entry.isDirectory()) visit(path);
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

/** The command lines of every process on this machine, arguments ended by NUL. */
export function commandLines(): string[] {
  return processIds().map((pid) => textOrEmpty(`/proc/${pid}/cmdline`));
}

/** The pids of the processes that carry a run’s mark. */
export function marked(mark: string): number[] {
  const own = `CONCLAVE_RUN=${mark}\0`;
  return processIds()
    .filter((pid) => textOrEmpty(`/proc/${pid}/environ`).includes(own))
    .map(Number);
}

function processIds(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
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
