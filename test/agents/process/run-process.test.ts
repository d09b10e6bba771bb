import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FramedLine } from '../../../src/agents/process/line-pump.ts';
import { runProcess } from '../../../src/agents/process/start-program.ts';
import { agentRoom, fake, isAlive, noLimits, until, type AgentRoom } from '../agent-room.ts';

const node = process.execPath;
let room: AgentRoom;

beforeEach(() => {
  room = agentRoom();
});
afterEach(() => room.remove());

const script = (code: string) => [node, '-e', code];
const textOf = (lines: readonly FramedLine[]) =>
  lines.map((line) => (typeof line === 'string' ? line : '')).join('\n');
/** The pids that the fakes tell as warnings. */
const pidsIn = (lines: readonly FramedLine[]) =>
  [...textOf(lines).matchAll(/"text":"(\d+)"/g)].map(([, pid]) => Number(pid));

describe('a program that ends by itself', () => {
  test('gets its input on stdin and nothing in its arguments', async () => {
    const input = 'what is to be done?\n'.repeat(10_000);
    const code = `
      const fs = require('node:fs');
      const text = fs.readFileSync(0, 'utf8');
      console.log(text.length, fs.readFileSync('/proc/self/cmdline', 'utf8').includes('to be do' + 'ne'));`;
    const { lines, end } = await room.process(script(code), { input });
    expect(lines).toEqual([`${input.length} false`]);
    expect(end).toMatchObject({ exitCode: 0, signal: null, timedOut: null, cancelled: false });
    expect(end).toMatchObject({ spawnError: null, notes: [], stderrTail: '' });
    expect(end.durationMs).toBeGreaterThan(1);
  });

  test('finds stdin closed where there is no input', async () => {
    const { lines } = await room.process(
      script('process.stdin.on("data", console.log).on("end", () => console.log("end"))'),
    );
    expect(lines).toEqual(['end']);
  });

  test('finds stdin open for as long as it is to be held', async () => {
    const hold = Promise.withResolvers<void>();
    const code = `
      const fs = require('node:fs');
      process.stdin.on('data', (text) => console.log('got', String(text)));
      process.stdin.on('end', () => console.log(fs.existsSync('released')));`;
    const running = room.process(script(code), { input: 'this', inputEnd: hold.promise });
    await until('it has its input', () => room.file('events.jsonl').includes('got this'));
    writeFileSync(join(room.folder, 'released'), '');
    hold.resolve();
    const { lines, end } = await running;
    expect(lines).toEqual(['got this', 'true']);
    expect(end).toMatchObject({ exitCode: 0, notes: [] });
  });

  test('may end without reading what it was given', async () => {
    const { end } = await room.process(['/bin/true'], { input: 'x'.repeat(3_000_000) });
    expect(end).toMatchObject({ exitCode: 0, signal: null, notes: [] });
  });

  test('sees the given environment and the mark, and nothing else', async () => {
    const env = { PATH: process.env['PATH'] ?? '', ONLY: 'this' };
    const { lines } = await room.process(['/usr/bin/env'], { env, mark: 'the-mark' });
    expect(new Set(lines)).toEqual(
      new Set(['CONCLAVE_RUN=the-mark', 'ONLY=this', `PATH=${env.PATH}`]),
    );
  });

  test('has its own process group and session', async () => {
    const { lines } = await room.process(
      script('console.log(process.pid, require("fs").readFileSync("/proc/self/stat", "utf8"))'),
    );
    const [pid, , , , , group, session] = textOf(lines).split(' ');
    expect([group, session]).toEqual([pid, pid]);
  });

  test('tells exit code and signal', async () => {
    expect((await room.process(script('process.exit(7)'))).end).toMatchObject({
      exitCode: 7,
      signal: null,
    });
    expect((await room.process(script('process.kill(process.pid, "SIGSEGV")'))).end).toMatchObject({
      exitCode: null,
      signal: 'SIGSEGV',
    });
  });

  test.each([
    ['ENOENT', ['/nowhere/program'], {}],
    ['EACCES', ['/etc/passwd'], {}],
    ['E2BIG', ['/bin/echo', 'x'.repeat(140_000)], {}],
    ['ENOTDIR', ['/bin/true'], { cwd: '/nowhere' }],
  ])('is a value where it cannot be started: %s', async (code, argv, more) => {
    const { lines, end } = await room.process(argv, more);
    expect(lines).toEqual([]);
    expect(end).toMatchObject({ exitCode: null, spawnError: { code } });
  });

  test('takes what it left running with it, of whatever kind', async () => {
    const kinds = ['plain', 'setsid', 'double', 'ignore-term'];
    const { lines, end } = await room.process([node, fake('fork'), ...kinds]);
    const pids = pidsIn(lines);
    expect(pids).toHaveLength(4);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(end.exitCode).toBe(0);
    expect(end.notes).toEqual(['4 processes that it left running had to be ended']);
  });

  test('leaves a helper the moment that it takes to go by itself', async () => {
    const helper = `['-e', 'setTimeout(() => 0, 150)'], { detached: true, stdio: 'ignore' }`;
    const main = `require('node:child_process').spawn(process.execPath, ${helper}).unref()`;
    const { end } = await room.process([node, '-e', main], { lingerMs: 30_000 });
    expect(end).toMatchObject({ exitCode: 0, notes: [] });
  });

  test('does not make us wait for whoever still holds its stdout', async () => {
    for (const kind of ['', 'stranger']) {
      const { lines, end } = await room.process([node, fake('hold-stdout'), kind]);
      expect(lines.at(-1)).toContain('still held');
      expect(end.exitCode).toBe(0);
      const holders = pidsIn(lines).filter(isAlive);
      expect(holders).toHaveLength(kind === '' ? 0 : 1);
      for (const pid of holders) process.kill(pid, 'SIGKILL');
    }
  });
});

describe('limits', () => {
  test.each([
    ['first-output', 'hang', { firstOutputMs: 150 }],
    ['idle', 'hang-after-first-line', { idleMs: 150 }],
    ['idle', 'ignore-term', { idleMs: 150, graceMs: 100 }],
  ] as const)('the %s limit ends a program like "%s"', async (timedOut, name, limits) => {
    const { lines, end } = await room.process([node, fake(name)], { limits });
    expect(end.timedOut).toBe(timedOut);
    expect(end.cancelled).toBe(false);
    expect(textOf(lines).includes('half of')).toBe(false);
    expect(end.signal).toBe(name === 'ignore-term' ? 'SIGKILL' : 'SIGTERM');
  });

  test('the total limit also ends a program that keeps talking', async () => {
    const code = 'setInterval(() => console.log("still here"), 10)';
    const { end } = await room.process(script(code), { limits: { totalMs: 300 } });
    expect(end).toMatchObject({ timedOut: 'total', signal: 'SIGTERM' });
  });

  test('talking on stderr is no silence, but no first output either', async () => {
    const code =
      'console.log(1); let n = 0; const t = setInterval(() => { console.error("."); if (++n === 60) clearInterval(t); }, 50)';
    expect((await room.process(script(code), { limits: { idleMs: 2_000 } })).end.timedOut).toBe(
      null,
    );
    const silent = 'setInterval(() => console.error("."), 10)';
    const { end } = await room.process(script(silent), { limits: { firstOutputMs: 200 } });
    expect(end.timedOut).toBe('first-output');
  });

  test('a slow reader holds the program back and is not taken for its silence', async () => {
    const run = runProcess(
      {
        command: node,
        args: [fake('flood'), '9'],
        cwd: room.folder,
        env: {},
        mark: `${room.folder}-slow`,
        input: '',
        rawOutput: join(room.folder, 'events.jsonl'),
        limits: { ...noLimits, idleMs: 1_500 },
      },
      new AbortController().signal,
    );
    const first = await run.next();
    expect(first.done).toBe(false);
    const read = () => statSync(join(room.folder, 'events.jsonl')).size;
    await until('it is read ahead', () => read() > 2_097_152);
    const pausedAt = performance.now();
    await until('more than the idle limit has passed', () => performance.now() - pausedAt > 2_000);
    expect(read()).toBeLessThan(3_145_728);
    let step = await run.next();
    while (step.done !== true) step = await run.next();
    expect(step.value).toMatchObject({ timedOut: null, exitCode: 0 });
  });

  test('what a program says after TERM is kept, but not delivered', async () => {
    const code =
      'process.on("SIGTERM", () => { console.log("after"); process.exit(0); }); console.log("before"); setInterval(() => {}, 1e6)';
    const { lines, end } = await room.process(script(code), {
      limits: { idleMs: 150, graceMs: 60_000 },
    });
    expect(lines).toEqual(['before']);
    expect(end).toMatchObject({ timedOut: 'idle', exitCode: 0 });
    expect(room.file('events.jsonl')).toBe('before\nafter\n');
  });
});

describe('cancelling', () => {
  test('ends the program and all that came from it', async () => {
    const abort = new AbortController();
    const run = room.process([node, fake('fork'), 'setsid', 'ignore-term', 'stay'], {
      signal: abort.signal,
    });
    await until('it has begun', () =>
      /behind/.test(existsSync(join(room.folder, 'events.jsonl')) ? room.file('events.jsonl') : ''),
    );
    abort.abort();
    const { lines, end } = await run;
    expect(end).toMatchObject({ cancelled: true, timedOut: null });
    expect(pidsIn(lines)).toHaveLength(2);
    expect(pidsIn(lines).filter(isAlive)).toEqual([]);
  });

  test('starts nothing where the signal is aborted already', async () => {
    const code = 'require("fs").writeFileSync("started", "")';
    const { end } = await room.process(script(code), { signal: AbortSignal.abort() });
    expect(end).toMatchObject({ cancelled: true, exitCode: null });
    expect(existsSync(join(room.folder, 'started'))).toBe(false);
  });

  test('leaving the loop ends the program before the next statement', async () => {
    const run = runProcess(
      {
        command: node,
        args: ['-e', 'console.log(process.pid); setInterval(() => {}, 1e6)'],
        cwd: room.folder,
        env: {},
        mark: `${room.folder}-left`,
        input: '',
        rawOutput: null,
        limits: noLimits,
      },
      new AbortController().signal,
    );
    let pid = 0;
    for await (const lines of run) {
      pid = Number(lines[0]);
      expect(isAlive(pid)).toBe(true);
      break;
    }
    expect(isAlive(pid)).toBe(false);
  });
});

describe('what is kept of the output', () => {
  test('is the raw output as it came, for the owner only, and no stderr file where there is none', async () => {
    writeFileSync(join(room.folder, 'stderr.log'), 'of an earlier run');
    writeFileSync(join(room.folder, 'events.jsonl'), 'a much longer text of an earlier run', {
      mode: 0o644,
    });
    const code = 'process.stdout.write(Buffer.from([0x61, 0xff, 0x0d, 0x0a, 0x62]))';
    const { end } = await room.process(script(code));
    expect(readFileSync(join(room.folder, 'events.jsonl'))).toEqual(
      Buffer.from([0x61, 0xff, 0x0d, 0x0a, 0x62]),
    );
    expect(statSync(join(room.folder, 'events.jsonl')).mode & 0o777).toBe(0o600);
    expect(readdirSync(room.folder)).toEqual(['events.jsonl']);
    expect(end.outputBytes).toBe(5);
  });

  test('is the end of stderr in memory and all of it in a file', async () => {
    const code = 'process.stderr.write("first\\n" + "x".repeat(100_000) + "last")';
    const rawOutput = join(room.folder, 'events-retry.jsonl');
    const { end } = await room.process(script(code), { rawOutput });
    expect(end.stderrTail).toHaveLength(65_536);
    expect(end.stderrTail.endsWith('last')).toBe(true);
    expect(room.file('stderr-retry.log')).toHaveLength(100_010);
    expect(statSync(join(room.folder, 'stderr-retry.log')).mode & 0o777).toBe(0o600);
  });

  test('is 10 MB of each stream, with a note of the rest', async () => {
    const { lines, end } = await room.process([node, fake('flood'), '12']);
    expect(lines.length).toBe(12 * 1_024 + 2);
    expect(end.notes).toEqual(['only the first 10 MB of 12 MB of the output were kept']);
    expect(statSync(join(room.folder, 'events.jsonl')).size).toBe(10 * 1_048_576);
    const loud = await room.process([node, fake('flood'), '12', 'stderr']);
    expect(loud.end.notes).toEqual(['only the first 10 MB of 12 MB of the error output were kept']);
    expect(loud.lines.at(-1)).toContain('after the flood');
  });

  test('marks a line of many megabytes and reads on after it', async () => {
    const { lines, end } = await room.process([node, fake('flood'), '5', 'one-line']);
    expect(lines).toEqual([
      { overlong: 5 * 1_048_576 },
      '{"kind":"completed","text":"after the flood"}',
    ]);
    expect(end.outputBytes).toBeGreaterThan(5 * 1_048_576);
  });

  test('never goes through a link', async () => {
    writeFileSync(join(room.folder, 'precious'), 'untouched');
    symlinkSync(join(room.folder, 'precious'), join(room.folder, 'linked.jsonl'));
    const linked = room.process(['/bin/echo', 'x'], {
      rawOutput: join(room.folder, 'linked.jsonl'),
    });
    await expect(linked).rejects.toMatchObject({ failure: { reason: 'link-refused' } });
    symlinkSync(join(room.folder, 'precious'), join(room.folder, 'stderr.log'));
    await room.process(script('console.error("loud")'));
    expect(room.file('precious')).toBe('untouched');
    expect(room.file('stderr.log')).toBe('loud\n');
  });

  test('that has no place stops the run before it starts', async () => {
    mkdirSync(join(room.folder, 'taken'));
    for (const [name, code] of [
      ['nowhere/events.jsonl', 'ENOENT'],
      ['taken', 'EISDIR'],
    ] as const) {
      const path = join(room.folder, name);
      const run = room.process(script('require("fs").writeFileSync("started", "")'), {
        rawOutput: path,
      });
      await expect(run).rejects.toMatchObject({ failure: { reason: 'cannot-write', path, code } });
    }
    expect(existsSync(join(room.folder, 'started'))).toBe(false);
  });
});
