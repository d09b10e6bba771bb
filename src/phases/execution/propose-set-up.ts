// Finds the set-up that the project proposes and the user’s settings lack.
import { findProgram } from '../../agents/process/find-program.ts';
import { commandsIn, type FoundSetUp, findSetUp } from '../../context/package/set-up-tools.ts';
import type { ExecutionSettings } from '../../model/settings.ts';
import { listed } from '../../model/wording.ts';
import { holdsSecrets } from './prepare-tree.ts';

/** A set-up that the user may take: exactly these commands and files. */
export interface ProposedSetUp extends FoundSetUp {
  /** Those of the files that hold secrets. */
  readonly secrets: readonly string[];
  /** A program of it that is not installed, so that it cannot help; null if all are. */
  readonly missing: string | null;
}

interface SetUpPlace {
  /** The user’s own folder. */
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: Pick<ExecutionSettings, 'setup' | 'copy'>;
}

/** The part of the project’s set-up that the settings say nothing about; null if there is none. */
export async function proposeSetUp(place: SetUpPlace): Promise<ProposedSetUp | null> {
  const { root, environment, settings } = place;
  const found = await findSetUp(root);
  if (found === null) return null;
  const argv = settings.setup.length > 0 ? [] : found.argv;
  const copy = settings.copy.length > 0 ? [] : found.copy;
  if (argv.length + copy.length === 0) return null;
  const hold = await Promise.all(copy.map((path) => holdsSecrets(root, path)));
  const programs = commandsIn(argv).flatMap(([program]) => program ?? []);
  const isInstalled = (name: string) => findProgram(name, environment['PATH']) !== null;
  const missing = programs.find((name) => !name.includes('/') && !isInstalled(name)) ?? null;
  return { argv, copy, source: found.source, secrets: copy.filter((_, at) => hold[at]), missing };
}

/** Says exactly what a set-up does, and what becomes of files that hold secrets. */
export function setUpText({
  argv,
  copy,
  secrets,
}: Omit<ProposedSetUp, 'source' | 'missing'>): string {
  const kept =
    secrets.length === 0
      ? ''
      : ` (${listed(secrets)} ${secrets.length === 1 ? 'holds' : 'hold'} secrets: checks read that, agents do not see it)`;
  const copies = copy.length === 0 ? '' : `a copy of ${listed(copy)}${kept}`;
  const words = argv.map((word) => (/^[\w@%+=:,./&$-]+$/.test(word) ? word : JSON.stringify(word)));
  return [words.join(' '), copies].filter((text) => text !== '').join(', and ');
}

/** The settings that a user makes by taking a proposed set-up. */
export function settingsFrom({ argv, copy }: Pick<FoundSetUp, 'argv' | 'copy'>): {
  readonly setup?: string[];
  readonly copy?: string[];
} {
  return {
    ...(argv.length === 0 ? {} : { setup: [...argv] }),
    ...(copy.length === 0 ? {} : { copy: [...copy] }),
  };
}
