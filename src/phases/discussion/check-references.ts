// Finds the places that agents cite, and checks every claim and file of a solution.
import {
  type CitedFile,
  type FileTree,
  findCited,
  repositoryForm,
} from '../../context/file-tree.ts';
import { type Definition, definitionsIn, enclosingDefinitions } from '../../context/symbols.ts';
import { redactFile } from '../../model/secrets.ts';
import { counted } from '../../model/wording.ts';
import type {
  Claim,
  PlannedFile,
  ProposedSolution,
  Examination,
  SolutionTask,
} from '../../model/proposal.ts';
import type { AffectedFile, CheckedClaim, Synthesis } from '../../model/synthesis.ts';
import type { Candidate } from './candidate.ts';
import { type FoldedFile, findQuote, foldFile } from './quote.ts';
import type { Voice } from './votes.ts';

/** Turns an agent’s solution into a candidate: every claim and task file is resolved against the base. */
export async function checkProposal({
  repository,
  author,
  solution,
}: {
  readonly repository: FileTree;
  readonly author: Voice;
  readonly solution: ProposedSolution;
}): Promise<Candidate> {
  const { agent, kind } = author;
  const { implementation_plan: plan, feasibility, effort, risk, ...rest } = solution;
  const [claims, { tasks, files }] = await Promise.all([
    checkClaims({
      repository,
      agent,
      claims: solution.claims,
      planned: pathsOf(plan.tasks, 'create'),
    }),
    checkTasks(findCitedFiles(repository), plan.tasks),
  ]);
  const references = [...distinctClaims(claims), ...files];
  const sound = references.filter(({ status }) => status !== 'failed').length;
  const counts = { sound, failed: references.length - sound };
  return {
    ...rest,
    id: null,
    source_cli: [agent],
    implementation_plan: { ...plan, tasks },
    affected_files: files,
    claims,
    stances: [],
    preferred_by: [],
    estimates: [{ agent, kind, feasibility, effort, risk, ...counts }],
  };
}

/** Keeps each place and quote once, so that a repeated claim does not weigh more. */
function distinctClaims(claims: readonly CheckedClaim[]): readonly CheckedClaim[] {
  const keyed = claims.map(
    (claim) => [JSON.stringify([claim.path, claim.line, claim.quote]), claim] as const,
  );
  return [...new Map(keyed).values()];
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
  readonly repository: FileTree;
  readonly agent: string;
  readonly claims: readonly Claim[];
  readonly planned: ReadonlySet<string>;
}): Promise<CheckedClaim[]> {
  const base = findCitedFiles(repository);
  return await Promise.all(
    claims.map(async (claim) => ({
      ...claim,
      agent,
      ...(await resolveClaim(claim, base, planned)),
    })),
  );
}

/** The files that an examination may cite although they do not exist yet, because some solution creates them. */
export function plannedFiles(
  { revision }: Pick<Examination, 'revision'>,
  previous: Pick<Synthesis, 'solutions'>,
): ReadonlySet<string> {
  const plans = [revision, ...previous.solutions].map((one) => one?.implementation_plan);
  return pathsOf(
    plans.flatMap((plan) => plan?.tasks ?? []),
    'create',
  );
}

type Resolved = Pick<CheckedClaim, 'path' | 'status' | 'found_line' | 'note' | 'inside'>;

async function resolveClaim(
  claim: Claim,
  base: CitedFiles,
  planned: ReadonlySet<string>,
): Promise<Resolved> {
  const cited = await base.find(claim.path);
  if (cited.kind === 'refused') return failedPlace(claim.path, cited.why);
  const { path } = cited;
  if (cited.kind === 'missing') {
    return planned.has(path)
      ? { path, status: 'planned', found_line: null, note: '' }
      : failedPlace(path, cited.why);
  }
  const file = await base.text(path);
  if (file === null) return failedPlace(path, 'not a text file, so the quote cannot be checked');
  const finding = findQuote({ file, quote: claim.quote, line: claim.line });
  if (finding.found === 'nowhere') return failedPlace(path, redactFile(path, finding.why));
  const inside = await base.inside(path, finding.line);
  return {
    path,
    status: finding.found === 'near' ? 'verified' : 'moved',
    found_line: finding.line,
    note: finding.line === claim.line ? '' : `it is on line ${finding.line}, not ${claim.line}`,
    ...(inside !== null && { inside }),
  };
}

function failedPlace(path: string, note: string): Resolved {
  return { path, status: 'failed', found_line: null, note };
}

/**
 * Resolves the files of a solution’s tasks. A file to create must not exist yet, unless the solution deletes
 * it; a file to change or delete must exist, unless the solution creates it; a line must lie inside the file.
 * Files outside of the repository are removed from the tasks, but stay in `files`, which has each file, line
 * and action once.
 */
async function checkTasks(
  base: CitedFiles,
  tasks: readonly SolutionTask[],
): Promise<{ readonly tasks: SolutionTask[]; readonly files: AffectedFile[] }> {
  const others = { created: pathsOf(tasks, 'create'), deleted: pathsOf(tasks, 'delete') };
  const checked = await Promise.all(
    tasks.map(async (task) => ({
      task,
      files: await Promise.all(task.files.map((file) => checkedFile(base, file, others))),
    })),
  );
  const keyed = checked
    .flatMap(({ files }) => files)
    .map((entry) => [JSON.stringify([entry.file, entry.line, entry.action]), entry] as const);
  return {
    tasks: checked.map(({ task, files }) => ({
      ...task,
      files: files.filter(({ file }) => repositoryForm(file) !== null).map(plannedFile),
    })),
    files: [...new Map(keyed).values()],
  };
}

function plannedFile({ file, line, action }: AffectedFile): PlannedFile {
  return { file, action, ...(line !== null && { line }) };
}

/** The paths that tasks create or delete, in the form that the repository uses. */
function pathsOf(
  tasks: readonly SolutionTask[],
  action: PlannedFile['action'],
): ReadonlySet<string> {
  const files = tasks.flatMap((task) => task.files).filter((file) => file.action === action);
  return new Set(files.flatMap(({ file }) => repositoryForm(file) ?? []));
}

async function checkedFile(
  base: CitedFiles,
  { file, line: stated, action }: PlannedFile,
  others: { readonly created: ReadonlySet<string>; readonly deleted: ReadonlySet<string> },
): Promise<AffectedFile> {
  const line = stated ?? null;
  const cited = await base.find(file);
  if (cited.kind === 'refused') return { file, line, action, status: 'failed', note: cited.why };
  const { path } = cited;
  const as = (status: AffectedFile['status'], note = '') => {
    return { file: path, line, action, status, note };
  };
  if (cited.kind === 'missing') {
    if (action === 'create') return as('planned');
    return others.created.has(path)
      ? as('planned', 'the solution creates it')
      : as('failed', cited.why);
  }
  if (action === 'create') {
    return others.deleted.has(path)
      ? as('planned', 'the solution deletes it')
      : as('failed', 'exists already');
  }
  const text = line === null ? null : await base.text(path);
  return line === null || text === null || line <= Math.max(text.starts.length, 1)
    ? as('verified')
    : as('failed', `line ${line} is beyond the end (${counted(text.starts.length, 'line')})`);
}

/** The files that agents cite, each read at most once. */
export interface CitedFiles {
  find(cited: string): Promise<CitedFile>;
  /** The lines of an existing file; null if it is not a text file. */
  text(path: string): Promise<FoldedFile | null>;
  /** The definitions that contain a line of a file; null if there are none. */
  inside(path: string, line: number): Promise<string | null>;
}

export function findCitedFiles(repository: FileTree): CitedFiles {
  const known = new Map<string, Promise<KnownFile | null>>();
  const read = (path: string) => {
    const file =
      known.get(path) ?? repository.read(path).then((content) => openFile(path, content));
    known.set(path, file);
    return file;
  };
  return {
    find: (cited) => findCited(cited, repository),
    text: async (path) => (await read(path))?.folded ?? null,
    async inside(path, line) {
      const file = await read(path);
      return file === null ? null : enclosingDefinitions(file.definitions(), file.content, line);
    },
  };
}

interface KnownFile {
  readonly content: string;
  readonly folded: FoldedFile;
  /** The definitions, which are collected on the first call. */
  definitions(): readonly Definition[];
}

function openFile(path: string, content: string | null): KnownFile | null {
  if (content === null) return null;
  let definitions: readonly Definition[] | null = null;
  return {
    content,
    folded: foldFile(content),
    definitions: () => (definitions ??= definitionsIn(path, content)),
  };
}
