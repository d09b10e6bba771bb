import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import {
  bubblewrap,
  findConfinement,
  sandboxExec,
} from '../../../src/agents/process/find-confinement.ts';
import { secretPlaces } from '../../../src/agents/process/home-places.ts';
import type { Check } from '../../../src/model/check.ts';
import type { CheckRun } from '../../../src/model/check-record.ts';
import { runCheck, runSetUp } from '../../../src/phases/execution/checks.ts';
import { confinementFault } from '../../../src/agents/process/try-confinement.ts';
import { tryConfinement } from '../../../src/phases/execution/confine.ts';
import { sleepers } from '../../contract/processes.ts';
import { stayOnDisk } from '../../helpers/temporary-folders.ts';
import type { CheckConditions } from '../../../src/phases/execution/run-command.ts';

stayOnDisk();
const room = mkdtempSync(join(tmpdir(), 'conclave-confine-'));
const [home, top, root] = [join(room, 'home'), join(room, 'tree'), join(room, 'repo')];
for (const folder of ['home/.ssh', 'home/.cache', 'home/.agent', 'tree/app', 'repo/.git/hooks']) {
  mkdirSync(join(room, folder), { recursive: true });
}
writeFileSync(join(home, '.ssh/id'), 'SECRET');
writeFileSync(join(home, '.npmrc'), 'SECRET');
writeFileSync(join(home, '.agent/login'), 'SECRET');
writeFileSync(join(home, 'session.key'), 'SECRET');
writeFileSync(join(home, 'notes.txt'), 'plain');
afterAll(() => rmSync(room, { recursive: true }));

const environment = { PATH: process.env['PATH'], HOME: home };
const { signal } = new AbortController();
const found = findConfinement(environment);
const isHere = found !== null && (await confinementFault(found, { environment, signal })) === null;
if (!isHere) console.warn('bubblewrap is missing, so that its tests are skipped');

const confine =
  found === null
    ? null
    : { confinement: found, top, secrets: ['.agent', join(home, 'session.key')] };

const place = (part: Partial<CheckConditions> = {}): CheckConditions => ({
  cwd: top,
  home: root,
  buildFacts: [],
  mostMs: 20_000,
  environment,
  markPrefix: `confine-${process.pid}-`,
  confine,
  signal,
  ...part,
});

async function ran(
  script: string,
  part: Partial<CheckConditions> = {},
): Promise<CheckRun | undefined> {
  const check: Check = { kind: 'command', argv: ['sh', '-c', script] };
  return await runCheck(check, place(part));
}

describe.skipIf(!isHere)('a check that is confined', () => {
  test('writes to its work tree and to the caches', async () => {
    const run = await ran(
      `echo x > app/made && echo x > ${home}/.cache/made && echo x > $TMPDIR/x`,
    );
    expect(run).toMatchObject({ passed: true });
    expect(existsSync(join(top, 'app/made'))).toBe(true);
    expect(existsSync(join(home, '.cache/made'))).toBe(true);
  });

  test.each([
    ['the home', `${home}/made`],
    ['the repository', `${root}/made`],
    ['its hooks', `${root}/.git/hooks/made`],
    ['the machine', '/etc/conclave-made'],
    ['the temporary folder of all', join(tmpdir(), 'conclave-made')],
  ])('does not write to %s', async (_, path) => {
    const run = await ran(`echo x > ${path}`, { mayRun: [] });
    expect(run).toMatchObject({ passed: false });
    expect(existsSync(path)).toBe(false);
  });

  test('reads the home, and no secrets of it', async () => {
    const files = ['.ssh/id', '.npmrc', '.agent/login', 'session.key', 'notes.txt'];
    const run = await ran(files.map((file) => `cat ${home}/${file};`).join(' '));
    expect(run?.output).toContain('plain');
    expect(run?.output).not.toContain('SECRET');
  });

  test('leaves no child behind, be it in a session of its own and without our mark', async () => {
    const begun = join(top, 'begun');
    const child = `env -i setsid -f sh -c 'echo x > ${begun}; exec sleep 972.5'`;
    await ran(`${child} >/dev/null 2>&1; until [ -e ${begun} ]; do sleep 0.01; done`);
    expect(existsSync(begun)).toBe(true);
    expect(sleepers('972.5')).toEqual([]);
  });

  test('leaves no temporary files', async () => {
    // Others may be at work in the folder of all.
    const own = mkdtempSync(join(tmpdir(), 'conclave-own-'));
    vi.stubEnv('TMPDIR', own);
    try {
      expect(await ran('echo x > $TMPDIR/a')).toMatchObject({ passed: true });
      expect(readdirSync(own)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      rmSync(own, { recursive: true });
    }
  });

  test('never runs without it by itself, whatever it prints', async () => {
    const script = `echo "permission denied: 401, EACCES" >&2; cat ${home}/.ssh/id; echo x > ${home}/pwned; exit 1`;
    const run = await ran(script);
    expect(run).toMatchObject({
      passed: false,
      held: true,
      note: 'may have been stopped by the confinement (bubblewrap): exit code 1',
    });
    expect(run).not.toHaveProperty('unconfined');
    expect(run?.output).not.toContain('SECRET');
    expect(existsSync(join(home, 'pwned'))).toBe(false);
  });

  test('runs without it where a person said so of this very check', async () => {
    const script = `echo x > ${home}/wanted`;
    const other = await ran(script, { unconfined: [`sh -c ${JSON.stringify(`${script} `)}`] });
    expect(other).toMatchObject({ passed: false, held: true });
    const run = await ran(script, { unconfined: [`sh -c ${JSON.stringify(script)}`], mayRun: [] });
    expect(run).toMatchObject({ passed: true, unconfined: true });
    expect(existsSync(join(home, 'wanted'))).toBe(true);
  });

  test('is not said to be stopped by it where it fails otherwise', async () => {
    for (const said of ['1 is not 2', 'expected status 401, got 200', 'does not authenticate']) {
      expect(await ran(`echo "${said}"; exit 1`)).toMatchObject({ note: 'exit code 1' });
    }
    const free = await ran('echo "permission denied"; exit 1', { confine: null });
    expect(free).toMatchObject({ note: 'exit code 1' });
  });

  test('runs although nobody has looked at its command', async () => {
    expect(await ran('exit 0', { mayRun: [] })).toMatchObject({ passed: true });
    expect(await ran('exit 0', { mayRun: [], confine: null })).toMatchObject({ passed: null });
  });

  test('is told from one that is not there', async () => {
    const check: Check = { kind: 'command', argv: ['no-such-program'] };
    const run = await runCheck(check, place());
    expect(run.note).toContain('no-such-program cannot be started');
  });

  test('is kept from more than the set-up, which reads the logins of registries', async () => {
    const reads = ['sh', '-c', `grep SECRET ${home}/.npmrc && ! grep SECRET ${home}/.ssh/id`];
    expect(await runSetUp(reads, place())).toBeNull();
  });
});

test('a confinement that does not work stops before anybody is paid', async () => {
  const broken = bubblewrap('/bin/false');
  await expect(tryConfinement(broken, { environment, signal })).rejects.toThrow(
    'bubblewrap is installed, but it cannot confine a command here',
  );
});

test('secrets behind a link are hidden where they are', () => {
  const places = secretPlaces(environment, { more: [], installs: false });
  expect(places).toContainEqual({ path: join(home, '.ssh'), kind: 'folder' });
  expect(places).toContainEqual({ path: join(home, '.npmrc'), kind: 'file' });
});

test('the logins of cargo are hidden in the folder that a variable names, but from the set-up', () => {
  const login = join(home, 'cargo/credentials.toml');
  mkdirSync(join(home, 'cargo'));
  writeFileSync(login, 'SECRET');
  const moved = { ...environment, CARGO_HOME: join(home, 'cargo') };
  const hidden = (installs: boolean) =>
    secretPlaces(moved, { more: [], installs }).map(({ path }) => path);
  expect(hidden(false)).toContain(login);
  expect(hidden(true)).not.toContain(login);
});

test('on macOS the profile allows writing only within the bounds', () => {
  const bounds = {
    writable: ['/w/tree "x"'],
    hidden: [{ path: '/h/.ssh', kind: 'folder' }],
    temporary: '/t',
    insteadOf: null,
  } as const;
  expect(sandboxExec('/usr/bin/sandbox-exec').argv(['node', 'a.js'], bounds)).toEqual([
    '/usr/bin/sandbox-exec',
    '-p',
    [
      '(version 1)',
      '(allow default)',
      '(deny file-write*)',
      '(allow file-write* (regex #"^/dev/") (subpath "/t") (subpath "/w/tree \\"x\\""))',
      '(deny file-read* file-write* (subpath "/h/.ssh"))',
    ].join('\n'),
    'node',
    'a.js',
  ]);
  expect(sandboxExec('/usr/bin/sandbox-exec').isTried).toBe(false);
});
