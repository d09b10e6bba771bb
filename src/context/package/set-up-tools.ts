// Finds the set-up that a project’s files state or propose, and lists the tools that carry it out.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import ignore from 'ignore';
import { parse } from 'jsonc-parser';
import { nullIfAbsent } from '../../store/system-error.ts';
import { readPlainFile, textOf } from '../../git/disk.ts';
import { listUncommitted } from '../../git/made-files.ts';
import { plainWords } from '../../model/check.ts';
import { isObject } from '../../model/json.ts';

/** A way to install a project’s dependencies. */
export interface SetUpTool {
  readonly program: string;
  /** Files at the root, any of which reveals the tool. */
  readonly shownBy: readonly string[];
  readonly argv: readonly string[];
  /** The names of the files that it reads, in any folder. */
  readonly reads: readonly string[];
  /** True if its result contains no folder names, so that a copy works elsewhere. */
  readonly isMovable: boolean;
}

/** Checks out the submodules, which a new work tree lacks. */
const checkOut = 'git submodule update --init';

/**
 * The tools: command, files that reveal it, files that it reads, and "stays" if its result contains names of
 * folders. If two are found, the first one counts.
 */
const table = `
pnpm install --frozen-lockfile | pnpm-lock.yaml | package.json .npmrc pnpm-lock.yaml pnpm-workspace.yaml
yarn install --immutable | .yarnrc.yml | package.json .npmrc yarn.lock .yarnrc.yml
yarn install --frozen-lockfile | yarn.lock | package.json .npmrc yarn.lock
bun install --frozen-lockfile | bun.lock bun.lockb | package.json .npmrc bun.lock bun.lockb
npm ci | package-lock.json npm-shrinkwrap.json | package.json .npmrc package-lock.json npm-shrinkwrap.json
uv sync --frozen | uv.lock | uv.lock pyproject.toml | stays
poetry install | poetry.lock | poetry.lock pyproject.toml | stays
pdm sync | pdm.lock | pdm.lock pyproject.toml | stays
pipenv sync --dev | Pipfile.lock | Pipfile Pipfile.lock | stays
go mod download | go.sum | go.mod go.sum go.work go.work.sum
cargo fetch --locked | Cargo.lock | Cargo.toml Cargo.lock
bundle install | Gemfile.lock | Gemfile Gemfile.lock
composer install --no-interaction | composer.lock | composer.json composer.lock
mix deps.get | mix.lock | mix.exs mix.lock
dotnet restore | packages.lock.json | packages.lock.json Directory.Packages.props
dart pub get | pubspec.lock | pubspec.yaml pubspec.lock
${checkOut} | .gitmodules | .gitmodules | stays`;

const tools = table
  .trim()
  .split('\n')
  .map((line): SetUpTool => {
    const [argv = [], shownBy = [], reads = [], stays] = line
      .split(' | ')
      .map((cell) => cell.split(' '));
    const [program = ''] = argv;
    return { program, argv, shownBy, reads, isMovable: stays === undefined };
  });

/** The names of all files that such tools read: a change to one may add dependencies. */
export const setUpFiles: ReadonlySet<string> = new Set([
  ...tools.flatMap(({ reads }) => reads),
  'requirements.txt',
]);

/** The set-up that a project’s own files suggest. */
export interface FoundSetUp {
  /** The words of its commands, which `&&` separates; empty for none. */
  readonly argv: readonly string[];
  /** The ignored files and folders of the user that each work tree is to get a copy of. */
  readonly copy: readonly string[];
  /** The files that suggest it. */
  readonly source: string;
}

/**
 * The set-up that the project in a folder states for such tools, or else the command of the tool that installs
 * its dependencies, after the one that checks out the submodules that the user has; null if no file suggests one.
 */
export async function findSetUp(root: string): Promise<FoundSetUp | null> {
  const names = new Set(await nullIfAbsent(readdir(root)));
  const stated = await readStatedSetUp(root);
  const sourceOf = (tool: SetUpTool) => tool.shownBy.find((name) => names.has(name));
  const found = tools.find((tool) => tool.program !== 'git' && sourceOf(tool) !== undefined);
  const own =
    stated.argv.length > 0 || found === undefined
      ? stated
      : { argv: found.argv, sources: [...stated.sources, sourceOf(found) ?? ''] };
  const hasSubmodules = (await submodulesAt(root)).length > 0;
  const first = hasSubmodules ? { argv: checkOut.split(' '), sources: ['.gitmodules'] } : nothing;
  const argv = joinCommands(first.argv, own.argv);
  const { copy } = stated;
  const source = [...first.sources, ...own.sources].join(' and ');
  return argv.length + copy.length === 0 ? null : { argv, copy, source };
}

const nothing = { argv: [], sources: [] };

/** The submodules that are checked out in a folder. */
export async function submodulesAt(root: string): Promise<readonly string[]> {
  const text = (await nullIfAbsent(readFile(join(root, '.gitmodules'), 'utf8'))) ?? '';
  const paths = [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(([, path = '']) => path);
  const there = await Promise.all(
    paths.map(async (path) => (await nullIfAbsent(readdir(join(root, path)))) ?? []),
  );
  return paths.filter((_, at) => (there[at]?.length ?? 0) > 0);
}

/** The commands of a set-up, each as its words. */
export function commandsIn(setup: readonly string[]): readonly (readonly string[])[] {
  const ends = setup.flatMap((word, at) => (word === and ? [at] : []));
  return [...ends, setup.length]
    .map((end, at) => setup.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end))
    .filter(({ length }) => length > 0);
}

const and = '&&';

/** One set-up of several, whose commands run one after the other. */
export function joinCommands(...setups: readonly (readonly string[])[]): readonly string[] {
  return setups
    .filter(({ length }) => length > 0)
    .flatMap((setup, at) => (at === 0 ? setup : [and, ...setup]));
}

/** The tool of a command that installs; null for any other command, e.g. a build. */
export function setUpTool([program, what = 'install']: readonly string[]): SetUpTool | null {
  const own = tools.filter((tool) => tool.program === program);
  return own.find(({ argv }) => argv[1] === what || installs.has(what)) ?? null;
}

const installs: ReadonlySet<string> = new Set(['install', 'i', 'ci', 'add']);

/** True if npm and its like also run scripts of the project, which may read anything in it. */
export function hasInstallScripts(packageJson: string): boolean {
  return /"(?:pre|post)?(?:install|prepare)"\s*:/.test(packageJson);
}

/** A set-up that a project states, with the files that say it. */
interface StatedSetUp {
  readonly argv: readonly string[];
  readonly copy: readonly string[];
  readonly sources: readonly string[];
}

/** The files, the first of which counts, each with the commands that its text states. */
const statements: readonly (readonly [file: string, read: (text: string) => readonly string[]])[] =
  [
    ['.cursor/worktrees.json', (text) => cursorCommands(parse(text))],
    ['.github/workflows/copilot-setup-steps.yml', workflowCommands],
    ['.github/workflows/copilot-setup-steps.yaml', workflowCommands],
    ['.devcontainer/devcontainer.json', (text) => containerCommands(parse(text))],
    ['.devcontainer.json', (text) => containerCommands(parse(text))],
  ];

const included = '.worktreeinclude';

/** Reads what a project states. It is only proposed: nothing runs or is copied before the user has agreed to it. */
async function readStatedSetUp(root: string): Promise<StatedSetUp> {
  const read = async (file: string) => {
    const content = await readPlainFile(root, file);
    return (content === null ? null : textOf(content)) ?? '';
  };
  const copy = await includedFiles(root, await read(included));
  const copied = copy.length === 0 ? [] : [included];
  for (const [file, commandsOf] of statements) {
    const lines = commandsOf(await read(file)).flatMap((line) => line.trim() || []);
    if (lines.length > 0) return { argv: joinLines(lines), copy, sources: [file, ...copied] };
  }
  return { argv: [], copy, sources: copied };
}

/** The words of the commands, which a shell runs where one of them needs it. */
function joinLines(lines: readonly string[]): readonly string[] {
  const plain = lines.flatMap((line) => line.split(/\s*&&\s*/)).map(plainWords);
  const isPlain = plain.every(
    (words) => words !== null && !/^(?:cd|export|source|\.)$/.test(words[0] ?? ''),
  );
  if (!isPlain) return ['sh', '-ec', lines.join('\n')];
  return plain.flatMap((words, at) => (at === 0 ? (words ?? []) : ['&&', ...(words ?? [])]));
}

function texts(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}

function cursorCommands(config: unknown): readonly string[] {
  if (!isObject(config)) return [];
  const stated = config['setup-worktree-unix'] ?? config['setup-worktree'];
  // A single text names a script beside the file.
  if (typeof stated === 'string') return [`sh ${join('.cursor', stated)}`];
  return texts(stated).map((line) => line.replaceAll('ROOT_WORKTREE_PATH', 'CONCLAVE_ROOT'));
}

/** A list there is one command with its arguments, and a table holds several commands. */
function containerCommands(config: unknown): readonly string[] {
  const stated = isObject(config) ? config['postCreateCommand'] : undefined;
  const each = isObject(stated) ? Object.values(stated) : [stated];
  return each.flatMap((one) => texts(one).join(' '));
}

/** The commands of the steps: `run: npm ci`, or a block of more deeply indented lines after `run: |`. */
function workflowCommands(text: string): readonly string[] {
  const steps = text.matchAll(
    /^( *)(?:- +)?run: *(?:([|>])[+-]?\n((?:\1 +.*\n|[ \t]*\n)+)|(.+))/gm,
  );
  return [...steps].flatMap(([, , , block, line = '']) => {
    if (block !== undefined) return block.split('\n').map((one) => one.trim());
    return line.trim().replace(/^(["'])(.*)\1$/, '$2');
  });
}

/** The ignored files and folders of the user that the patterns name. */
async function includedFiles(root: string, patterns: string): Promise<readonly string[]> {
  if (patterns.trim() === '') return [];
  const wanted = ignore().add(patterns);
  const { ignored } = await listUncommitted(root);
  return ignored.filter((path) => wanted.ignores(path)).map((path) => path.replace(/\/$/, ''));
}
