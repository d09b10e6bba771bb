import type { Claim, ProposedSolution } from '../../model/proposal.ts';
import type { AffectedFile, CheckedClaim } from '../../model/synthesis.ts';
import {
  type CitedFiles,
  citedFiles,
  type CheckedRepository,
  repositoryForm,
} from './cited-files.ts';
import { checkPlannedFiles, createdPaths } from './check-planned-files.ts';
import { findQuote } from './quote.ts';

/** One agent’s solution with every reference resolved; its paths are in the repository’s form. */
export interface CheckedSolution {
  readonly agent: string;
  readonly solution: ProposedSolution;
  readonly claims: CheckedClaim[];
  /** The files of its tasks, each place once. */
  readonly files: AffectedFile[];
}

/** Resolves every claim and every task file of one solution against the base. */
export async function checkProposal({
  repository,
  agent,
  solution,
}: {
  readonly repository: CheckedRepository;
  readonly agent: string;
  readonly solution: ProposedSolution;
}): Promise<CheckedSolution> {
  const base = citedFiles(repository);
  const planned = createdPaths(solution.implementation_plan.tasks);
  const [claims, { tasks, files }] = await Promise.all([
    checkAll({ base, agent, claims: solution.claims, planned }),
    checkPlannedFiles(base, solution.implementation_plan.tasks),
  ]);
  const plan = { ...solution.implementation_plan, tasks };
  return { agent, solution: { ...solution, implementation_plan: plan }, claims, files };
}

/**
 * Resolves claims against the base. `planned` are the paths that the solution they speak of
 * creates. Statuses: `verified` within three lines of the stated line (`found_line` corrects
 * it), `moved` elsewhere in the file, `planned` for a file that is yet to be created, else
 * `failed` with the reason in `note`.
 */
export async function checkClaims({
  repository,
  agent,
  claims,
  planned,
}: {
  readonly repository: CheckedRepository;
  readonly agent: string;
  readonly claims: readonly Claim[];
  readonly planned: Iterable<string>;
}): Promise<readonly CheckedClaim[]> {
  const paths = new Set([...planned].flatMap((text) => repositoryForm(text) ?? []));
  return checkAll({ base: citedFiles(repository), agent, claims, planned: paths });
}

interface ClaimCheck {
  readonly base: CitedFiles;
  readonly agent: string;
  readonly claims: readonly Claim[];
  readonly planned: ReadonlySet<string>;
}

function checkAll({ base, agent, claims, planned }: ClaimCheck): Promise<CheckedClaim[]> {
  return Promise.all(
    claims.map(async (claim) => ({ ...claim, agent, ...(await resolved(claim, base, planned)) })),
  );
}

type Resolved = Pick<CheckedClaim, 'path' | 'status' | 'found_line' | 'note'>;

async function resolved(
  claim: Claim,
  base: CitedFiles,
  planned: ReadonlySet<string>,
): Promise<Resolved> {
  const cited = await base.find(claim.path);
  if (cited.kind === 'refused') return failed(claim.path, cited.why);
  const { path } = cited;
  if (cited.kind === 'missing') {
    return planned.has(path)
      ? { path, status: 'planned', found_line: null, note: '' }
      : failed(path, cited.why);
  }
  const file = await base.text(path);
  if (file === null) return failed(path, 'not a text file, so the quote cannot be checked');
  const finding = findQuote({ file, quote: claim.quote, line: claim.line });
  if (finding.found === 'nowhere') return failed(path, finding.why);
  return {
    path,
    status: finding.found === 'near' ? 'verified' : 'moved',
    found_line: finding.line,
    note: finding.line === claim.line ? '' : `it is on line ${finding.line}, not ${claim.line}`,
  };
}

function failed(path: string, note: string): Resolved {
  return { path, status: 'failed', found_line: null, note };
}
