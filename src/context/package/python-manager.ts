import type { FolderFact, ProjectFolder } from './project-folder.ts';

/** Managers by what shows them, and how each runs a tool of the project’s environment. */
const managers = [
  { name: 'uv', lock: 'uv.lock', table: '[tool.uv', run: 'uv run ' },
  { name: 'Poetry', lock: 'poetry.lock', table: '[tool.poetry', run: 'poetry run ' },
  { name: 'PDM', lock: 'pdm.lock', table: '[tool.pdm', run: 'pdm run ' },
  { name: 'Pipenv', lock: 'Pipfile', table: null, run: 'pipenv run ' },
] as const;

/** Who manages the packages of a folder’s Python, and what to put before a tool to run it. */
export async function pythonManager(
  folder: ProjectFolder,
): Promise<{ readonly fact: FolderFact; readonly run: string } | null> {
  const project = await folder.read('pyproject.toml');
  for (const { name, lock, table, run } of managers) {
    const nearest = project === '' && !folder.has(lock) ? null : folder.nearest([lock]);
    const isStated = table !== null && project.includes(table);
    const source = nearest === null ? (isStated ? 'pyproject.toml' : null) : `/${nearest}`;
    if (source !== null) return { fact: factOf(name, source), run };
  }
  const source = ['requirements.txt', 'setup.py', 'setup.cfg'].find((file) => folder.has(file));
  return source === undefined ? null : { fact: factOf('pip', source), run: 'python -m ' };
}

function factOf(value: string, source: string): FolderFact {
  return { kind: 'package-manager', value, language: 'python', source };
}
