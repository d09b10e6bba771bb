import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { probe, Probe } from '../agents/probe.ts';
import type { AgentPool } from '../agents/pool.ts';
import { jsonIn } from '../model/json.ts';
import { writeAtomic } from '../store/atomic.ts';
import { digestOf } from '../store/digest.ts';
import { unlessAbsent, writing } from '../store/system-error.ts';
import type { AgentReport } from './agents.ts';
import { probesFile } from './folders.ts';
import { confirm, progressLine } from './output.ts';
import { settingsBytes } from './settings/config-file.ts';
import { interruptible } from './wiring/interruptions.ts';

/** Probes by agent; one counts only for the very program that was probed, as it was called. */
const Kept = z.record(z.string(), z.strictObject({ program: z.string(), probe: Probe }));
type Kept = z.infer<typeof Kept>;

/** What the latest probe of this very program showed; null where there was none. */
export async function earlierProbe(report: AgentReport, pool: AgentPool): Promise<Probe | null> {
  const { [report.name]: saved } = await keptProbes();
  return saved?.program === (await programOf(report, pool)) ? saved.probe : null;
}

/** Probes the agents that are ready, one after the other; false where the user does not want that. */
export async function probeReady(
  reports: readonly AgentReport[],
  { pool, yes }: { readonly pool: AgentPool; readonly yes: boolean },
): Promise<boolean> {
  const ready = reports.filter(({ kind, state }) => kind === 'model' && state === 'ready');
  const names = ready.map(({ name }) => name);
  const question = `This makes one or two small paid calls to each of ${names.join(', ')}. Go on?`;
  if (ready.length > 0 && !yes && !(await confirm(question))) return false;
  await interruptible(async ({ signal, markPrefix }) => {
    const line = progressLine();
    try {
      for (const report of ready) {
        const { name } = report;
        const [agent, adapter] = [pool.get(name), pool.adapterOf(name)];
        if (agent === undefined || adapter === undefined) continue;
        line.say(`Asking ${name} …`);
        const found = await probe({ agent, adapter }, { signal, mark: `${markPrefix}${name}` });
        await keep(name, { program: await programOf(report, pool), probe: found });
      }
    } finally {
      line.end();
    }
  });
  return true;
}

/** A digest of the program and how it is called. */
async function programOf({ name, path, version, model }: AgentReport, pool: AgentPool) {
  const file = path === null ? null : await unlessAbsent(stat(path));
  const { args, isolation } = pool.setupOf(name)?.settings ?? {};
  const called = { version, model, args, isolation };
  return digestOf({ path, size: file?.size, changed: file?.mtimeMs, ...called });
}

async function keptProbes(): Promise<Kept> {
  const bytes = await settingsBytes(probesFile(process.env));
  // What cannot be read can be learned again.
  return Kept.safeParse(jsonIn(bytes?.toString() ?? '')).data ?? {};
}

async function keep(name: string, latest: Kept[string]): Promise<void> {
  const file = probesFile(process.env);
  const all = { ...(await keptProbes()), [name]: latest };
  await writing(file, () => mkdir(dirname(file), { recursive: true, mode: 0o700 }));
  await writeAtomic(file, `${JSON.stringify(all, null, 2)}\n`);
}
