import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Rig, fixture, makeRig } from '../helpers/rig.ts';
import { todoProject } from '../helpers/todo-project.ts';
import {
  type VendorScript,
  configureVendors,
  formatterSolution,
  listSolution,
} from '../helpers/vendors.ts';

/** A rig with three vendors that propose once, each after a delay. */
export async function crowd({
  delayMs,
  staggerMs = 0,
  files = 0,
}: {
  delayMs: number;
  /** How much later each vendor answers than the one before it. */
  staggerMs?: number;
  files?: number;
}): Promise<Rig> {
  const rig = makeRig();
  await todoProject(rig);
  for (let n = 0; n < files; n += 1) {
    rig.write(`lib/part-${n % 20}/module-${n}.js`, moduleText(n));
  }
  await rig.git('add', '-A');
  await rig.git('commit', '-qm', 'Add the library', '--allow-empty');
  const vendor = (turn: number, ...solutions: unknown[]): VendorScript => ({
    propose: { answer: { solutions, questions: [] }, delay_ms: delayMs + turn * staggerMs },
  });
  configureVendors(rig, {
    alpha: vendor(0, listSolution(), formatterSolution()),
    beta: vendor(1, listSolution({ name: 'Print JSON in the list command' }), formatterSolution()),
    gamma: vendor(2, formatterSolution(), listSolution()),
  });
  return rig;
}

const moduleText = (n: number) =>
  Array.from({ length: 40 }, (_, line) => `export const value${n}_${line} = ${line};`).join('\n');

/** One headless run that stops discussing after its first round. */
export async function runOnce(rig: Rig): Promise<void> {
  const task = 'Add a --json flag to `listTodos`';
  const { code, stderr } = await rig.conclave('plan', '--auto-yes', '--max-rounds', '1', task);
  if (code !== 0) throw new Error(`the run ended with ${code}: ${stderr}`);
}

/** The same three programs started bare with the same prompts; the time of the slowest in ms. */
export async function bareCalls(rig: Rig): Promise<number> {
  const start = performance.now();
  const ends = ['alpha', 'beta', 'gamma'].map(async (name) => {
    const prompt = readFileSync(join(rig.session(), `rounds/1/agents/${name}/prompt.md`));
    const child = spawn(process.execPath, [fixture('vendor'), join(rig.home, `${name}.json`)]);
    child.stdout.resume();
    child.stdin.end(prompt);
    await new Promise((resolve) => child.once('close', resolve));
    return performance.now() - start;
  });
  return Math.max(...(await Promise.all(ends)));
}
