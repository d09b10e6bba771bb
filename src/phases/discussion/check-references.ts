import type { Claim, PlannedFile, ProposedSolution, SolutionTask } from '../../model/proposal.ts';
import type { AffectedFile, CheckedClaim } from '../../model/synthesis.ts';
import {
  type CheckedRepository,
  type CitedFile,
  type CitedFiles,
  citedFiles,
  repositoryForm,
} from './cited-files.ts';
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

/** The task files of a solution after the check. */
interface CheckedTasks {
  /** The tasks with the paths in the repository’s form; a path out of it stays as it was. */
  readonly tasks: SolutionTask[];
  /** Each file, line and action once, in the order of the tasks. */
  readonly files: AffectedFile[];
}

/**
 * Resolves the files of a solution’s tasks. A file to create must not exist yet, unless the
 * solution deletes it; a file to change or delete must exist, or the solution creates it; a line
 * must lie inside the file. The order is for the check of the plan.
 */
async function checkPlannedFiles(
  base: CitedFiles,
  tasks: readonly SolutionTask[],
): Promise<CheckedTasks> {
  const references = await Promise.all(
    tasks.map((task) =>
      Promise.all(
        task.files.map(async (file) => {
          const cited = await base.find(file.file);
          const planned = inRepositoryForm(file, cited);
          const others = otherActions(tasks, file);
          const verdict = await verdictOn({ base, cited, planned, others });
          const { file: path, line = null, action } = planned;
          return { planned, checked: { file: path, line, action, ...verdict } };
        }),
      ),
    ),
  );
  const all = references.flat().map(({ checked }) => checked);
  const places = Map.groupBy(all, ({ file, line, action }) => JSON.stringify([file, line, action]));
  return {
    tasks: tasks.map((task, index) => ({
      ...task,
      files: references[index]?.map(({ planned }) => planned) ?? [],
    })),
    files: [...places.values()].flatMap(([first]) => first ?? []),
  };
}

/** The paths that the tasks create, in the repository’s form. */
export function createdPaths(tasks: readonly SolutionTask[]): ReadonlySet<string> {
  const creations = tasks.flatMap((task) => task.files).filter(({ action }) => action === 'create');
  return new Set(creations.flatMap(({ file }) => repositoryForm(file) ?? []));
}

type Verdict = Pick<AffectedFile, 'status' | 'note'>;

async function verdictOn({
  base,
  cited,
  planned,
  others,
}: {
  readonly base: CitedFiles;
  readonly cited: CitedFile;
  readonly planned: PlannedFile;
  readonly others: ReadonlySet<PlannedFile['action']>;
}): Promise<Verdict> {
  if (cited.kind === 'refused') return { status: 'failed', note: cited.why };
  const isThere = cited.kind === 'file';
  if (planned.action === 'create') {
    if (isThere && others.has('delete')) {
      return { status: 'planned', note: 'the solution deletes it' };
    }
    if (isThere) return { status: 'failed', note: 'exists already' };
    if (cited.otherCase) return { status: 'failed', note: cited.why };
    return { status: 'planned', note: '' };
  }
  if (isThere) return lineVerdict(base, cited.path, planned.line ?? null);
  return others.has('create')
    ? { status: 'planned', note: 'the solution creates it' }
    : { status: 'failed', note: cited.why };
}

async function lineVerdict(base: CitedFiles, path: string, line: number | null): Promise<Verdict> {
  if (line === null) return { status: 'verified', note: '' };
  const text = await base.text(path);
  if (text === null) return { status: 'verified', note: 'not a text file, so it has no lines' };
  const { length } = text.starts;
  return line <= Math.max(length, 1)
    ? { status: 'verified', note: '' }
    : { status: 'failed', note: `line ${line} is beyond the end (${length} lines)` };
}

function inRepositoryForm(file: PlannedFile, cited: CitedFile): PlannedFile {
  if (cited.kind === 'refused') return file;
  const line = file.line ?? cited.line;
  return { file: cited.path, action: file.action, ...(line === null ? {} : { line }) };
}

/** What the other entries of the solution do to the same path, whatever the order of its tasks. */
function otherActions(
  tasks: readonly SolutionTask[],
  file: PlannedFile,
): ReadonlySet<PlannedFile['action']> {
  const path = repositoryForm(file.file);
  const others = tasks.flatMap(({ files }) => files).filter((other) => other !== file);
  return new Set(
    others
      .filter((other) => path !== null && repositoryForm(other.file) === path)
      .map(({ action }) => action),
  );
}
