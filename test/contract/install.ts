import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const wanted = new URL('clis/', import.meta.url).pathname;
const folder = new URL('../../.cache/clis/', import.meta.url).pathname;
const stamp = join(folder, 'installed.json');

/** The folder with the real CLIs, for PATH. */
export const clis = join(folder, 'node_modules/.bin');

/** Installs the locked versions of the real CLIs from npm, once. */
export default function installClis(): void {
  const lock = readFileSync(join(wanted, 'package-lock.json'), 'utf8');
  if (installed() === lock) return;
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    copyFileSync(join(wanted, name), join(folder, name));
  }
  const quiet = { cwd: folder, stdio: 'ignore' } as const;
  // Not `ci`, which refuses a lock without the builds for platforms that a mirror may not have.
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    ...quiet,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // The scripts that are needed: each puts the program for this platform in the place of a stub.
  for (const script of ['@anthropic-ai/claude-code/install.cjs', 'opencode-ai/postinstall.mjs']) {
    execFileSync(process.execPath, [join('node_modules', script)], quiet);
  }
  writeFileSync(stamp, lock);
}

function installed(): string | null {
  try {
    return readFileSync(stamp, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
