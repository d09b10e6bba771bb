import { execFile, spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { compiledOnce } from './built.ts';

const run = promisify(execFile);
const projectRoot = new URL('../..', import.meta.url).pathname;

/** The built program. */
export const program = join(projectRoot, 'dist/cli.js');
/** A small fake CLI of the fixtures, by its name without ending. */
export const fixture = (name: string) => join(projectRoot, `test/fixtures/agents/${name}.mjs`);

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A repository of its own with a home of its own, in which the built program runs. */
export interface Rig {
  readonly home: string;
  /** All that the program gets to see. */
  readonly environment: NodeJS.ProcessEnv;
  readonly repo: string;
  write(path: string, text: string): void;
  read(path: string): string;
  git(...args: string[]): Promise<string>;
  /** Writes the user’s configuration. */
  config(toml: string): void;
  configured(): string;
  /** Every file below a folder of the repository with its content, by path. */
  contents(folder: string): Readonly<Record<string, string>>;
  /** Runs the program to its end. */
  conclave(...args: string[]): Promise<Ended>;
  /** Starts the program and leaves it running. */
  start(...args: string[]): ChildProcess;
  /** The newest session’s folder, absolute. */
  session(): string;
  json(path: string): unknown;
  remove(): void;
}

export function makeRig(): Rig {
  const base = mkdtempSync(join(tmpdir(), 'conclave-'));
  const [home, repo] = [join(base, 'home'), join(base, 'repo')];
  mkdirSync(join(home, 'config'), { recursive: true });
  mkdirSync(repo);
  // As most people have it: the commits of an execution are in their name.
  writeFileSync(join(home, '.gitconfig'), '[user]\nname = T\nemail = t@example.invalid\n');
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    ...compiledOnce(),
  };
  const rig: Rig = {
    home,
    repo,
    environment,
    write(path, text) {
      mkdirSync(dirname(join(repo, path)), { recursive: true });
      writeFileSync(join(repo, path), text);
    },
    read: (path) => readFileSync(join(repo, path), 'utf8'),
    async git(...args) {
      const { stdout } = await run('git', [...gitSettings, ...args], {
        cwd: repo,
        env: environment,
      });
      return stdout;
    },
    config(toml) {
      mkdirSync(join(home, 'config/conclave'), { recursive: true });
      writeFileSync(join(home, 'config/conclave/config.toml'), toml);
    },
    configured: () => readFileSync(join(home, 'config/conclave/config.toml'), 'utf8'),
    contents(folder) {
      const names = readdirSync(join(repo, folder), { recursive: true, encoding: 'utf8' });
      const files = names.filter((name) => statSync(join(repo, folder, name)).isFile());
      return Object.fromEntries(files.map((name) => [name, rig.read(join(folder, name))]));
    },
    conclave: (...args) => ended(rig.start(...args)),
    start: (...args) =>
      spawn(process.execPath, [program, ...args], {
        cwd: repo,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    session() {
      const sessions = join(repo, '.workflow/.multi-cli-plan');
      const born = (name: string) => statSync(join(sessions, name)).birthtimeMs;
      const newest = readdirSync(sessions)
        .toSorted((a, b) => born(a) - born(b))
        .at(-1);
      if (newest === undefined) throw new Error('there is no session');
      return join(sessions, newest);
    },
    json: (path) => JSON.parse(readFileSync(join(rig.session(), path), 'utf8')),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
  return rig;
}

/** Whose commits they are; without the hooks that git brings as samples, which each copy would hold. */
const gitSettings = [
  'user.name=T',
  'user.email=t@example.invalid',
  'maintenance.auto=false',
  'init.templateDir=',
].flatMap((setting) => ['-c', setting]);

/** Waits until a process has printed a text. */
export async function printed(child: ChildProcess, text: string): Promise<void> {
  let seen = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes(text)) resolve();
    });
    child.once('close', () => reject(new Error(`ended without "${text}": ${seen}`)));
  });
}

/** Collects what a process prints until it ends. */
export async function ended(child: ChildProcess): Promise<Ended> {
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, stdout: stdout(), stderr: stderr() };
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** A folder with every program of the search path but these. */
export function programsWithout({ home }: Pick<Rig, 'home'>, missing: readonly string[]): string {
  const programs = join(home, 'programs');
  mkdirSync(programs);
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((one) => existsSync(one));
  for (const folder of folders)
    for (const name of readdirSync(folder).filter((one) => !missing.includes(one)))
      if (!existsSync(join(programs, name))) symlinkSync(join(folder, name), join(programs, name));
  return programs;
}
