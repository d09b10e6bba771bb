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
 * Resolves the files of a solution’s tasks. A file to create must not exist yet, unless an
 * earlier task deletes it; a file to change or delete must exist, or an earlier task creates it;
 * a line must lie inside the file. Earlier is what the list or `depends_on` puts before.
 */
export async function checkPlannedFiles(
  base: CitedFiles,
  tasks: readonly SolutionTask[],
): Promise<CheckedTasks> {
  const ancestors = ancestorsOf(tasks);
  const references = await Promise.all(
    tasks.map((task) =>
      Promise.all(
        task.files.map(async (file) => {
          const cited = await base.find(file.file);
          const planned = inRepositoryForm(file, cited);
          const earlier = earlierActions(tasks, { task, file, ancestors });
          const verdict = await verdictOn({ base, cited, planned, earlier });
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
  earlier,
}: {
  readonly base: CitedFiles;
  readonly cited: CitedFile;
  readonly planned: PlannedFile;
  readonly earlier: ReadonlySet<PlannedFile['action']>;
}): Promise<Verdict> {
  if (cited.kind === 'refused') return { status: 'failed', note: cited.why };
  const isThere = cited.kind === 'file';
  if (planned.action === 'create') {
    if (isThere && earlier.has('delete')) {
      return { status: 'planned', note: 'deleted by an earlier task' };
    }
    if (isThere) return { status: 'failed', note: 'exists already' };
    if (cited.otherCase) return { status: 'failed', note: cited.why };
    return { status: 'planned', note: '' };
  }
  if (isThere) return lineVerdict(base, cited.path, planned.line ?? null);
  return earlier.has('create')
    ? { status: 'planned', note: 'created by an earlier task' }
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

/** What earlier tasks, or earlier entries of the same task, do to the same path. */
function earlierActions(
  tasks: readonly SolutionTask[],
  at: {
    readonly task: SolutionTask;
    readonly file: PlannedFile;
    readonly ancestors: ReadonlyMap<string, ReadonlySet<string>>;
  },
): ReadonlySet<PlannedFile['action']> {
  const { task, file, ancestors } = at;
  const path = repositoryForm(file.file);
  const waitsFor = (one: SolutionTask, other: SolutionTask) =>
    ancestors.get(one.id)?.has(other.id) ?? false;
  const earlier = tasks.filter((other, index) =>
    index < tasks.indexOf(task) ? !waitsFor(other, task) : waitsFor(task, other),
  );
  const own = task.files.slice(0, task.files.indexOf(file));
  return new Set(
    [...earlier.flatMap(({ files }) => files), ...own]
      .filter((other) => path !== null && repositoryForm(other.file) === path)
      .map(({ action }) => action),
  );
}

/** Each task’s direct and indirect dependencies; circles and unknown ids do no harm. */
function ancestorsOf(tasks: readonly SolutionTask[]): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map(tasks.map((task) => [task.id, task.depends_on]));
  return new Map(
    tasks.map((task) => {
      const found = new Set<string>();
      const open = [...task.depends_on];
      for (let id = open.pop(); id !== undefined; id = open.pop()) {
        if (!found.has(id)) open.push(...(direct.get(id) ?? []));
        found.add(id);
      }
      return [task.id, found];
    }),
  );
}
