// Leads a person to the page: keeps the link in a private file, opens their browser, or says how to reach it from afar.
import { spawn } from 'node:child_process';
import { userInfo } from 'node:os';

/** The command by which the machine that somebody came from by SSH reaches a port of this one; null without SSH. */
export function tunnelTo(port: number, environment: NodeJS.ProcessEnv): string | null {
  const [, , host, sshPort = '22'] = environment['SSH_CONNECTION']?.split(' ') ?? [];
  if (host === undefined) return null;
  const other = sshPort === '22' ? '' : `-p ${sshPort} `;
  return `ssh -N ${other}-L ${port}:127.0.0.1:${port} ${userInfo().username}@${host}`;
}

/**
 * Opens the browser of a person who sits at this machine. As every user may read the arguments of a program, it
 * gets the file that leads on; a program that opens pages across SSH has no use for a file.
 */
export function openBrowser(
  { url, file }: { readonly url: string; readonly file: string },
  environment: NodeJS.ProcessEnv,
): void {
  const isRemote = environment['SSH_CONNECTION'] !== undefined;
  const program = environment['BROWSER'] ?? (isRemote ? '' : usualBrowser(environment));
  if (program === '') return;
  const options = { stdio: 'ignore', detached: true, env: environment } as const;
  spawn(program, [isRemote ? url : file], options)
    .once('error', () => undefined)
    .unref();
}

function usualBrowser({
  DISPLAY: x = '',
  WAYLAND_DISPLAY: wayland = '',
}: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return 'open';
  return x + wayland === '' ? '' : 'xdg-open';
}
