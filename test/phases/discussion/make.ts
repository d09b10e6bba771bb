import type { Claim, PlannedFile, ProposedSolution } from '../../../src/model/proposal.ts';
import type {
  CheckedClaim,
  ComparedPair,
  Estimate,
  HeldStance,
  Synthesis,
} from '../../../src/model/synthesis.ts';
import { compareTexts } from '../../../src/model/wording.ts';
import type { Candidate } from '../../../src/phases/discussion/candidate.ts';
import { whyNotCounting } from '../../../src/phases/discussion/reasons.ts';
import { emptyAnswer, type RoundAnswer } from '../../../src/phases/discussion/votes.ts';
import { synthesize } from '../../../src/phases/discussion/synthesize.ts';

/** A stance that is a vote where it has a reason, or evidence that was found. */
export function heldStance(held: Omit<HeldStance, 'reason'>): HeldStance {
  const reason = whyNotCounting(held, candidateOf(nothing), []);
  const says = held.reasons.some((text) => !/^\s*$|^LGTM|^Good |\bagreed?\b/i.test(text));
  return { ...held, reason: reason?.includes('no reason') === true && says ? null : reason };
}

const nothing = {
  agent: 'x',
  name: 'x',
  summary: '',
  approach: '',
  tasks: [['x', null]],
  files: [],
} satisfies ToldSolution;

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

/** One agent’s solution, told in short. */
interface ToldSolution {
  readonly agent: string;
  readonly name: string;
  readonly summary: string;
  readonly approach: string;
  /** Name and key point. */
  readonly tasks: readonly [string, string | null][];
  /** `+` creates, `-` deletes, else modifies. */
  readonly files: readonly string[];
}

/** A told solution in full, as if every file reference had passed the check. */
function candidateOf(told: ToldSolution): Candidate {
  const files = told.files.map((path) => ({
    file: path.replace(/^[+-]/, ''),
    action: actionOf(path),
  }));
  return {
    ...proposed({ name: told.name, summary: told.summary }),
    id: null,
    source_cli: [told.agent],
    implementation_plan: {
      approach: told.approach,
      tasks: told.tasks.map(([name, key_point], index) => ({
        ...task(`T${index + 1}`, index === 0 ? files : [], index === 0 ? [] : [`T${index}`]),
        name,
        key_point,
      })),
      execution_flow: told.tasks.map((_, index) => `T${index + 1}`).join(' → '),
      milestones: [],
    },
    affected_files: files.map(({ file, action }) => {
      return { file, line: null, action, status: 'verified' as const, note: '' };
    }),
    claims: [],
    stances: [],
    preferred_by: [],
    estimates: [
      {
        agent: told.agent,
        kind: 'model',
        feasibility: 0.8,
        effort: 'medium',
        risk: 'low',
        sound: files.length,
        failed: 0,
      },
    ],
  };
}

function actionOf(path: string): PlannedFile['action'] {
  if (path.startsWith('+')) return 'create';
  return path.startsWith('-') ? 'delete' : 'modify';
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
} satisfies Record<string, Omit<ToldSolution, 'agent'>>;

export type Idea = keyof typeof ideas;

/** One agent’s checked solution with an idea; two agents’ words for it are the same. */
export function solution(
  agent: string,
  idea: Idea,
  parts: Partial<Candidate> &
    Partial<Pick<Estimate, 'kind' | 'feasibility' | 'effort' | 'risk'>> = {},
): Candidate {
  const { kind, feasibility, effort, risk, claims = [], ...rest } = parts;
  const candidate = candidateOf({ agent, ...ideas[idea] });
  const failed = claims.filter(({ status }) => status === 'failed').length;
  const estimates = candidate.estimates.map((one) => ({
    ...one,
    kind: kind ?? one.kind,
    feasibility: feasibility ?? one.feasibility,
    effort: effort ?? one.effort,
    risk: risk ?? one.risk,
    sound: one.sound + claims.length - failed,
    failed,
  }));
  return { ...candidate, estimates, claims, ...rest };
}

const vendors: Readonly<Record<string, string>> = {
  codex: 'openai',
  gemini: 'google',
  claude: 'anthropic',
};

/** What an agent answered; codex, gemini and claude are of three vendors. */
export function answer(agent: string, parts: Partial<RoundAnswer> = {}): RoundAnswer {
  return {
    agent,
    kind: 'model',
    vendor: vendors[agent] ?? null,
    candidates: [],
    ...emptyAnswer,
    ...parts,
  };
}

/**
 * The synthesis of a round with these answers; a revision is of the first solution of its agent. In round 1 each model recommends its first solution,
 * and those of one idea, which have one name, are found to be `related` so.
 */
export function joined(
  answers: readonly RoundAnswer[],
  previous: Synthesis | null = null,
  related: ComparedPair['relation'] = 'same',
): Synthesis {
  const said = previous === null ? answers.map(recommending) : answers.map(revising(previous));
  return synthesize({
    sessionId: 'MCP-rate-limit-2026-11-21-k3x9',
    round: previous === null ? 1 : previous.round + 1,
    answers: said,
    previous,
    compared: previous === null ? comparedIn(said, related) : [],
    receipts: [],
    unanswered: [],
    notes: [],
  });
}

function comparedIn(
  answers: readonly RoundAnswer[],
  related: ComparedPair['relation'],
): readonly ComparedPair[] {
  const all = answers
    .flatMap(({ candidates }) => candidates.filter(({ preferred_by: by }) => by.length > 0))
    .toSorted((a, b) => compareTexts(a.source_cli.join(), b.source_cli.join()));
  return all.flatMap((a, at) =>
    all.slice(at + 1).map((b): ComparedPair => ({
      agents: [a.source_cli.join(), b.source_cli.join()],
      names: [a.name, b.name],
      relation: a.name === b.name ? related : 'different',
      difference: '',
      judges: ['judge'],
    })),
  );
}

/** A revision is of the agent’s first solution, unless the answer says of which. */
const revising =
  ({ solutions }: Synthesis) =>
  (given: RoundAnswer): RoundAnswer => {
    const own = solutions
      .toSorted((a, b) => compareTexts(a.id, b.id))
      .find(({ source_cli: authors }) => authors.includes(given.agent));
    return { revises: own?.label ?? null, ...given };
  };

function recommending(given: RoundAnswer): RoundAnswer {
  const [first, ...others] = given.candidates;
  if (first === undefined || given.kind === 'analyst') return given;
  return { ...given, candidates: [{ ...first, preferred_by: [given.agent] }, ...others] };
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
