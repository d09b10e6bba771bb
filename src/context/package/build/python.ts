import type { Found, ProjectFolder } from './project-folder.ts';

const language = 'python';

/** Managers by what shows them, and how each runs a tool of the project’s environment. */
const managers = [
  { name: 'uv', files: ['uv.lock'], table: 'uv', run: 'uv run ' },
  { name: 'Poetry', files: ['poetry.lock'], table: 'poetry', run: 'poetry run ' },
  { name: 'PDM', files: ['pdm.lock'], table: 'pdm', run: 'pdm run ' },
  { name: 'Pipenv', files: ['Pipfile.lock', 'Pipfile'], table: null, run: 'pipenv run ' },
  { name: 'Hatch', files: [], table: 'hatch', run: 'hatch run ' },
  { name: 'pip', files: ['requirements.txt', 'setup.py', 'setup.cfg'], table: null, run: '' },
] as const;

/** `pyproject.toml` and what stands beside it. */
export async function pythonFacts(place: ProjectFolder): Promise<readonly Found[]> {
  const project = await textAt(place, 'pyproject.toml');
  const setup = await textAt(place, 'setup.cfg');
  const tox = await textAt(place, 'tox.ini');
  const manager = managerOf(place, project);
  const run = managers.find(({ name }) => name === manager?.value)?.run ?? '';
  const here = (...names: readonly string[]) => names.find((name) => place.has(name));
  const tool = (name: string) => stated(hasTable(project, `tool.${name}`), 'pyproject.toml');
  const pytest =
    tool('pytest') ??
    here('pytest.ini') ??
    stated(setup.includes('[tool:pytest]'), 'setup.cfg') ??
    stated(/^\[pytest\]/m.test(tox), 'tox.ini') ??
    (isProject(place) ? here('conftest.py', 'tests/conftest.py', 'test/conftest.py') : undefined);
  const flake8 = here('.flake8') ?? stated(setup.includes('[flake8]'), 'setup.cfg');
  return [
    ...(manager === null ? [] : [manager]),
    ...fact('test', `${run === '' ? 'python -m ' : run}pytest`, pytest),
    ...fact('test', 'python manage.py test', here('manage.py')),
    ...fact('test', 'tox', stated(/^\[(?:tox|testenv)/m.test(tox), 'tox.ini') ?? tool('tox')),
    ...fact('test', 'nox', here('noxfile.py')),
    ...fact('lint', `${run}ruff check`, tool('ruff') ?? here('ruff.toml', '.ruff.toml')),
    ...fact('lint', `${run}flake8`, flake8),
    ...fact('lint', 'pre-commit run --all-files', here('.pre-commit-config.yaml')),
    ...fact('format', `${run}black --check .`, tool('black')),
    ...fact('types', `${run}mypy`, tool('mypy') ?? here('mypy.ini', '.mypy.ini')),
    ...fact('types', `${run}pyright`, tool('pyright') ?? here('pyrightconfig.json')),
    ...fact(
      'build',
      'python -m build',
      stated(hasTable(project, 'build-system'), 'pyproject.toml'),
    ),
  ];
}

/** A folder of tests is part of the project above it. */
function isProject(place: ProjectFolder): boolean {
  const files = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'tox.ini'];
  return place.folder === '' || files.some((name) => place.has(name));
}

async function textAt(place: ProjectFolder, name: string): Promise<string> {
  return place.has(name) ? ((await place.read(name)) ?? '') : '';
}

function stated(isStated: boolean, source: string): string | undefined {
  return isStated ? source : undefined;
}

function fact(kind: Found['kind'], value: string, source: string | undefined): readonly Found[] {
  return source === undefined ? [] : [{ kind, value, language, source }];
}

function managerOf(place: ProjectFolder, project: string): Found | null {
  const kind = 'package-manager';
  for (const { name: value, files, table } of managers) {
    const file = place.nearest(files.slice(0, 1)) ?? files.find((one) => place.has(one)) ?? null;
    const isOwn = file !== null && (project !== '' || place.has(file));
    if (isOwn) return { kind, value, language, source: place.has(file) ? file : `/${file}` };
    if (table !== null && hasTable(project, `tool.${table}`)) {
      return { kind, value, language, source: 'pyproject.toml' };
    }
  }
  return null;
}

/** True for `[name]`, `[name.more]` and `[[name]]` at the start of a line. */
function hasTable(toml: string, name: string): boolean {
  return new RegExp(`^\\s*\\[{1,2}${name.replaceAll('.', '\\.')}(?:\\.|\\])`, 'm').test(toml);
}
