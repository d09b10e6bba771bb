import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const here = new URL('.', import.meta.url).pathname;
const cache = new URL('../../.cache/', import.meta.url).pathname;

/** The folder with the real CLIs, for PATH. */
export const clis = join(cache, 'clis/node_modules/.bin');

/** The folder with the programs that give claude and codex to others by ACP, for PATH. */
export const acps = join(cache, 'acps/node_modules/.bin');

/** Whether these are tried, too: `CONCLAVE_ACP=1` installs them (0.8 GB); later they are, but for the short form. */
export const hasAcps =
  (process.env['CONCLAVE_ACP'] ?? '') !== '' ||
  (process.env['CONCLAVE_CONTRACT'] !== 'short' && existsSync(join(acps, 'droid')));

/** Installs the locked versions of the real programs from npm, once. */
export default function installPrograms(): void {
  // Two packages put the program for this platform in the place of a stub.
  install('clis', ['@anthropic-ai/claude-code/install.cjs', 'opencode-ai/postinstall.mjs']);
  if (hasAcps) install('acps', []);
}

/** `scripts` are those of the packages that are needed. */
function install(name: 'clis' | 'acps', scripts: readonly string[]): void {
  const [wanted, folder] = [join(here, name), join(cache, name)];
  const stamp = join(folder, 'installed.json');
  const lock = readFileSync(join(wanted, 'package-lock.json'), 'utf8');
  if (textIn(stamp) === lock) return;
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(wanted, file), join(folder, file));
  }
  const quiet = { cwd: folder, stdio: 'ignore' } as const;
  // Not `ci`, which refuses a lock without the builds for platforms that a mirror may not have.
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    ...quiet,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const script of scripts) {
    execFileSync(process.execPath, [join('node_modules', script)], quiet);
  }
  writeFileSync(stamp, lock);
}

function textIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
