// Leads a person to the page: opens their browser, or says how to reach it from another machine.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** The command by which the machine that somebody came from by SSH reaches a port of this one; null without SSH. */
export function tunnelTo(port: number, environment: NodeJS.ProcessEnv): string | null {
  const [, , host, sshPort = '22'] = environment['SSH_CONNECTION']?.split(' ') ?? [];
  if (host === undefined) return null;
  const other = sshPort === '22' ? '' : `-p ${sshPort} `;
  return `ssh -N ${other}-L ${port}:127.0.0.1:${port} ${userInfo().username}@${host}`;
}

/**
 * Opens the browser of a person who sits at this machine, and returns what removes its traces. As every user may
 * read the arguments of a program, it gets a file that only this user can read, and that leads on; a program that
 * opens pages across SSH has no use for a file.
 */
export async function openBrowser(
  url: string,
  environment: NodeJS.ProcessEnv,
): Promise<() => Promise<void>> {
  const isRemote = environment['SSH_CONNECTION'] !== undefined;
  const program = environment['BROWSER'] ?? (isRemote ? '' : usualBrowser(environment));
  if (program === '') return () => Promise.resolve();
  const folder = await mkdtemp(join(tmpdir(), 'conclave-page-'));
  const file = join(folder, 'open.html');
  const html = `<meta http-equiv="refresh" content="0;url=${url}">\n`;
  await writeFile(file, html, { mode: 0o600 });
  const options = { stdio: 'ignore', detached: true, env: environment } as const;
  spawn(program, [isRemote ? url : file], options)
    .once('error', () => undefined)
    .unref();
  return async () => await rm(folder, { recursive: true, force: true });
}

function usualBrowser({
  DISPLAY: x = '',
  WAYLAND_DISPLAY: wayland = '',
}: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return 'open';
  return x + wayland === '' ? '' : 'xdg-open';
}
