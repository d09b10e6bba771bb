import type { PlannedFile, SolutionTask } from '../../model/proposal.ts';
import type { AffectedFile } from '../../model/synthesis.ts';
import type { BaseFiles, CitedFile } from './base-files.ts';
import { citedPath } from './cited-path.ts';

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
  base: BaseFiles,
  tasks: readonly SolutionTask[],
): Promise<CheckedTasks> {
  const before = ancestors(tasks);
  const files = new Map<string, AffectedFile>();
  const settled: SolutionTask[] = [];
  for (const task of tasks) {
    const references = await Promise.all(
      task.files.map(async (file) => {
        const cited = await base.find(file.file);
        const earlier = earlierActions(tasks, { task, file, before });
        return { file, cited, checked: await checkFile({ base, cited, file, earlier }) };
      }),
    );
    for (const { checked } of references) {
      const key = JSON.stringify([checked.file, checked.line, checked.action]);
      if (!files.has(key)) files.set(key, checked);
    }
    settled.push({
      ...task,
      files: references.map(({ file, cited }) => inRepositoryForm(file, cited)),
    });
  }
  return { tasks: settled, files: [...files.values()] };
}

/** The paths that the tasks create, in the repository’s form. */
export function createdPaths(tasks: readonly SolutionTask[]): ReadonlySet<string> {
  const creations = tasks.flatMap((task) => task.files).filter(({ action }) => action === 'create');
  return new Set(creations.flatMap(({ file }) => formOf(file) ?? []));
}

interface FileCheck {
  readonly base: BaseFiles;
  readonly cited: CitedFile;
  readonly file: PlannedFile;
  readonly earlier: ReadonlySet<PlannedFile['action']>;
}

async function checkFile({ base, cited, file, earlier }: FileCheck): Promise<AffectedFile> {
  const { action } = file;
  if (cited.kind === 'refused') return entry(file, cited, { status: 'failed', note: cited.why });
  if (action === 'create') {
    if (cited.kind === 'missing') {
      return cited.otherCase
        ? entry(file, cited, { status: 'failed', note: cited.why })
        : entry(file, cited, { status: 'planned', note: '' });
    }
    return earlier.has('delete')
      ? entry(file, cited, { status: 'planned', note: 'deleted by an earlier task' })
      : entry(file, cited, { status: 'failed', note: 'exists already' });
  }
  if (cited.kind === 'missing') {
    return earlier.has('create')
      ? entry(file, cited, { status: 'planned', note: 'created by an earlier task' })
      : entry(file, cited, { status: 'failed', note: cited.why });
  }
  return entry(file, cited, await lineVerdict(base, cited.path, file.line ?? cited.line));
}

async function lineVerdict(
  base: BaseFiles,
  path: string,
  line: number | null,
): Promise<Pick<AffectedFile, 'status' | 'note'>> {
  if (line === null) return { status: 'verified', note: '' };
  const text = await base.text(path);
  if (text === null) return { status: 'verified', note: 'not a text file, so it has no lines' };
  const { length } = text;
  return line <= Math.max(length, 1)
    ? { status: 'verified', note: '' }
    : { status: 'failed', note: `line ${line} is beyond the end (${length} lines)` };
}

function entry(
  file: PlannedFile,
  cited: CitedFile,
  verdict: Pick<AffectedFile, 'status' | 'note'>,
): AffectedFile {
  const settled = inRepositoryForm(file, cited);
  return { file: settled.file, line: settled.line ?? null, action: file.action, ...verdict };
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
    readonly before: ReadonlyMap<string, ReadonlySet<string>>;
  },
): ReadonlySet<PlannedFile['action']> {
  const path = formOf(at.file.file);
  const index = tasks.indexOf(at.task);
  const earlier = tasks.filter((task, position) =>
    position < index
      ? !(at.before.get(task.id)?.has(at.task.id) ?? false)
      : (at.before.get(at.task.id)?.has(task.id) ?? false),
  );
  const own = at.task.files.slice(0, at.task.files.indexOf(at.file));
  return new Set(
    [...earlier.flatMap((task) => task.files), ...own]
      .filter(({ file }) => path !== null && formOf(file) === path)
      .map(({ action }) => action),
  );
}

/** Each task’s direct and indirect dependencies; circles and unknown ids do no harm. */
function ancestors(tasks: readonly SolutionTask[]): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map(tasks.map((task) => [task.id, task.depends_on]));
  return new Map(
    tasks.map((task) => {
      const seen = new Set<string>();
      const open = [...task.depends_on];
      for (let id = open.pop(); id !== undefined; id = open.pop()) {
        if (!seen.has(id)) open.push(...(direct.get(id) ?? []));
        seen.add(id);
      }
      return [task.id, seen];
    }),
  );
}

function formOf(text: string): string | null {
  const cited = citedPath(text);
  return cited.ok ? cited.path : null;
}
