import { appendFileSync, cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatVersion } from '../../src/model/id-patterns.ts';
import { encodeRecord } from '../../src/store/journal-record.ts';
import { type Rig, ended, makeRig, program } from '../helpers/rig.ts';
import { todoProject } from '../helpers/todo-project.ts';
import { configureVendors, listSolution } from '../helpers/vendors.ts';
import { type Row, medians, memoryOf, useOf } from './measure.ts';

const flags = ['--auto-yes', '--max-rounds', '1', '--tools', 'alpha'];
const task = 'Add a --json flag to `listTodos`';
const answer = { solutions: [listSolution()], questions: [] };

/** Many saved sessions, a long journal, and the watcher beside a run. */
export async function* sessionRows(short: boolean): AsyncGenerator<Row> {
  const rig = makeRig();
  try {
    await todoProject(rig);
    configureVendors(rig, { alpha: { propose: { answer } } });
    await rig.conclave('plan', ...flags, task);
    yield await listRow(rig, short ? 5 : 11);
    yield await journalRow(rig, short ? 3 : 7);
    configureVendors(rig, { alpha: { propose: { answer, delay_ms: 8_000 } } });
    yield await watcherRow(rig);
  } finally {
    rig.remove();
  }
}

const run = (cwd: string, { environment: env }: Rig, ...args: readonly string[]) =>
  useOf([process.execPath, program, ...args], { cwd, env });

/** The use of a bare Node that does this with the files after it. */
const bareNode = (script: string, ...files: readonly string[]) =>
  useOf([process.execPath, '-e', script, ...files]);

const readStates = `const fs = require('fs'), [folder] = process.argv.slice(1);
for (const name of fs.readdirSync(folder)) {
  JSON.parse(fs.readFileSync(folder + '/' + name + '/session-state.json', 'utf8'));
}`;

const readRecords = `const lines = require('fs').readFileSync(process.argv[1], 'utf8').split('\\n');
for (const line of lines) if (line !== '') JSON.parse(line.slice(line.indexOf('{')));`;

/** A copy of the repository with other sessions besides. */
async function listRow(rig: Rig, turns: number): Promise<Row> {
  const many = `${rig.repo}-many`;
  cpSync(rig.repo, many, { recursive: true });
  const sessions = dirname(join(many, rig.session().slice(rig.repo.length)));
  const [first = ''] = readdirSync(sessions);
  for (let n = 0; n < 1_000; n += 1) {
    const other = `${first.slice(0, -4)}${String(n).padStart(4, '0')}`;
    cpSync(join(sessions, first), join(sessions, other), { recursive: true });
  }
  run(many, rig, 'sessions', 'list');
  const median = await medians(turns, async () => {
    const [ours, bare] = [run(many, rig, 'sessions', 'list'), bareNode(readStates, sessions)];
    return { ours: ours.ms, bare: bare.ms, oursCpu: ours.cpu, bareCpu: bare.cpu };
  });
  return {
    name: 'sessions list with 1,001 sessions',
    value: median('ours'),
    unit: 'ms',
    floor: [median('bare'), 'Node reads their states'],
    limit: 3.5,
    cpu: median('oursCpu') / median('bareCpu'),
  };
}

/** Records of usage, as a session that calls agents again and again has them. */
async function journalRow(rig: Rig, turns: number): Promise<Row> {
  const journal = join(rig.session(), 'journal.jsonl');
  const id = basename(rig.session());
  const kept = readFileSync(journal);
  const usage = { input_tokens: 1, output_tokens: 1, cost_usd: 0 };
  const head = { v: formatVersion, at: new Date().toISOString(), type: 'spent' } as const;
  const line = encodeRecord({ ...head, key: 'round-1/propose/alpha', agent: 'alpha', ...usage });
  appendFileSync(journal, Buffer.concat(Array.from({ length: 10_000 }, () => line)));
  await rig.conclave('sessions', 'trust', id, '-y');
  const resume = () => run(rig.repo, rig, 'resume', '--auto-yes', id);
  resume();
  const median = await medians(turns, async () => ({
    ours: resume().cpu,
    bare: bareNode(readRecords, journal).cpu,
  }));
  writeFileSync(journal, kept);
  return {
    name: 'resume of a journal of 10,000 records',
    value: median('ours'),
    unit: 'ms CPU',
    floor: [median('bare'), 'Node reads its lines'],
    // Measured 16: two thirds are the engine and git, without any record; each record then costs 27 µs.
    limit: 18,
  };
}

/** Memory of the program that ends the agents of a run whose own process was killed. */
async function watcherRow(rig: Rig): Promise<Row> {
  const child = rig.start('plan', ...flags, task);
  let value = 0;
  const look = setInterval(() => {
    for (const pid of childrenOf(child.pid ?? 0)) {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (words.includes('run-watcher')) value = Math.max(value, memoryOf(pid, 'VmRSS'));
    }
  }, 200);
  await Promise.race([ended(child), sleep(60_000)]);
  clearInterval(look);
  return { name: 'watcher beside a run', value, unit: 'MB', most: 70 };
}

function childrenOf(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.trim().split(' ').filter(Boolean).map(Number);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}
