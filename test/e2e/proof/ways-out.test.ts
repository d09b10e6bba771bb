// Tries ways out of the confinement of code that nobody has approved, each by a proof: network, home, other project,
// cache, /proc, a process that stays, disk, memory, time, git hooks.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProofResult } from '../../../src/model/proof.ts';
import { short } from '../../helpers/short-form.ts';
import { canConfine, proofOf, type ProofRig, proofRig } from '../../helpers/strict-rig.ts';

let rig: ProofRig;
let requests = 0;
const server = createServer((_, response) => {
  requests += 1;
  response.end('reached');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  rig = proofRig({
    'package.json': '{"type":"module"}',
    '.gitignore': 'node_modules\n',
    'src/kept.js': 'export const kept = 1;\n',
  });
  rig.write({
    'node_modules/dep/index.js': 'export default 1;',
    'node_modules/dep/package.json': '{"type":"module","exports":"./index.js"}',
  });
  writeFileSync(join(rig.home, 'secret.txt'), 'SECRET');
  mkdirSync(join(rig.room, 'other'));
  writeFileSync(join(rig.room, 'other/notes.txt'), 'SECRET');
});
afterAll(() => {
  server.close();
  rig.remove();
});

/** The body of a test of node, with what it needs. */
const tries = (body: string) => `import test from 'node:test';
import assert from 'node:assert';
import * as fs from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
const fails = (act) => { try { act(); return false; } catch { return true; } };
test('tries', { timeout: 50_000 }, async () => { ${body} });`;

const portOf = () => {
  const address = server.address();
  return typeof address === 'object' ? address?.port : 0;
};

/** Runs tries side by side in one copy, and returns their results in order. */
async function tryAll(bodies: readonly string[], mostMs = 50_000): Promise<readonly ProofResult[]> {
  const proofs = bodies.map((body, at) =>
    proofOf(`test/way${at}.p${at + 1}.test.js`, tries(body), {
      id: `P${at + 1}`,
      argv: ['node', '--test', `test/way${at}.p${at + 1}.test.js`],
    }),
  );
  const { results, obstacle } = await rig.run(proofs, { settings: { checkMs: mostMs } });
  expect(obstacle).toBeNull();
  return results;
}

/** The processes of this machine that have a word in their command line. */
const processesOf = (word: string) =>
  readdirSync('/proc')
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(word);
      } catch {
        return false;
      }
    })
    .map(Number);

describe.skipIf(!canConfine)('a proof', () => {
  test(
    'sees no network, home, other project, foreign process or environment, and changes no hook and nothing else outside of its copy',
    short,
    async () => {
      const { home, room, root } = rig;
      process.env['CONCLAVE_TEST_TOKEN'] = 'outside';
      const results = await tryAll([
        `await fetch('http://127.0.0.1:${portOf()}');`,
        `await fetch('http://1.1.1.1', { signal: AbortSignal.timeout(5000) });`,
        `assert(fails(() => fs.readFileSync('${home}/secret.txt'))); assert(!fs.existsSync('${home}/secret.txt')); assert.notEqual(process.env.HOME, '${home}'); assert.deepEqual(fs.readdirSync(process.env.HOME).filter((name) => !name.startsWith('.')), []);`,
        `assert(!fs.existsSync('${room}/other')); assert.deepEqual(fs.readdirSync('${room}'), ['repo']);`,
        `assert(fails(() => fs.writeFileSync('node_modules/dep/index.js', 'x'))); assert(fails(() => fs.writeFileSync('/usr/bin/made', 'x'))); fs.mkdirSync('node_modules/.vite-temp'); fs.writeFileSync('node_modules/.vite-temp/x', 'x'); assert.equal((await import('dep')).default, 1);`,
        `const all = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)); assert(all.length < 15, String(all.length)); for (const pid of all) { let text = ''; try { text = fs.readFileSync('/proc/' + pid + '/environ', 'latin1'); } catch {} assert(!text.includes('outside')); }`,
        `assert(fails(() => fs.writeFileSync('.git/hooks/post-checkout', '#!/bin/sh'))); assert(fails(() => fs.appendFileSync('.git/config', 'x'))); assert.equal(spawnSync('git', ['remote']).stdout.toString(), ''); assert.equal(spawnSync('git', ['log', '--format=%s']).stdout.toString().trim(), 'The start');`,
        `for (const path of ['/x', '/etc/x', '/dev/x', '/proc/sys/kernel/x', '${home}/x']) assert(fails(() => fs.writeFileSync(path, 'x')), path);`,
      ]);
      delete process.env['CONCLAVE_TEST_TOKEN'];
      expect(results.map(({ state, why }) => `${state} ${why}`)).toEqual([
        expect.stringMatching(/^cannot-run .*ECONNREFUSED/),
        expect.stringMatching(/^cannot-run .*ENETUNREACH/),
        ...Array.from({ length: 6 }, () => 'holds '),
      ]);
      expect(requests).toBe(0);
      expect(readFileSync(join(root, 'node_modules/dep/index.js'), 'utf8')).toBe(
        'export default 1;',
      );
      expect(existsSync(join(root, 'node_modules/.vite-temp'))).toBe(false);
      expect(rig.git('status', '--porcelain')).toBe('');
      expect(readdirSync(room).toSorted()).toEqual(['data', 'home', 'other', 'repo']);
      expect(readdirSync(join(root, '.git/hooks')).some((name) => name === 'post-checkout')).toBe(
        false,
      );
    },
  );

  test('reads the caches of tools, and changes nothing in them', async () => {
    const own = proofRig({ 'package.json': '{"type":"module"}' });
    const cached = join(own.home, '.npm/cached');
    mkdirSync(join(own.home, '.npm'));
    writeFileSync(cached, 'kept');
    const body = `for (const at of ['${own.home}', process.env.HOME]) {
      assert.equal(fs.readFileSync(at + '/.npm/cached', 'utf8'), 'kept');
      for (const name of ['cached', 'made']) assert(fails(() => fs.writeFileSync(at + '/.npm/' + name, 'x')), at);
    }`;
    const { results } = await own.run([proofOf('way.p1.test.js', tries(body))]);
    expect(results).toMatchObject([{ state: 'holds', why: '' }]);
    expect(readdirSync(join(own.home, '.npm'))).toEqual(['cached']);
    expect(readFileSync(cached, 'utf8')).toBe('kept');
    own.remove();
  });

  test('leaves no process that outlives it', async () => {
    const results = await tryAll([
      // Neither its mark, nor its group, nor who started it leads to it.
      `spawn('sh', ['-c', 'sleep 987654 &'], { detached: true, stdio: 'ignore', env: { PATH: process.env.PATH } }).unref();`,
    ]);
    const left = processesOf('987654');
    for (const pid of left) process.kill(pid, 'SIGKILL');
    expect(left).toEqual([]);
    expect(results).toMatchObject([{ state: 'holds', why: '' }]);
  });

  test('is ended over a limit of processes, memory or disk', async () => {
    const results = await tryAll([
      `for (;;) { for (let at = 0; at < 50; at += 1) spawn('sleep', ['987655'], { stdio: 'ignore' }).on('error', () => 0); await new Promise((resolve) => setTimeout(resolve, 5)); }`,
      `const all = []; for (let at = 0; at < 50; at += 1) { all.push(Buffer.alloc(64e6, 1)); await new Promise((resolve) => setTimeout(resolve, 30)); }`,
      `for (let at = 0; ; at += 1) { fs.writeFileSync('big' + (at % 12), Buffer.alloc(1e8, 1)); await new Promise((resolve) => setTimeout(resolve, 50)); }`,
      `fs.writeFileSync('big', Buffer.alloc(3e8, 1));`,
    ]);
    expect(results.map(({ state, why }) => `${state} ${why}`)).toEqual([
      'cannot-run it started more than 400 processes',
      expect.stringMatching(
        /^cannot-run (?:it used more than 2 GB of memory|.*(?:allocate memory|allocation failed))/,
      ),
      'cannot-run it wrote more than 1 GB',
      expect.stringMatching(/^cannot-run (?:it wrote a file of more than 200 MB|.*EFBIG)/),
    ]);
    expect(processesOf('987655')).toEqual([]);
    expect(readdirSync(join(rig.room, 'data'))).not.toContain('proofs');
  });

  test('is ended over a limit of output', async () => {
    const body = `const line = 'x'.repeat(1e6) + '\\n'; for (let at = 0; at < 1000; at += 1) await new Promise((resolve) => process.stdout.write(line, resolve));`;
    // The runner of files would keep in its memory what is not read yet.
    const path = 'way.p1.test.js';
    const { results } = await rig.run([proofOf(path, tries(body), { argv: ['node', path] })]);
    expect(results).toMatchObject([{ state: 'cannot-run', why: 'it printed more than 100 MB' }]);
  });

  test('is ended after its time', async () => {
    const [hanging] = await tryAll(
      [`await new Promise((resolve) => setTimeout(resolve, 60_000));`],
      3_000,
    );
    expect(hanging).toMatchObject({ state: 'cannot-run', why: 'it took longer than 3 seconds' });
  });

  test('spoils its copy for no other proof, and nothing is written through a link that it leaves', async () => {
    const { room } = rig;
    const results = await tryAll([
      `fs.rmSync('src', { recursive: true }); fs.rmSync('package.json');`,
      `fs.rmSync('test', { recursive: true }); fs.symlinkSync('${room}/other', 'test');`,
      `assert.equal((await import('../src/kept.js')).kept, 1);`,
    ]);
    expect(results.map(({ state }) => state)).toEqual(['holds', 'holds', 'holds']);
    expect(readdirSync(join(room, 'other'))).toEqual(['notes.txt']);
    expect(rig.git('status', '--porcelain')).toBe('');
  });
});
