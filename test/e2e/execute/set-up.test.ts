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
    expect(setUps(rig)).toBe(2);
  });

  test('runs in each work tree where what it makes names the folder', async () => {
    const setup = '[execution]\nsetup = ["node", "prepare.mjs", "absolute"]';
    const rig = await approvedRig(work, {
      plan: planOf(files.map((file, at) => task(at + 1, [], [file], [there(file)]))),
      project,
      more: setup,
    });
    expect((await rig.conclave('execute', '-y')).code).toBe(0);
    expect(setUps(rig)).toBe(6);
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
});
