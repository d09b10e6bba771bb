import { execFile, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { hasCode } from '../../src/store/system-error.ts';
import { program } from '../helpers/rig.ts';
import { testRig } from '../helpers/test-rig.ts';
import { isFull } from './extent.ts';
import { clis } from './install.ts';
import { type CliName, realClis } from './real-clis.ts';

const run = promisify(execFile);

/** In ms, for one call of a program. */
const longest = isFull ? 600_000 : 150_000;

/** A fresh home in which the real programs are on the PATH. */
export function hostRig(name: CliName, url = 'http://127.0.0.1:9') {
  const rig = testRig();
  const { XDG_CONFIG_HOME: _, XDG_DATA_HOME: __, ...base } = rig.environment;
  const own = realClis[name].environment(url);
  const env = { ...base, ...own, PATH: `${clis}:${process.env['PATH']}` };
  const call = async (file: string, ...args: readonly string[]) => {
    const child = run(file, args, { cwd: rig.repo, env, timeout: longest });
    child.child.stdin?.end();
    const { stdout, stderr } = await child;
    return stdout + stderr;
  };
  const writeHome = (path: string, text: string) => {
    mkdirSync(dirname(join(rig.home, path)), { recursive: true });
    writeFileSync(join(rig.home, path), text);
  };
  /** Writes the user’s configuration where the programs of this home look for it. */
  const config = (toml: string) => writeHome('.config/conclave/config.toml', toml);
  return {
    ...rig,
    /** As helpers take it. */
    rig: { ...rig, config },
    environment: env,
    writeHome,
    conclave: (...args: readonly string[]) => call(process.execPath, program, ...args),
    host: (...args: readonly string[]) => call(join(clis, name), ...args),
    /** Starts the host in a process group of its own, which ends with the test at the latest. */
    start(...args: readonly string[]) {
      const options = { cwd: rig.repo, env, stdio: 'ignore', detached: true } as const;
      const child = spawn(join(clis, name), args, options);
      onTestFinished(() => endGroup(child.pid));
      return child;
    },
    /** Writes the files in which a login is chosen. */
    logIn() {
      for (const [path, text] of Object.entries(realClis[name].login)) writeHome(path, text);
    },
  };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, ['ESRCH'])) throw error;
  }
}
