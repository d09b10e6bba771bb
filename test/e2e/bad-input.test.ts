import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatVersion } from '../../src/model/id-patterns.ts';
import { analysedRig } from '../helpers/planned-rig.ts';
import { type Ended, type Rig, ended, program } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { leavingFlags, testRig, todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, listSolution } from '../helpers/vendors.ts';

const plan = ['plan', '--auto-yes'];

/** Words that are refused in the little project, with the code and what is said. */
const refused: readonly (readonly [string, readonly string[], number, string])[] = [
  ['an empty task', [...plan, '  '], 2, 'The task is empty'],
  [
    'a task file without an end',
    [...plan, '--task-file', '/dev/zero'],
    2,
    'The task text has more than 524288 bytes, but at most 262144 are allowed',
  ],
  [
    'no such task file',
    [...plan, '--task-file', 'absent'],
    2,
    '--task-file: there is no file absent',
  ],
  ['a folder as task file', [...plan, '--task-file', 'src'], 2, 'src is a folder, not a file.'],
  [
    'a file and words',
    [...plan, '--task-file', 'README.md', 'x'],
    2,
    'exclude each other; use one',
  ],
  ['nobody to answer', ['plan', todoTask], 2, 'Use --auto-yes, or --solution N'],
  ['an unknown agent', [...plan, '--tools', 'nemo', todoTask], 2, 'nemo'],
  ['a session id with ../', ['resume', '../../etc', '-y'], 2, '../../etc'],
];

/** The same after something was done to the project. */
const spoilt: readonly (readonly [
  string,
  (rig: Rig) => void,
  readonly string[],
  number,
  string,
])[] = [
  [
    'a file where the sessions would be kept',
    (rig) => rig.write('.workflow', 'a file'),
    [todoTask],
    9,
    '.workflow (ENOTDIR); a file is where a folder should be: move it away, then start again.',
  ],
  [
    'a repository that belongs to somebody else',
    (rig) => (rig.environment['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = '1'),
    [todoTask],
    2,
    'git config --global --add safe.directory',
  ],
  [
    'a task file that is no text',
    (rig) => writeFileSync(join(rig.repo, 'task.png'), Buffer.from('Caf\u00e9', 'latin1')),
    ['--task-file', 'task.png'],
    2,
    '--task-file takes UTF-8 text, and task.png is not; save it as UTF-8',
  ],
  [
    'no agent that --tools names being ready',
    (rig) => rig.config('[agents.nemo]\npath = "/absent/nemo"\nvendor = "nemo"\n'),
    ['--tools', 'nemo', todoTask],
    3,
    'The agent nemo is not ready',
  ],
];

const longName = 'd'.repeat(200);

/** Where the project lies, with what a plan there ends with. */
const places: readonly (readonly [string, string, number, string])[] = [
  [
    'a path beyond 500 bytes',
    `${longName}/${longName}`,
    2,
    'move the repository to a shorter path',
  ],
  ['a path of 390 characters', longName, 0, ''],
  ['a path with a line break', 'line\nbreak', 0, ''],
];

/** The same after something was done to a session with a plan. */
const damaged: readonly (readonly [string, (session: string, rig: Rig) => void, string])[] = [
  [
    'a journal that is damaged in the middle',
    (session) => {
      const journal = join(session, 'journal.jsonl');
      const text = readFileSync(journal, 'utf8');
      writeFileSync(journal, text.replace('"type":"started"', '"type":"st@rted"'));
    },
    'cannot be read',
  ],
  [
    'a journal of a newer version',
    (session) =>
      appendFileSync(
        join(session, 'journal.jsonl'),
        `{"sum":"other","v":${formatVersion + 1},"type":"new"}\n`,
      ),
    'update conclave to open it',
  ],
  [
    'a link planted in the session folder',
    (session, rig) => {
      rmSync(join(session, 'plan.json'));
      symlinkSync('/etc/passwd', join(session, 'plan.json'));
      rmSync(join(session, 'rounds'), { recursive: true });
      symlinkSync(rig.home, join(session, 'rounds'));
    },
    'is a symbolic link, which is refused',
  ],
];

/** What is said where that is one sentence and no trace, with the code. */
function refusal({ code, stdout, stderr }: Ended) {
  const isOne = stderr.trim().split('\n').length === 1 && !/\n\s+at |This is a bug/.test(stderr);
  return { code, says: isOne ? stderr.trim() || stdout.trim() : `too much: ${stderr}` };
}

const saying = (code: number, text: string) => ({ code, says: expect.stringContaining(text) });

describe('one clear sentence for', () => {
  test.each(refused)('%s', short, async (_, words, code, says) => {
    const rig = await todoRig();
    expect(refusal(await rig.conclave(...words))).toEqual(saying(code, says));
  });

  test.each(spoilt)('%s', async (_, spoil, words, code, says) => {
    const rig = await todoRig();
    spoil(rig);
    expect(refusal(await rig.conclave(...plan, ...words))).toEqual(saying(code, says));
    expect(globSync('.workflow/.multi-cli-plan/*', { cwd: rig.repo })).toEqual([]);
  });

  test.each(places)('%s, or none where it works', async (_, place, code, says) => {
    const rig = await todoRig();
    // Padded to one length, whatever the folder for temporary files is called.
    const pad = place === longName ? place.slice(0, 389 - dirname(rig.repo).length - 201) : '';
    const cwd = join(dirname(rig.repo), place, pad);
    mkdirSync(dirname(cwd), { recursive: true });
    renameSync(rig.repo, cwd);
    const run = (...words: readonly string[]) =>
      ended(spawn(process.execPath, [program, ...words], { cwd, env: rig.environment }));
    const end = await run(...plan, '--tools', 'local', ...leavingFlags, todoTask);
    expect(end).toMatchObject({ code, stderr: expect.stringContaining(says) });
    expect(end.stderr.trim().split('\n')).toHaveLength(1);
    expect((await run('validate')).code).toBe(code);
  });

  test('the demo without a folder for temporary files', async () => {
    const rig = await todoRig();
    rig.environment['TMPDIR'] = join(rig.home, 'absent');
    const says = `cannot make its folder in ${join(rig.home, 'absent')} (ENOENT); set TMPDIR`;
    expect(refusal(await rig.conclave('demo', '--fast'))).toEqual(saying(2, says));
  });

  test('an execution whose data folder cannot be made', async () => {
    const rig = await todoRig();
    rig.environment['CONCLAVE_SESSION_KEY'] = 'k'.repeat(32);
    expect((await rig.conclave(...plan, '--tools', 'local', todoTask)).code).toBe(0);
    rig.environment['XDG_DATA_HOME'] = join(rig.repo, 'README.md');
    const end = await rig.conclave('execute', '--auto-yes');
    const says = `Cannot write ${join(rig.repo, 'README.md/conclave/worktrees')}`;
    expect(refusal(end)).toEqual(saying(9, says));
    expect(end.stderr).toContain(
      '(ENOTDIR); a file is where a folder should be: move it away, then try again.',
    );
  });

  // The kernel says of a folder there that it is missing, however often it is asked to be made.
  test('each command whose data folder cannot be made, nor anything in the folder above it', async () => {
    const rig = await todoRig();
    expect((await rig.conclave(...plan, '--tools', 'local', ...leavingFlags, todoTask)).code).toBe(
      0,
    );
    const id = basename(rig.session());
    rig.environment['XDG_DATA_HOME'] = '/proc/none';
    const keyless = `Session ${id} can be looked at but runs nothing: the key`;
    for (const words of [
      ['execute', id, '--auto-yes'],
      ['resume', id, '--auto-yes'],
      ['review', id, '--approve'],
      ['sessions', 'fork', id],
      ['sessions', 'trust', id, '-y'],
    ]) {
      const end = await rig.conclave(...words);
      expect({ words, ...refusal(end) }).toEqual({ words, ...saying(9, keyless) });
      expect(end.stderr).toContain('set CONCLAVE_SESSION_KEY');
    }
    rig.environment['CONCLAVE_SESSION_KEY'] = 'k'.repeat(32);
    for (const words of [
      ['sessions', 'list'],
      ['sessions', 'show', id],
      [...plan, '--tools', 'local', ...leavingFlags, todoTask],
    ])
      expect({ words, code: (await rig.conclave(...words)).code }).toEqual({ words, code: 0 });
    const says = 'No session can be kept in /proc/none/conclave/conversations';
    expect(refusal(await rig.conclave('consult', 'Why?'))).toEqual(saying(9, says));
    const above = '(ENOENT); a folder above it is missing and cannot be made: choose another place';
    for (const words of [
      ['install', 'claude', '-y'],
      ['mcp', 'install', 'claude', '-y'],
    ]) {
      const end = await rig.conclave(...words);
      expect({ words, ...refusal(end) }).toEqual({
        words,
        ...saying(9, 'Cannot write /proc/none/conclave/hosts/'),
      });
      expect(end.stderr).toContain(`${above}, then try again.`);
    }
    const probed = await rig.conclave('doctor', '--probe', '-y');
    expect(probed).toMatchObject({ code: 3, stderr: '' });
    expect(probed.stdout).toMatch(/^data folder +missing +Cannot write \/proc\/none\/conclave /m);
    expect(probed.stdout).toContain('Set XDG_DATA_HOME to a folder that you can write to');
  });

  // The agents’ own caches are theirs to make; Conclave keeps nothing there.
  test('no command needs the folder for caches', async () => {
    const rig = await todoRig();
    rig.environment['XDG_CACHE_HOME'] = '/proc/none';
    for (const [words, code] of [
      [['doctor', '--probe', '-y'], 3],
      [['agents'], 0],
      [[...plan, '--tools', 'local', ...leavingFlags, todoTask], 0],
      [['mcp', 'install', 'claude', '-y'], 0],
    ] as const) {
      const end = await rig.conclave(...words);
      expect({ words, code: end.code }).toEqual({ words, code });
      expect(end.stderr).not.toContain('bug');
    }
  });

  test.each(damaged)('%s', short, async (_, damage, says) => {
    const rig = await analysedRig(...leavingFlags);
    damage(rig.session(), rig);
    const end = await rig.conclave('resume', basename(rig.session()), '--auto-yes');
    expect(refusal(end)).toEqual(saying(9, says));
  });
});

test('an empty repository and a folder without git have nothing to plan from', async () => {
  const rig = testRig();
  for (const isThere of [false, true]) {
    if (isThere) await rig.git('init', '-q');
    const { code, stderr } = await rig.conclave(...plan, 'Write a README');
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^conclave: Your task names no file or function that is here, and no model takes part\. Name one with @, or /,
    );
    expect(rig.json('session-state.json')).toMatchObject({ status: 'failed' });
  }
});

test(
  'hostile paths, ids and control sequences in an answer reach neither disk nor terminal',
  short,
  async () => {
    const rig = await todoRig();
    const evil = '\u001B]0;owned\u0007\u001B[2Jname\u009B31m';
    const solution = listSolution({ name: evil, summary: `${evil} summary` });
    const tasks = solution.implementation_plan.tasks.map((task) => ({
      ...task,
      files: [
        { file: '../../outside.txt', action: 'create' as const },
        { file: '/etc/passwd', line: 1, action: 'modify' as const },
      ],
    }));
    const planted = {
      ...solution,
      implementation_plan: { ...solution.implementation_plan, tasks },
    };
    const hostilePlan = {
      answer: {
        phase: 'planning',
        plan: { summary: evil, approach: evil },
        tasks: [
          {
            id: '../../../escape',
            title: evil,
            description: evil,
            depends_on: [],
            files: [{ path: '../../outside.txt', action: 'create' }],
            convergence: { criteria: ['../../outside.txt exists'] },
          },
        ],
      },
    };
    configureVendors(rig, {
      alpha: {
        propose: { answer: { solutions: [planted], questions: [evil] } },
        plan: hostilePlan,
      },
    });
    const { code, stdout, stderr } = await rig.conclave(...plan, todoTask);
    // No plan of this agent can be used, so rules draft one from its solution.
    expect(code).toBe(0);
    expect(stdout).toContain('rule-based, without a planning agent');
    expect(
      JSON.stringify(rig.contents(join(rig.session().slice(rig.repo.length + 1), '.task'))),
    ).not.toMatch(/outside|passwd|escape/);
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
    expect(await rig.git('status', '--porcelain')).toBe('');
    const outside = execFileSync(
      'find',
      [join(rig.home, '..'), '-name', 'outside.txt', '-o', '-name', 'escape*'],
      { encoding: 'utf8' },
    );
    expect(outside).toBe('');
  },
);

test('a full disk ends with 9, names the file, and the session resumes when there is room', async () => {
  const rig = await todoRig();
  mkdirSync(join(rig.repo, '.workflow'));
  const script = `mount -t tmpfs -o size=96k none .workflow && ${process.execPath} ${program} plan --auto-yes ${JSON.stringify('Print JSON from listTodos')}; echo "code $?"; mount -o remount,size=8m none .workflow && ${process.execPath} ${program} resume --auto-yes; echo "code $?"`;
  const out = execFileSync('unshare', ['-rm', 'sh', '-c', `(${script}) 2>&1`], {
    cwd: rig.repo,
    env: { ...process.env, HOME: rig.home, XDG_CONFIG_HOME: join(rig.home, 'config') },
    encoding: 'utf8',
  });
  expect(out).toMatch(/conclave: Cannot write .*\(ENOSPC\); free some disk space/);
  expect(out).toContain('code 9');
  expect(out.trim().endsWith('code 0')).toBe(true);
  expect(out).not.toContain('This is a bug');
});
