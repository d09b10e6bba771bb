// Confines a run that may only read, for agents whose own read-only mode was never tried by a real write.
import { existsSync, readdirSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../../git/disk.ts';
import type { Result } from '../../model/failure.ts';
import { isSystemError, nullIfAbsent } from '../../store/system-error.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';
import type { AgentAdapter, AgentRequest } from '../agent.ts';
import { neverAborted } from '../../model/signal.ts';
import { confinementNote, type HiddenPlace } from './confinement.ts';
import { findConfinement } from './find-confinement.ts';
import { cacheFolders, realPlace, secretPlaces } from './home-places.ts';
import { confinementFault, withinBounds } from './try-confinement.ts';

/** A command that runs in its confinement until `remove` is called. */
export interface ConfinedRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

type Command = Pick<ConfinedRun, 'command' | 'args' | 'env'>;

/** Wraps a run in a confinement in which the work tree is read-only; says why if this machine has none. */
export async function confineRun(
  call: Command,
  {
    adapter,
    request,
  }: {
    readonly adapter: Pick<AgentAdapter, 'name' | 'command' | 'keepsIn'>;
    readonly request: AgentRequest;
  },
): Promise<Result<ConfinedRun, string>> {
  const { args, env } = call;
  const confinement = findConfinement(env);
  if (confinement === null)
    return {
      ok: false,
      failure: `${confinementNote}, and this machine has none; on Linux, install bubblewrap, e.g. with: sudo apt install bubblewrap`,
    };
  const fault = await confinementFault(confinement, { environment: env, signal: neverAborted });
  if (fault !== null)
    return { ok: false, failure: `${confinementNote}, and that fails here (${fault})` };
  const { cwd, extraDirs, hidden } = request;
  const read = [cwd, ...extraDirs].flatMap(realPlace).map(({ path }) => path);
  const named = await placesAmong(args, { read, home: env['HOME'] ?? '/' });
  const own = [...ownPlaces(adapter, env), ...named.places];
  const seen = [...read, ...own];
  const more = [...hidden, join(placeOf('.local/share', env), 'conclave')];
  const temporary = await temporaryFolder('check');
  const confined = withinBounds(call, {
    confinement,
    seen,
    writable: [...cacheFolders(env), ...own],
    hidden: secretPlaces(env, { more, installs: false }).flatMap((place) => around(place, seen)),
    temporary,
  });
  return {
    ok: true,
    value: {
      ...confined,
      remove: async () => {
        await rm(temporary, { recursive: true, force: true });
        for (const file of named.made) {
          if ((await nullIfAbsent(stat(file)))?.size === 0) await rm(file, { force: true });
        }
      },
    },
  };
}

/** The folders and files in which an agent keeps its login and its state, as far as they exist. */
function ownPlaces(
  { name, command, keepsIn }: Pick<AgentAdapter, 'name' | 'command' | 'keepsIn'>,
  env: Command['env'],
): readonly string[] {
  const names = [...new Set([name, basename(command)])];
  const usual = names.flatMap((one) => [`.${one}`, ...homes.map(([home]) => `${home}/${one}`)]);
  const paths = (keepsIn.length === 0 ? usual : keepsIn).map((path) => placeOf(path, env));
  return paths.flatMap(realPlace).map(({ path }) => path);
}

/**
 * The files and folders that the words of a command name, apart from the home, from what is read, and
 * from all that holds one of them. A file that is not there yet stands for its folder; where that
 * holds the home or what is read, the file is `made`, so that it alone can be written.
 */
async function placesAmong(
  words: readonly string[],
  { read, home }: { readonly read: readonly string[]; readonly home: string },
): Promise<{ readonly places: readonly string[]; readonly made: readonly string[] }> {
  const kept = [...read, ...realPlace(home).map(({ path }) => path)];
  const holdsKept = (path: string) => kept.some((one) => isInside(path, one));
  const isRead = (path: string) => read.some((one) => isInside(one, path));
  const made: string[] = [];
  const places: string[] = [];
  for (const word of words.filter(isAbsolute)) {
    const folders = realPlace(dirname(word)).map(({ path }) => path);
    const isAlone = folders.some((path) => path !== '/' && holdsKept(path) && !isRead(path));
    if (isAlone && (await makeEmpty(word))) made.push(word);
    places.push(...(existsSync(word) ? realPlace(word).map(({ path }) => path) : folders));
  }
  return { made, places: places.filter((path) => !holdsKept(path) && !isRead(path)) };
}

/** Makes an empty file; tells whether it could. */
async function makeEmpty(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** The usual folders in a home, with the variables that name others in their place. */
const homes = [
  ['.config', 'XDG_CONFIG_HOME'],
  ['.local/share', 'XDG_DATA_HOME'],
  ['.local/state', 'XDG_STATE_HOME'],
] as const;

function placeOf(path: string, env: Command['env']): string {
  const [home, variable] = homes.find(([one]) => `${path}/`.startsWith(`${one}/`)) ?? ['', ''];
  const moved = env[variable];
  return moved === undefined
    ? join(env['HOME'] ?? '/', path)
    : join(moved, path.slice(home.length));
}

/** The parts of a hidden place that hold nothing of what must stay in sight. */
function around(place: HiddenPlace, seen: readonly string[]): readonly HiddenPlace[] {
  if (!seen.some((path) => isInside(place.path, path))) return [place];
  if (place.kind === 'file' || seen.includes(place.path)) return [];
  return readdirSync(place.path)
    .flatMap((name) => realPlace(join(place.path, name)))
    .flatMap((one) => around(one, seen));
}
