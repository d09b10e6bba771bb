import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { cliAgent } from '../../src/agents/cli-agent.ts';
import { programAdapter } from '../../src/agents/program.ts';
import { codebase } from '../workflow/samples.ts';
import { type Effort, type Row, median } from './row.ts';

const lineBytes = 856;
const limit = 0.25;

/** Event lines through a pipe, framed, read and yielded, against bare `JSON.parse` in memory. */
export async function eventRows({ short }: Effort): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-bench-'));
  try {
    const file = join(folder, 'events.jsonl');
    const lines = short ? 40_000 : 120_000;
    await writeEvents(file, lines);
    const ours: number[] = [];
    const bare: number[] = [];
    for (let turn = 0; turn < (short ? 3 : 7); turn += 1) {
      bare.push(parseAll(file));
      ours.push(await throughPipe(file, folder));
    }
    const speed = (ms: number) => (lines * lineBytes) / 1e6 / (ms / 1e3);
    const ratio = median(bare) / median(ours);
    return [
      {
        name: 'event lines through a pipe',
        measured: `${speed(median(ours)).toFixed(0)} MB/s`,
        floor: `${speed(median(bare)).toFixed(0)} MB/s bare JSON.parse`,
        ratio: ratio.toFixed(2),
        limit: `>= ${limit}`,
        ok: ratio >= limit,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeEvents(file: string, lines: number): Promise<void> {
  const out = createWriteStream(file);
  for (let n = 0; n < lines; n += 1) {
    if (!out.write(`${eventLine(n)}\n`)) await once(out, 'drain');
  }
  out.end(`${JSON.stringify({ kind: 'completed', text: 'done' })}\n`);
  await finished(out);
}

/** An event as CLIs print them: a piece of text among the ids and figures of its message. */
function eventLine(n: number): string {
  const ids = { uuid: `4c0e7a55-0000-4000-8000-${String(n).padStart(12, '0')}`, session: 'bench' };
  const usage = {
    input_tokens: n,
    output_tokens: 5,
    cache: { read: 2 * n, creation: { m5: 1, h1: 0 } },
  };
  const message = { id: `msg_${n}`, role: 'assistant', model: 'fake-1', stop_reason: null, usage };
  const content = [
    { type: 'tool_use', id: `tool_${n}`, name: 'Read', input: { path: `src/a/file-${n}.ts` } },
  ];
  const event = { kind: 'message', partial: true, ...ids, message, content, text: '' };
  const text = 'a few words of "text" '
    .repeat(40)
    .slice(0, lineBytes - 1 - JSON.stringify(event).length - 40);
  return JSON.stringify({ ...event, text });
}

function parseAll(file: string): number {
  const lines = readFileSync(file, 'utf8').split('\n');
  const start = performance.now();
  for (const line of lines) if (line !== '') JSON.parse(line);
  return performance.now() - start;
}

async function throughPipe(file: string, folder: string): Promise<number> {
  const agent = cliAgent({
    adapter: programAdapter('cat', null),
    settings: { path: '/bin/cat', args: [file] },
    environment: process.env,
  });
  const { signal } = new AbortController();
  const run = agent.run(
    {
      prompt: '',
      about: { session: 'bench', round: 1, task: '', context: codebase, constraints: [] },
      permission: 'read-only',
      role: null,
      schema: null,
      cwd: folder,
      model: null,
      resume: null,
      extraDirs: [],
      hidden: [],
      mark: `bench.${process.hrtime.bigint()}`,
      rawOutput: join(folder, `raw-${process.hrtime.bigint()}.jsonl`),
      limits: { firstOutputMs: 60_000, idleMs: 60_000, totalMs: 60_000, graceMs: 1_000 },
    },
    signal,
  );
  let started = 0;
  for (;;) {
    const next = await run.next();
    // From the first event on: starting a process is another figure.
    started ||= performance.now();
    if (next.done === true) return performance.now() - started;
  }
}
