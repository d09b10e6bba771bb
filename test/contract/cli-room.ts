import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { Agent, AgentAdapter, AgentRequest } from '../../src/agents/agent.ts';
import { cliAgent } from '../../src/agents/cli/cli-agent.ts';
import type { CliAgentSettings } from '../../src/agents/cli/cli-setup.ts';
import { type Limits, noLimits } from '../agents/agent-room.ts';
import { codebaseContext } from '../helpers/codebase-context.ts';
import { type Digests, digestsOf } from './digests.ts';
import { clis } from './install.ts';

/** A home and a repository of their own, in which a real CLI runs as our adapter says. */
export interface CliRoom {
  /** Holds everything else. */
  readonly base: string;
  readonly home: string;
  readonly repo: string;
  /** Without settings, as the room was made. */
  agent(settings?: CliAgentSettings): Agent;
  request(prompt: string, more?: RequestParts): AgentRequest;
  /** Writes a file; the path is relative to the room: `home/…` or `repo/…`. */
  write(path: string, text: string): void;
  /** Everything that a planning agent may not change. */
  tree(): Digests;
  /** What the CLI printed in the last run. */
  rawOutput(): string;
  remove(): void;
}

export type RequestParts = Partial<Omit<AgentRequest, 'limits'>> & { limits?: Limits };

/** What the process runner keeps of the last run. */
const runsOutput = /^(?:events\.jsonl|stderr\.log)$/;

export function cliRoom({
  adapter,
  environment,
  settings: usual,
  own,
}: {
  readonly adapter: AgentAdapter;
  /** Beside PATH, HOME and LANG. */
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: CliAgentSettings;
  /** Where the CLI keeps its own state, relative to the room. */
  readonly own: RegExp;
}): CliRoom {
  const base = realpathSync(mkdtempSync(join(tmpdir(), `conclave-${adapter.name}-`)));
  const [home, repo] = [join(base, 'home'), join(base, 'repo')];
  const rawOutput = join(base, 'events.jsonl');
  let runs = 0;
  const room: CliRoom = {
    base,
    home,
    repo,
    agent: (settings = usual) =>
      cliAgent({
        adapter,
        settings,
        environment: {
          // One CLI would download what it searches with.
          PATH: `${clis}:${dirname(rgPath)}:${process.env['PATH']}`,
          HOME: home,
          LANG: 'C.UTF-8',
          ...environment,
        },
      }),
    request: (prompt, { limits, ...more } = {}) => ({
      prompt,
      about: { session: 'S', round: 1, task: 'T', context: codebaseContext(), constraints: [] },
      permission: 'read-only',
      role: null,
      schema: null,
      cwd: repo,
      model: null,
      resume: null,
      extraDirs: [],
      hidden: [join(repo, '.workflow'), join(base, 'apart')],
      mark: `${base}-${(runs += 1)}`,
      rawOutput,
      limits: { ...noLimits, totalMs: 60_000, graceMs: 2_000, ...limits },
      ...more,
    }),
    write(path, text) {
      mkdirSync(dirname(join(base, path)), { recursive: true });
      writeFileSync(join(base, path), text);
    },
    tree: () => digestsOf(base, (path) => own.test(path) || runsOutput.test(path)),
    rawOutput: () => readFileSync(rawOutput, 'utf8'),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
  mkdirSync(home);
  room.write('repo/src/list.js', 'export const list = [];\n');
  execFileSync('git', ['init', '--quiet'], { cwd: repo });
  return room;
}
