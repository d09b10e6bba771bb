import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import { run } from '../../src/commands/command-line.ts';
import { exitCodeOf, Stopped } from '../../src/model/failure.ts';
import { builtCli } from '../helpers/built.ts';
import { type Ended, type Rig, ended, makeRig } from '../helpers/rig.ts';

let rig: Rig;
let cli: string;
beforeAll(() => {
  cli = builtCli();
  rig = makeRig();
});
afterAll(() => {
  rig.remove();
});

describe('the entry', () => {
  test('imports nothing before it knows the Node version', () => {
    const text = readFileSync(cli, 'utf8');
    const early = [...text.matchAll(/(?:^|[;\n}])import\b(?!\()[^;'"]*["']([^"']+)["']/g)];
    expect(early.map(([, from]) => from)).toEqual([]);
    expect(text).toContain('import("./chunks/');
    expect(text.length).toBeLessThan(5000);
    expect(text.startsWith('#!/usr/bin/env node\n')).toBe(true);
  });

  test.each(['--version', '-V'])('%s prints the version and nothing else', async (flag) => {
    expect(await rig.conclave(flag)).toEqual({
      code: 0,
      stdout: `${manifest.version}\n`,
      stderr: '',
    });
  });

  test('names the oldest Node that the package names', () => {
    const [major, minor] = manifest.engines.node.replace('>=', '').split('.');
    expect(readFileSync(cli, 'utf8')).toContain(`[${major},${minor}]`);
  });
});

const systemNode = '/usr/bin/node';
const systemVersion = existsSync(systemNode)
  ? (await promisify(execFile)(systemNode, ['--version'])).stdout.trim()
  : 'v99';

describe.skipIf(Number(/^v(\d+)/.exec(systemVersion)?.[1]) >= 24)('an older Node', () => {
  test('starts the Node that npm put beside the program, with its exit code', async () => {
    const { stdout } = await promisify(execFile)(systemNode, [cli, '--help']);
    expect(stdout).toContain('conclave plan');
    const wrong = promisify(execFile)(systemNode, [cli, 'plan', '--jsn']);
    await expect(wrong).rejects.toMatchObject({ code: 2 });
  });

  test.each([['--version'], ['--help'], ['plan', 'x y']])('is turned away: %s', async (...args) => {
    // Where no other Node lies beside it.
    const alone = mkdtempSync(join(tmpdir(), 'conclave-'));
    cpSync(cli, join(alone, 'cli.mjs'));
    const child = promisify(execFile)(systemNode, [join(alone, 'cli.mjs'), ...args]);
    await expect(child).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^conclave needs Node 24\.15 or newer; this is Node v\d+\.\d+\.\d+ \(\/.+\)\. Install .*npm install -g node@24\n$/,
      ),
    });
    rmSync(alone, { recursive: true });
  });
});

describe('wrong usage is one sentence on stderr and exit code 2', () => {
  const typed = readFileSync(new URL('../fixtures/wrong-usage.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n\n')
    .map((block) => block.replace('$ conclave ', '').split('\n'));
  /** Those for which the program looks at files or at its input. */
  const looks = /^(?:plan$|context -$|critique|validate|sessions )/;
  const [looking = [], parsed = []] = [true, false].map((is) =>
    typed.filter(([line = '']) => looks.test(line) === is),
  );

  test.each(parsed)('the parser refuses %s', async (line = '', said = '') => {
    const refused = await run(line.split(' ')).catch((error: unknown) => error);
    const { failure, message } = z.instanceof(Stopped).parse(refused);
    expect(exitCodeOf(failure)).toBe(2);
    expect(`conclave: ${message}`.startsWith(said)).toBe(true);
    expect(message).not.toContain('\n');
  });

  test.each([['plan --jsn', "conclave: unknown option '--jsn'"], ...looking])(
    'conclave %s',
    async (line = '', said = '') => {
      const { code, stdout, stderr } = await rig.conclave(...line.split(' '));
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr.startsWith(said)).toBe(true);
      expect(stderr.trimEnd()).not.toContain('\n');
    },
  );
});

describe('flags may stand before the command', () => {
  test.each([
    ['--json', 'sessions', 'list'],
    ['sessions', '--json', 'list'],
    ['-C', '.', 'sessions', '--json'],
  ])('conclave %s %s %s %s', async (...args) => {
    expect(await rig.conclave(...args)).toMatchObject({ code: 0, stdout: '[]\n' });
  });
});

test('a reader that has seen enough ends it quietly', async () => {
  const child = rig.start('schema', 'event');
  const errors: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  child.stdout?.destroy();
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, errors: Buffer.concat(errors).toString() }).toEqual({ code: 0, errors: '' });
});

test('a session whose reader has gone is interrupted and saved', async () => {
  rig.write('a.ts', 'export const rateLimit = 1;\n');
  rig.config(
    `[agents.slow]\npath = ${JSON.stringify(process.execPath)}\nargs = ["-e", "setInterval(() => {}, 1000)", "--"]\n`,
  );
  const child = rig.start('plan', '-y', '--json', 'Change the rateLimit of a.ts');
  child.stdout?.once('data', () => child.stdout?.destroy());
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(130);
  const { stdout } = await rig.conclave('sessions', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ state: { status: 'interrupted' } }]);
});

/** Runs the program with a full disk in place of its output. */
function intoFull(...args: readonly string[]): Promise<Ended> {
  const line = 'exec "$0" "$@" >/dev/full';
  const shell = spawn('sh', ['-c', line, process.execPath, cli, ...args], {
    cwd: rig.repo,
    env: rig.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return ended(shell);
}

describe.skipIf(!existsSync('/dev/full'))('an output that cannot be written', () => {
  const unwritten =
    'conclave: The output could not be written: no space left on device (ENOSPC); send it to another place.\n';
  beforeAll(() => {
    rig.config('');
    rig.write('a.ts', 'export const rateLimit = 1;\n');
  });

  test.each([['--version'], ['--help'], ['sessions', 'list']])(
    'is said to be so, and ends with 9: %s',
    async (...args) => {
      expect(await intoFull(...args)).toEqual({ code: 9, stdout: '', stderr: unwritten });
    },
  );

  test('interrupts and saves a session', async () => {
    const { code, stderr } = await intoFull('plan', '-y', '--tools', 'local', 'rateLimit');
    const id = rig.session().split('/').at(-1) ?? '';
    expect({ code, stderr }).toEqual({
      code: 9,
      stderr: `${unwritten}conclave: Interrupted and saved. To continue: conclave resume ${id}\n`,
    });
    expect(await rig.conclave('resume', id, '-y', '--tools', 'local')).toMatchObject({ code: 0 });
  });
});

test('a current folder that is gone is said to be', async () => {
  const gone = mkdtempSync(join(tmpdir(), 'conclave-gone-'));
  const line = 'rmdir "$PWD" && exec "$0" "$@"';
  const shell = spawn('sh', ['-c', line, process.execPath, cli, 'sessions'], { cwd: gone });
  expect(await ended(shell)).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'conclave: The current folder is gone; change to another folder, or name one with -C.\n',
  });
});

test('a bug is said to be one, with its trace, and ends with 1', async () => {
  const broken = 'data:text/javascript,process.cwd=()=>null.x';
  const child = spawn(process.execPath, ['--import', broken, cli, 'sessions']);
  const { code, stdout, stderr } = await ended(child);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(
    `conclave: This is a bug in conclave ${manifest.version}; please report`,
  );
  expect(stderr).toMatch(/\n {4}at /);
});
