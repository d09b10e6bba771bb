import { Stopped } from '../model/failure.ts';
import { namedAgent } from './agents.ts';
import { printLines, printWarnings } from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { loadSettings } from './settings/load-settings.ts';
import { poolToAsk } from './wiring/agents-and-providers.ts';
import { projectRoot } from './working-folder.ts';

/** `conclave login AGENT`: the CLI’s own login, in this terminal; 3 where it is not logged in then. */
export async function loginCommand(name: string, { cwd }: CommonOptions): Promise<number> {
  const root = await projectRoot(cwd);
  const settings = await loadSettings({ cwd: root });
  printWarnings(settings.warnings);
  const { signal } = new AbortController();
  const pool = poolToAsk({ settings, root, signal });
  const { login } = namedAgent(name, pool).adapter;
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    const message = `A login needs a terminal. In one, type: conclave login ${name}`;
    throw new Stopped({ reason: 'usage', message });
  }
  printLines(`To log ${name} in: ${login}`, '');
  await pool.logIn(name);
  const after = await pool.checkLogin(name, signal);
  if (after.state === 'logged-out') {
    printLines('', `${name} is not logged in: ${after.why}. ${after.remedy}`);
    return 3;
  }
  const stored = `A login of ${name} is stored.`;
  printLines(
    '',
    after.state === 'stored' ? stored : `A run will show whether ${name} is logged in.`,
  );
  return 0;
}
