import type { PlannedFile, SolutionTask } from '../../model/proposal.ts';
import type { AffectedFile } from '../../model/synthesis.ts';
import { type CitedFile, type CitedFiles, repositoryForm } from './cited-files.ts';

/** The task files of a solution after the check. */
export interface CheckedTasks {
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
export async function checkPlannedFiles(
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
