import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const server = '/usr/sbin/sshd';
export const hasSshd = existsSync(server) && spawnSync('ssh', ['-V']).status === 0;
if (!hasSshd) console.warn('sshd is missing, so that its tests are skipped');

/** Starts an sshd of its own on this machine, and returns the words that run a command through it. */
export async function startSshd({
  address = '127.0.0.1',
  within = [],
}: { readonly address?: string; readonly within?: readonly string[] } = {}): Promise<
  readonly string[]
> {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-ssh-'));
  chmodSync(folder, 0o700);
  const key = (name: string) => {
    const file = join(folder, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    return file;
  };
  const [host, own] = [key('host'), key('own')];
  const port = await freePort();
  writeFileSync(join(folder, 'authorized'), readFileSync(`${own}.pub`));
  const settings = [
    `HostKey ${host}`,
    `AuthorizedKeysFile ${folder}/authorized`,
    `ListenAddress ${address}:${port}`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin yes',
    `PidFile ${folder}/pid`,
    'PrintMotd no',
  ];
  writeFileSync(join(folder, 'config'), `${settings.join('\n')}\n`);
  // The folder for its separated process, which Debian makes when the service starts.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const [command, ...words] = [...within, server, '-D', '-f', join(folder, 'config')];
  const child = spawn(command, words, { stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    rmSync(folder, { recursive: true, force: true });
  });
  await answering(port, address);
  const client = [
    `Host machine`,
    `  HostName ${address}`,
    `  Port ${port}`,
    `  User ${userInfo().username}`,
    `  IdentityFile ${own}`,
    '  IdentitiesOnly yes',
    '  BatchMode yes',
    '  StrictHostKeyChecking no',
    `  UserKnownHostsFile ${folder}/known`,
    '  LogLevel ERROR',
  ];
  writeFileSync(join(folder, 'client'), `${client.join('\n')}\n`);
  return ['ssh', '-F', join(folder, 'client'), 'machine'];
}

async function answering(port: number, address: string): Promise<void> {
  for (;;) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, address, () => (socket.destroy(), resolve(true)));
      socket.once('error', () => resolve(false));
    });
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A port of this machine that nobody uses. */
export async function freePort(): Promise<number> {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  await new Promise((resolve) => taken.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
