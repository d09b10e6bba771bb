import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ExecutionResult } from '../../../src/model/execution.ts';
import { approvedRig, type Work } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { planOf, runs, task } from '../../helpers/small-plans.ts';

const resultOf = (rig: Rig): ExecutionResult =>
  ExecutionResult.parse(rig.json('execution-result.json'));

/** Counts its runs beside the repository, and makes a module, which names its folder if it is told to. */
const prepare = `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
const { CONCLAVE_ROOT: root, CONCLAVE_WORKTREE: tree } = process.env;
appendFileSync(root + '/../set-ups', '.');
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
  const file = join(rig.repo, '../set-ups');
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
    await rig.conclave('execute');
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
    expect((await rig.conclave('execute')).code).toBe(0);
    expect(setUps(rig)).toBe(5);
  });

  test('is refused where it leaves what would come into the commits', async () => {
    const setup = '[execution]\nsetup = ["node", "left.mjs"]';
    const rig = await approvedRig(work, { plan, project, more: setup });
    const { stdout, stderr } = await rig.conclave('execute');
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
    expect((await rig.conclave('execute')).code).toBe(0);
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
    const { code, stdout, stderr } = await rig.conclave('execute');
    expect(code).toBe(0);
    expect(`${stdout}${stderr}`).toContain('.env is linked from your folder');
  });

  test('are not linked where git ignores only a folder of that name', async () => {
    const rig = await approvedRig(work, { plan, project, more: '[execution]\nlink = ["local"]' });
    mkdirSync(join(rig.repo, 'local'));
    const { stdout, stderr } = await rig.conclave('execute');
    expect(`${stdout}${stderr}`).toContain('git does not ignore a link of that name');
  });
});
