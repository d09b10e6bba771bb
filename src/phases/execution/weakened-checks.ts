// Finds tests, their settings and scripts that a task changed unnamed, and restores them for its checks.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isTest } from '../../context/file-kinds.ts';
import { withoutLinks } from '../../git/disk.ts';
import { nameOfPath } from '../../git/paths.ts';
import type { Worktrees } from '../../git/worktrees.ts';
import type { Check } from '../../model/check.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { isNamed } from './judge.ts';

interface ChangedWork {
  readonly trees: Pick<Worktrees, 'read' | 'restore' | 'path'>;
  readonly tasks: readonly Task[];
  /** The commit from which the work began, and the one with the work. */
  readonly start: string;
  readonly commit: string;
  /** The files that differ between the two. */
  readonly files: readonly string[];
}

/** The files from before the work that the checks of these tasks rest on and that no task names. */
export async function findWeakened(work: ChangedWork): Promise<readonly string[]> {
  const { tasks, files } = work;
  const checks = tasks.flatMap(checksOf);
  if (!checks.some(isRun)) return [];
  const words = new Set(checks.flatMap((check) => (check.kind === 'command' ? check.argv : [])));
  const isMeant = (path: string) =>
    tasks.some((task) => isNamed(task, path)) ||
    checks.some((check) => isLook(check) && check.path === path);
  const found = await Promise.all(
    files
      .filter((path) => restsOn(path, words) && !isMeant(path))
      .map(async (path) => ((await hasChanged(work, path)) ? path : [])),
  );
  return found.flat();
}

/** A check that looks into a file implies that the task is meant to change it. */
function isLook(
  check: Check,
): check is Extract<Check, { path: string; kind: 'file' | 'symbol' | 'text' }> {
  return check.kind === 'file' || check.kind === 'symbol' || check.kind === 'text';
}

/** True for a check that runs something, which can be made to pass by other means than the work. */
export function isRun(check: Check): boolean {
  return check.kind === 'command' || check.kind === 'test';
}

/** Restores these files of a work tree to their state before the work. */
export async function restoreBefore(
  name: string,
  { trees, start, commit }: Omit<ChangedWork, 'tasks' | 'files'>,
  weakened: readonly string[],
): Promise<void> {
  await trees.restore(name, start, weakened);
  const root = trees.path(name);
  for (const path of weakened.filter(isManifest)) {
    const text = await mixedManifest({ trees, start, commit }, path);
    const isPlain = (await withoutLinks(root, path)) === path;
    if (text !== null && isPlain) await writeFile(join(root, path), text);
  }
}

/** Test folders contain more than tests: expected results and helpers. */
const testFolder = /(?:^|\/)(?:tests?|__tests__|__snapshots__|__fixtures__|testdata|specs?|e2e)\//;
const testSettings = new RegExp(
  [
    String.raw`^(?:jest|vitest|vite|karma|ava|playwright|cypress|mocha|tap|wdio|eslint|biome|oxlint)\.(?:config|setup|conf)\b`,
    String.raw`^\.(?:mocha|nyc|tap|jest|eslint|oxlint|coverage|flake8|rspec|golangci|pylint|rubocop|prettier)\w*(?:\.\w+)*$`,
    String.raw`^(?:pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|conftest\.py|noxfile\.py|mypy\.ini|ruff\.toml|biome\.jsonc?|phpunit\.xml(?:\.dist)?|tsconfig\b.*\.json)$`,
    String.raw`^(?:(?:GNU)?[Mm]akefile|[Jj]ustfile|[Tt]askfile\.ya?ml|Rakefile)$`,
  ].join('|'),
);
const script = /\.(?:sh|bash|zsh|bat|cmd|ps1)$|(?:^|\/)(?:scripts?|ci|hack|tools?)\//;

function restsOn(path: string, words: ReadonlySet<string>): boolean {
  return (
    isTest(path) ||
    testFolder.test(path) ||
    testSettings.test(nameOfPath(path)) ||
    isManifest(path) ||
    (script.test(path) && [path, `./${path}`].some((word) => words.has(word)))
  );
}

function isManifest(path: string): boolean {
  return nameOfPath(path) === 'package.json';
}

async function hasChanged(
  work: Omit<ChangedWork, 'tasks' | 'files'>,
  path: string,
): Promise<boolean> {
  if ((await work.trees.read(work.start, path)) === null) return false;
  if (!isManifest(path)) return true;
  const manifests = await readManifests(work, path);
  return manifests === null || JSON.stringify(mix(manifests)) !== JSON.stringify(manifests.now);
}

/** The current `package.json` with the test scripts and settings that it had before the work. */
async function mixedManifest(
  work: Omit<ChangedWork, 'tasks' | 'files'>,
  path: string,
): Promise<string | null> {
  const manifests = await readManifests(work, path);
  return manifests === null ? null : `${JSON.stringify(mix(manifests), null, 2)}\n`;
}

interface Manifests {
  readonly before: Record<string, unknown>;
  readonly now: Record<string, unknown>;
}

async function readManifests(
  { trees, start, commit }: Omit<ChangedWork, 'tasks' | 'files'>,
  path: string,
): Promise<Manifests | null> {
  const read = async (one: string) => jsonIn((await trees.read(one, path))?.toString('utf8') ?? '');
  const [before, now] = await Promise.all([read(start), read(commit)]);
  return isObject(before) && isObject(now) ? { before, now } : null;
}

/** Keeps new scripts and everything else; sets nothing that did not exist before. */
function mix({ before, now }: Manifests): Record<string, unknown> {
  const own = Object.entries(before).filter(([key]) => testKeys.has(key));
  const mixed = { ...now, ...Object.fromEntries(own) };
  if (!isObject(before['scripts'])) return mixed;
  const scripts = isObject(now['scripts']) ? now['scripts'] : {};
  return { ...mixed, scripts: { ...scripts, ...before['scripts'] } };
}

const testKeys: ReadonlySet<string> = new Set('ava c8 jest mocha nyc tap vitest'.split(' '));
