import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from './sshd.ts';

/** The newest Postgres of Debian; null if there is none. */
const programs = programsOfPostgres();
/** Postgres refuses to run as root, so it runs as nobody then. */
const asOther =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

export const hasPostgres =
  programs !== null && (asOther.length === 0 || spawnSync('setpriv', ['--version']).status === 0);
if (!hasPostgres) console.warn('Postgres is missing, so that the tests of the queue are skipped');

function programsOfPostgres(): string | null {
  const all = '/usr/lib/postgresql';
  if (!existsSync(all)) return null;
  const version = readdirSync(all).toSorted((a, b) => Number(b) - Number(a))[0];
  const folder = join(all, version ?? '', 'bin');
  return existsSync(join(folder, 'initdb')) ? folder : null;
}

export interface Database {
  readonly url: string;
  stop(): Promise<void>;
}

/** A database that its administrator can change. */
interface OwnDatabase extends Database {
  /** Runs statements in it, and returns what they print. */
  readonly say: (statements: string) => string;
  /** Lets nobody in without a password from now on, but for its administrator. */
  readonly demandPasswords: () => void;
}

/** Starts a Postgres of its own on a free port of this machine; it ends with the test. */
export async function startPostgres(): Promise<OwnDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-pg-'));
  chmodSync(folder, 0o777);
  const data = join(folder, 'data');
  const [command, ...words] = [...asOther, join(programs ?? '', 'initdb')];
  const init = ['-D', data, '-U', 'conclave', '--auth=trust', '--no-sync', '-E', 'UTF8'];
  execFileSync(command, [...words, ...init], { stdio: 'ignore', cwd: folder });
  const port = await freePort();
  const [server, ...own] = [...asOther, join(programs ?? '', 'postgres')];
  const settings = [
    '-c',
    'fsync=off',
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${folder}`,
  ];
  const child = spawn(server, [...own, '-D', data, '-p', String(port), ...settings], {
    stdio: 'ignore',
    cwd: folder,
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGQUIT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  onTestFinished(stop);
  const ready = ['-h', '127.0.0.1', '-p', String(port), '-U', 'conclave', '-q'];
  while (spawnSync(join(programs ?? '', 'pg_isready'), ready).status !== 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const onDisk = ['-h', folder, '-p', String(port), '-U', 'conclave', '-d', 'postgres', '-qAtc'];
  const say = (statements: string) =>
    execFileSync(join(programs ?? '', 'psql'), [...onDisk, statements], { encoding: 'utf8' });
  return {
    url: `postgres://conclave:not-secret-1@127.0.0.1:${port}/postgres`,
    stop,
    say,
    demandPasswords() {
      const rules = 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n';
      writeFileSync(join(data, 'pg_hba.conf'), rules);
      say('SELECT pg_reload_conf()');
    },
  };
}
