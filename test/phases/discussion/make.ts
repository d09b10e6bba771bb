import type { RoundAnswer } from '../../../src/phases/discussion/support.ts';
import type { CheckedSolution } from '../../../src/phases/discussion/check-references.ts';
import type { Claim, ProposedSolution } from '../../../src/model/proposal.ts';
import type { CheckedClaim, Synthesis } from '../../../src/model/synthesis.ts';
import { type SynthesisInput, synthesize } from '../../../src/phases/discussion/synthesize.ts';
import { tell } from './build-solutions.ts';

/** A proposed solution with one task; the parts given replace the usual ones. */
export function proposed(parts: Partial<ProposedSolution> = {}): ProposedSolution {
  return {
    name: 'Token bucket middleware',
    summary: 'Limit each key by a token bucket.',
    feasibility: 0.8,
    effort: 'medium',
    risk: 'low',
    implementation_plan: {
      approach: 'Refill tokens over time and answer 429 when the bucket is empty.',
      tasks: [task('T1', [{ file: 'src/http/app.ts', line: 2, action: 'modify' }])],
      execution_flow: 'T1',
      milestones: [],
    },
    dependencies: { internal: [], external: [] },
    technical_concerns: [],
    pros: [],
    cons: [],
    claims: [],
    ...parts,
  };
}

type Task = ProposedSolution['implementation_plan']['tasks'][number];

export function task(id: string, files: Task['files'], dependsOn: readonly string[] = []): Task {
  return { id, name: `Do ${id}`, depends_on: [...dependsOn], files, key_point: null };
}

export function claim(path: string, line: number, quote: string): Claim {
  return { statement: `Something at ${path}.`, path, line, quote };
}

export function checkedClaim(agent: string, parts: Partial<CheckedClaim> = {}): CheckedClaim {
  return {
    ...claim('src/http/app.ts', 12, 'app.use(router)'),
    agent,
    status: 'verified',
    found_line: 12,
    note: '',
    ...parts,
  };
}

const ideas = {
  bucket: {
    name: 'Token bucket middleware',
    summary: 'Limit each API key by a token bucket in a middleware.',
    approach: 'Refill tokens lazily per API key and answer 429 when the bucket is empty.',
    tasks: [
      ['Write the token bucket', 'Refill lazily'],
      ['Mount the middleware', null],
    ],
    files: ['+src/http/bucket.ts', 'src/http/app.ts'],
  },
  gateway: {
    name: 'Limit at the nginx gateway',
    summary: 'Let nginx do it without application code.',
    approach: 'Configure limit_req_zone in the proxy template with a burst.',
    tasks: [['Add limit_req_zone', 'Zone keyed by the header']],
    files: ['deploy/nginx.conf'],
  },
  library: {
    name: 'Adopt a package with a fixed window',
    summary: 'Install express-rate-limit and keep its counters in Mongo.',
    approach: 'Fixed window of one minute with standard headers, counters stored in Mongo.',
    tasks: [['Install and configure express-rate-limit', null]],
    files: ['package.json', 'src/config.ts'],
  },
  quota: {
    name: 'Monthly quota in the billing service',
    summary: 'Ask billing whether the account has credit left.',
    approach: 'Query the billing gRPC endpoint and suspend accounts without credit.',
    tasks: [['Call billing over gRPC', null]],
    files: ['src/billing/client.ts'],
  },
} satisfies Record<string, Omit<Parameters<typeof tell>[0], 'agent' | 'idea' | 'external'>>;

export type Idea = keyof typeof ideas;

/** One agent’s checked solution with an idea; two agents’ words for it are the same. */
export function solution(
  agent: string,
  idea: Idea,
  parts: Partial<ProposedSolution> & { readonly checked?: CheckedClaim[] } = {},
): CheckedSolution {
  const { checked = [], ...told } = parts;
  const built = tell({ agent, idea, external: [], ...ideas[idea] });
  return { ...built, claims: checked, solution: { ...built.solution, ...told } };
}

const vendors: Readonly<Record<string, string>> = {
  codex: 'openai',
  gemini: 'google',
  claude: 'anthropic',
};

/**
 * What an agent answered; codex, gemini and claude are of three vendors. It recommends its first
 * solution.
 */
export function answer(agent: string, parts: Partial<RoundAnswer> = {}): RoundAnswer {
  return {
    agent,
    kind: 'model',
    vendor: vendors[agent] ?? null,
    checked: [],
    recommended: parts.checked?.[0] ?? null,
    preferred: null,
    stances: [],
    questions: [],
    searchTerms: [],
    notes: [],
    ...parts,
  };
}

function inputOf(
  answers: readonly RoundAnswer[],
  previous: Synthesis | null = null,
): SynthesisInput {
  return {
    sessionId: 'MCP-rate-limit-2026-11-21-k3x9',
    round: previous === null ? 1 : previous.round + 1,
    answers,
    previous,
    receipts: [],
    unanswered: [],
    notes: [],
  };
}

/** The synthesis of a round with these answers. */
export function joined(
  answers: readonly RoundAnswer[],
  previous: Synthesis | null = null,
): Synthesis {
  return synthesize(inputOf(answers, previous));
}

/** The files as the part of a repository that references are checked against. */
export function repositoryOf(
  files: readonly { readonly path: string; readonly content: string }[],
) {
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  return {
    files: async () => [...contents.keys()],
    read: async (path: string) => contents.get(path) ?? null,
    exists: async (path: string) => contents.has(path),
  };
}
