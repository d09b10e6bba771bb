import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ExecutionResult } from '../../../src/model/execution.ts';
import { approvedRig, type Work } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { short } from '../../helpers/short-form.ts';
import { witnessed } from '../../helpers/vendors.ts';
import { planOf, runs, task } from '../../helpers/small-plans.ts';

const resultOf = (rig: Rig): ExecutionResult =>
  ExecutionResult.parse(rig.json('execution-result.json'));

/** Counts its runs in a cache, where a confined one may write, and makes a module, which names its folder if it is told to. */
const prepare = `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
const { HOME: home, CONCLAVE_WORKTREE: tree } = process.env;
mkdirSync(home + '/.cache', { recursive: true });
appendFileSync(home + '/.cache/set-ups', '.');
mkdirSync(tree + '/node_modules/dep', { recursive: true });
writeFileSync(tree + '/node_modules/dep/index.js', process.argv[2] === 'absolute' ? tree : '');
`;

const project = {
  name: 'with-set-up',
  async make(rig: Rig) {
    rig.write('prepare.mjs', prepare);
    rig.write('.gitignore', 'node_modules/\n.env\nlocal/\n');
    rig.write(
      'left.mjs',
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('left.txt', '');\n",
    );
    await rig.git('add', '-A');
    await rig.git('commit', '-qm', 'Prepare');
  },
};

const setUps = (rig: Rig): number => {
  const file = join(rig.home, '.cache/set-ups');
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
};

const script = (code: string) => runs('node', '-e', `const fs = require('fs'); ${code}`);
const files = ['a.txt', 'b.txt', 'c.txt'];
/** Fails before the work, and where it sees what the check of another task wrote beside the module. */
const ownCopy = (file: string) =>
  script(
    `fs.writeFileSync('node_modules/dep/${file}', ''); const others = fs.readdirSync('node_modules/dep').length > 2; const isJoined = ${JSON.stringify(files)}.every((one) => fs.existsSync(one)); process.exit(fs.existsSync('${file}') && (isJoined || !others) ? 0 : 1)`,
  );
const work: Work = Object.fromEntries(
  files.map((file, at) => [`TASK-00${at + 1}`, { edits: { [file]: 'x\n' } }]),
);
const plan = planOf(files.map((file, at) => task(at + 1, [], [file], [ownCopy(file)])));

const there = (file: string) =>
  script(
    `process.exit(fs.existsSync('${file}') && fs.readFileSync('node_modules/dep/index.js', 'utf8') === process.cwd() ? 0 : 1)`,
  );
const reads = (file: string) =>
  script(
    `process.exit(fs.existsSync('${file}') && fs.readFileSync('.env', 'utf8') === 'KEY=1' ? 0 : 1)`,
  );
const linked = (file: string) =>
  script(`process.exit(fs.existsSync('${file}') && fs.lstatSync('.env').isSymbolicLink() ? 0 : 1)`);
describe('the set-up', () => {
  test('runs once for the tasks that begin alike, each with a copy of its own, and once for their joined work', async () => {
    const setup = '[execution]\nsetup = ["node", "prepare.mjs"]';
    const rig = await approvedRig(work, { plan, project, more: setup });
    await rig.conclave('execute', '-y');
    expect(resultOf(rig).tasks.map(({ why }) => why)).toEqual(['', '', '']);
    // Once for each task on the start again, as nobody knows what this set-up reads.
    expect(setUps(rig)).toBe(8);
  });

  test('runs in each work tree where what it makes names the folder', async () => {
    const setup = '[execution]\nsetup = ["node", "prepare.mjs", "absolute"]';
    const rig = await approvedRig(work, {
      plan: planOf(files.map((file, at) => task(at + 1, [], [file], [there(file)]))),
      project,
      more: setup,
    });
    expect((await rig.conclave('execute', '-y')).code).toBe(0);
    expect(setUps(rig)).toBe(12);
  });

  test('is refused where it leaves what would come into the commits', async () => {
    const setup = '[execution]\nsetup = ["node", "left.mjs"]';
    const rig = await approvedRig(work, { plan, project, more: setup });
    const { stdout, stderr } = await rig.conclave('execute', '-y');
    expect(`${stdout}${stderr}`).toContain('leaves left.txt, which git does not ignore');
  });
});

describe('ignored files of the user', () => {
  const reading = planOf(files.map((file, at) => task(at + 1, [], [file], [reads(file)])));

  test('are copied where execution.copy names them', async () => {
    const rig = await approvedRig(work, {
      plan: reading,
      project,
      more: '[execution]\ncopy = [".env", "absent"]',
    });
    writeFileSync(join(rig.repo, '.env'), 'KEY=1');
    expect((await rig.conclave('execute', '-y')).code).toBe(0);
    expect(await rig.git('ls-tree', '-r', '--name-only', resultOf(rig).commit)).not.toContain(
      '.env',
    );
  });

  test('are linked where execution.link names them, which is warned of', async () => {
    const rig = await approvedRig(work, {
      plan: planOf(files.map((file, at) => task(at + 1, [], [file], [linked(file)]))),
      project,
      more: '[execution]\nlink = [".env"]',
    });
    writeFileSync(join(rig.repo, '.env'), 'KEY=1');
    const { code, stdout, stderr } = await rig.conclave('execute', '-y');
    expect(code).toBe(0);
    expect(`${stdout}${stderr}`).toContain('.env is linked from your folder');
  });

  test('are not linked where git ignores only a folder of that name', async () => {
    const rig = await approvedRig(work, { plan, project, more: '[execution]\nlink = ["local"]' });
    mkdirSync(join(rig.repo, 'local'));
    const { stdout, stderr } = await rig.conclave('execute', '-y');
    expect(`${stdout}${stderr}`).toContain('git does not ignore a link of that name');
  });
});

/** A program `npm` that installs one module. */
const withNpm = (rig: Rig) => {
  const bin = join(rig.home, 'bin');
  mkdirSync(bin);
  const install = `#!/bin/sh\n[ "$*" = ci ] || exit 9\ngrep -q lockfileVersion package-lock.json || { rm -rf node_modules; echo "npm: no lock here" >&2; exit 1; }\nmkdir -p "$HOME/.cache" && printf . >> "$HOME/.cache/set-ups"\nmkdir -p node_modules/leftpad && echo > node_modules/leftpad/index.js\n`;
  writeFileSync(join(bin, 'npm'), install, { mode: 0o755 });
  rig.environment['PATH'] = `${bin}:${rig.environment['PATH'] ?? ''}`;
};

const asked = (rig: Rig) =>
  [...witnessed(rig, 'alpha'), ...witnessed(rig, 'beta')].filter((line) => line.includes('TASK'));

const needsModule = (file: string) =>
  script(`require('leftpad'); process.exit(fs.existsSync('${file}') ? 0 : 1)`);

describe('a set-up that a file of the project proposes', () => {
  const locked = {
    name: 'with-lock-file',
    async make(rig: Rig) {
      rig.write('package-lock.json', '{ "lockfileVersion": 3 }\n');
      rig.write('.gitignore', 'node_modules/\n');
      await rig.git('add', '-A');
      await rig.git('commit', '-qm', 'Lock');
    },
  };
  const needing = planOf(files.map((file, at) => task(at + 1, [], [file], [needsModule(file)])));
  test('is told where a check cannot run before the work, and nobody is asked; taken, it is remembered', async () => {
    const rig = await approvedRig(work, { plan: needing, project: locked });
    withNpm(rig);
    const dry = await rig.conclave('execute', '--dry-run');
    expect(dry.stdout).toContain('package-lock.json proposes "npm ci"');
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect({ code, asked: asked(rig) }).toEqual({ code: 7, asked: [] });
    expect(stderr).toContain("Cannot find module 'leftpad'");
    expect(stderr).toMatch(/take it with conclave execute \S+ --take-setup/);
    const taken = await rig.conclave('execute', '-y', '--take-setup');
    expect({ code: taken.code, stderr: taken.stderr }).toMatchObject({ code: 0 });
    // Once for all, as nothing that npm reads was changed.
    expect(setUps(rig)).toBe(1);
    expect(rig.configured()).toContain(`[projects."${rig.repo}"]\nsetup = ["npm","ci"]`);
    expect((await rig.conclave('execute', '--dry-run')).stdout).toContain('Set-up:     npm ci');
  });

  test('that fails after the work is put right by its agent, and runs again', short, async () => {
    const rig = await approvedRig(
      {
        'TASK-001-work': { edits: { 'a.txt': 'x\n', 'package-lock.json': 'no lock\n' } },
        'TASK-001-fix': { edits: { 'package-lock.json': '{ "lockfileVersion": 3, "new": 1 }\n' } },
      },
      {
        plan: planOf([task(1, [], ['a.txt', 'package-lock.json'], [needsModule('a.txt')])]),
        project: locked,
      },
    );
    withNpm(rig);
    const { code, stdout } = await rig.conclave('execute', '-y', '--take-setup');
    expect(resultOf(rig).tasks.map(({ status, fix_rounds: fixes }) => ({ status, fixes }))).toEqual(
      [{ status: 'completed', fixes: 1 }],
    );
    const calls = asked(rig).filter((line) => line.startsWith('start'));
    expect({ code, calls: calls.length }).toEqual({ code: 0, calls: 2 });
    expect(stdout).toContain('npm: no lock here');
  });

  test.each([
    ['a program', ['no-such-tool', '--check'], 'no-such-tool cannot be started'],
    ['a script that ends with 127', ['sh', '-c', 'no-such-tool'], 'no-such-tool: not found'],
    ['a file of the user', ['node', '--env-file=.env', '-e', ''], 'copy = [".env"]'],
  ])('is missed like %s', async (_, argv, said) => {
    const rig = await approvedRig(work, {
      plan: planOf(files.map((file, at) => task(at + 1, [], [file], [runs(...argv)]))),
      project,
    });
    writeFileSync(join(rig.repo, '.env'), 'KEY=1');
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect({ code, asked: asked(rig) }).toEqual({ code: 7, asked: [] });
    expect(stderr).toContain(said);
  });

  test('is not missed where a task brings the module', async () => {
    const brings = task(
      1,
      [],
      ['node_modules.json', 'package.json'],
      [script("require('leftpad')")],
    );
    const rig = await approvedRig(work, {
      plan: planOf([brings, task(2, [], ['b.txt'])]),
      project,
    });
    await rig.conclave('execute', '-y');
    expect(asked(rig)).not.toEqual([]);
  });

  test('is neither taken nor written where its program is not installed', async () => {
    const rig = await approvedRig(work, {
      plan: planOf(files.map((file, at) => task(at + 1, [], [file], [runs('pnpm', 'test')]))),
      project: {
        name: 'with-pnpm-lock',
        async make(one: Rig) {
          one.write('pnpm-lock.yaml', '');
          await one.git('add', '-A');
          await one.git('commit', '-qm', 'Lock');
        },
      },
    });
    const before = rig.configured();
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect({ code, asked: asked(rig) }).toEqual({ code: 7, asked: [] });
    expect(stderr).toContain('pnpm is not installed: install it, or change the check');
    const taken = await rig.conclave('execute', '-y', '--take-setup');
    expect({ code: taken.code, stderr: taken.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('pnpm is not installed, so "pnpm install'),
    });
    expect(rig.configured()).toBe(before);
  });
});

const address = 'https://example.invalid/other';

/** A repository that is a submodule of the project, below `lib`. */
const submodule = {
  name: 'with-submodule',
  async make(rig: Rig) {
    const other = join(rig.home, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'three.txt'), 'three');
    const inOther = (...words: readonly string[]) => rig.git('-C', other, ...words);
    await inOther('init', '-q');
    await inOther('add', '-A');
    await inOther('commit', '-qm', 'Three');
    const leadsThere = [
      '-c',
      'protocol.file.allow=always',
      '-c',
      `url.${other}.insteadOf=${address}`,
    ];
    await rig.git(...leadsThere, 'submodule', '--quiet', 'add', address, 'lib');
    await rig.git('commit', '-qm', 'Take three');
  },
};
const single = (check: object) => planOf([task(1, [], ['a.txt'], [check])]);
const writesIt = { 'TASK-001': { edits: { 'a.txt': 'x\n' } } };

describe('what the folder of the user has and a work tree lacks is told before anybody is asked', () => {
  test('a submodule, with its update, which can be taken', async () => {
    const check = script("fs.readFileSync('lib/three.txt'); fs.readFileSync('a.txt')");
    const rig = await approvedRig(writesIt, { plan: single(check), project: submodule });
    const url = `[url "${join(rig.home, 'other')}"]\n\tinsteadOf = ${address}\n`;
    const file = `[protocol "file"]\n\tallow = always\n${url}`;
    writeFileSync(join(rig.home, '.gitconfig'), file, { flag: 'a' });
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect({ code, asked: asked(rig) }).toEqual({ code: 7, asked: [] });
    expect(stderr).toContain('lib is a submodule, which a work tree has only after');
    const taken = await rig.conclave('execute', '-y', '--take-setup');
    expect({ code: taken.code, stderr: taken.stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('build output, with the build, which runs again after the work', async () => {
    const built = {
      name: 'with-build',
      async make(rig: Rig) {
        rig.write(
          'Makefile',
          'build: \n\tmkdir -p out && cat a.txt old.txt > out/all.txt 2>/dev/null; true\n',
        );
        rig.write('.gitignore', 'out/\n');
        rig.write('old.txt', 'old\n');
        rig.write('out/all.txt', 'old\n');
        await rig.git('add', '-A');
        await rig.git('commit', '-qm', 'Build');
      },
    };
    const check = script(
      "process.exit(fs.readFileSync('out/all.txt', 'utf8') === 'x\\nold\\n' ? 0 : 1)",
    );
    const rig = await approvedRig(writesIt, { plan: single(check), project: built });
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect({ code, asked: asked(rig) }).toEqual({ code: 7, asked: [] });
    const [, key = '', value = ''] = /conclave config set '(.+?)' '(.+?)'/.exec(stderr) ?? [];
    expect(value).toBe('["make","build"]');
    expect((await rig.conclave('config', 'set', key, value)).code).toBe(0);
    const again = await rig.conclave('execute', '-y');
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('an ignored file that no output names, as the check passes there, where it can write nothing', async () => {
    const silent = {
      name: 'with-ignored-file',
      async make(rig: Rig) {
        rig.write('.gitignore', 'local.json\n');
        rig.write('local.json', '{}');
        await rig.git('add', '-A');
        await rig.git('commit', '-qm', 'Ignore');
      },
    };
    const check = script(
      "try { fs.writeFileSync('written.txt', ''); } catch {} process.exit(fs.existsSync('local.json') ? 0 : 1)",
    );
    const rig = await approvedRig(writesIt, { plan: single(check), project: silent });
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect({ code, asked: asked(rig) }).toEqual({ code: 7, asked: [] });
    expect(stderr).toContain('it passes in your folder, which has local.json');
    expect(existsSync(join(rig.repo, 'written.txt'))).toBe(false);
    // The comparison is recorded, though it is none of the task’s own runs.
    const records = readFileSync(join(rig.session(), 'execution/1/checks.jsonl'), 'utf8');
    expect(JSON.parse(records)).toMatchObject({ tree: 'home', moment: 'before', passed: true });
  });

  test('files of .worktreeinclude, which checks read and agents do not see where they hold secrets', async () => {
    const included = {
      name: 'with-included',
      async make(rig: Rig) {
        rig.write('.gitignore', '.env\nplain.txt\n');
        rig.write('.worktreeinclude', '.env\nplain.txt\n');
        rig.write('.env', 'API_KEY=sk-live-a8f3k29dkq02mzxp81\n');
        rig.write('plain.txt', 'plain\n');
        await rig.git('add', '-A');
        await rig.git('commit', '-qm', 'Include');
      },
    };
    const check = script(
      "fs.readFileSync('.env'); fs.readFileSync('plain.txt'); fs.readFileSync('a.txt')",
    );
    const looks = { runs: [['sh', '-c', 'ls -A > a.txt']] };
    const rig = await approvedRig(
      { 'TASK-001': looks },
      { plan: single(check), project: included },
    );
    const dry = await rig.conclave('execute', '--dry-run');
    expect(dry.stdout).toContain(
      'a copy of .env and plain.txt (.env holds secrets: checks read that',
    );
    const { code, stderr } = await rig.conclave('execute', '-y');
    expect({ code, asked: asked(rig) }).toEqual({ code: 7, asked: [] });
    expect(stderr).toMatch(
      /\.worktreeinclude names it: take a copy with conclave execute \S+ --take-setup/,
    );
    const taken = await rig.conclave('execute', '-y', '--take-setup', '--apply');
    expect({ code: taken.code, stderr: taken.stderr }).toEqual({ code: 0, stderr: '' });
    expect(rig.configured()).toContain('copy = [".env","plain.txt"]');
    const seen = rig.read('a.txt').split('\n');
    expect([seen.includes('plain.txt'), seen.includes('.env')]).toEqual([true, false]);
  });
});
