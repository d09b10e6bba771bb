import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { program } from '../helpers/rig.ts';
import { testRig } from '../helpers/test-rig.ts';
import { clis } from './install.ts';
import { type CliName, realClis } from './real-clis.ts';

const run = promisify(execFile);

/** A fresh home in which the real programs are on the PATH. */
export function hostRig(name: CliName, url = 'http://127.0.0.1:9') {
  const rig = testRig();
  const { XDG_CONFIG_HOME: _, XDG_DATA_HOME: __, ...base } = rig.environment;
  const own = realClis[name].environment(url);
  const env = { ...base, ...own, PATH: `${clis}:${process.env['PATH']}` };
  const call = async (file: string, ...args: readonly string[]) => {
    const child = run(file, args, { cwd: rig.repo, env, timeout: 120_000 });
    child.child.stdin?.end();
    const { stdout, stderr } = await child;
    return stdout + stderr;
  };
  return {
    ...rig,
    environment: env,
    conclave: (...args: readonly string[]) => call(process.execPath, program, ...args),
    host: (...args: readonly string[]) => call(join(clis, name), ...args),
    /** Writes the files in which a login is chosen. */
    logIn() {
      for (const [path, text] of Object.entries(realClis[name].login)) {
        mkdirSync(dirname(join(rig.home, path)), { recursive: true });
        writeFileSync(join(rig.home, path), text);
      }
    },
  };
}
