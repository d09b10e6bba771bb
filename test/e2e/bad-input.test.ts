import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analysedRig } from '../helpers/planned-rig.ts';
import { type Ended, type Rig, program } from '../helpers/rig.ts';
import { leavingFlags, testRig, todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, listSolution } from '../helpers/vendors.ts';

const plan = ['plan', '--auto-yes'];
const idOf = (rig: Rig) => rig.session().split('/').at(-1) ?? '';

/** Words that are refused in the little project, with the code and what is said. */
const refused: readonly (readonly [string, readonly string[], number, string])[] = [
  ['an empty task', [...plan, '  '], 2, 'The task text is empty'],
  [
    'a task file without an end',
    [...plan, '--task-file', '/dev/zero'],
    2,
    'The task text has more than 524288 bytes, but at most 262144 are allowed',
  ],
  [
    'a task file that is not there',
    [...plan, '--task-file', 'absent.txt'],
    2,
    '--task-file: there is no file absent.txt.',
  ],
  [
    'a task file that is a folder',
    [...plan, '--task-file', 'src'],
    2,
    '--task-file: src is a folder, not a file.',
  ],
  [
    'a task file and a task in words',
    [...plan, '--task-file', 'README.md', 'Do something else'],
    2,
    '--task-file and a task in words exclude each other; use one of them.',
  ],
  ['nobody to answer', ['plan', todoTask], 2, 'Use --auto-yes, or --solution N'],
  ['an unknown agent', [...plan, '--tools', 'nemo', todoTask], 2, 'nemo'],
  ['a session id with ../', ['resume', '../../etc', '-y'], 2, '../../etc'],
  [
    'a session that does not exist',
    ['resume', 'MCP-none-2026-01-01-aaaa', '-y'],
    2,
    'There is no session "MCP-none-2026-01-01-aaaa" here',
  ],
  ['a misspelt flag', ['plan', '--auto-yess', todoTask], 2, '--auto-yes'],
  ['a folder that is not there', [...plan, '-C', 'absent', todoTask], 2, 'absent'],
];

/** The same after something was done to the project. */
const spoilt: readonly {
  readonly what: string;
  readonly spoil: (rig: Rig) => void;
  readonly words?: readonly string[];
  readonly code: number;
  readonly says: string;
}[] = [
  {
    what: 'a file where the sessions would be kept',
    spoil: (rig) => rig.write('.workflow', 'a file'),
    code: 9,
    says: '.workflow (ENOTDIR); move away the file that is in its place and start again.',
  },
  {
    what: 'a repository that belongs to somebody else',
    spoil: (rig) => (rig.environment['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = '1'),
    code: 2,
    says: 'git config --global --add safe.directory',
  },
  {
    what: 'a task over 256 KB',
    spoil: (rig) => rig.write('task.txt', 'x'.repeat(262_145)),
    words: [...plan, '--task-file', 'task.txt'],
    code: 2,
    says: 'at most 262144 are allowed',
  },
  {
    what: 'a task file that is no text',
    spoil: (rig) => writeFileSync(join(rig.repo, 'task.png'), Buffer.from('Caf\u00e9', 'latin1')),
    words: [...plan, '--task-file', 'task.png'],
    code: 2,
    says: '--task-file takes UTF-8 text, and task.png is not; save it as UTF-8',
  },
  {
    what: 'no agent that --tools names being ready',
    spoil: (rig) => rig.config('[agents.nemo]\npath = "/absent/nemo"\nvendor = "nemo"\n'),
    words: [...plan, '--tools', 'nemo', todoTask],
    code: 3,
    says: 'The agent nemo is not ready',
  },
  {
    what: 'a configuration with an unknown key',
    spoil: (rig) => rig.config('[workflow]\nmax_round = 2\n'),
    code: 2,
    says: 'max_round',
  },
  {
    what: 'a configuration that is no TOML',
    spoil: (rig) => rig.config('[workflow\n'),
    code: 2,
    says: 'config.toml',
  },
];

/** The same after something was done to a session with a plan. */
const damaged: readonly {
  readonly what: string;
  readonly flags?: readonly string[];
  readonly damage: (session: string, rig: Rig) => void;
  readonly words?: readonly string[];
  readonly code: number;
  readonly says: string;
}[] = [
  {
    what: 'a journal that is damaged in the middle',
    damage: (session) => {
      const journal = join(session, 'journal.jsonl');
      const text = readFileSync(journal, 'utf8');
      writeFileSync(journal, text.replace('"type":"started"', '"type":"st@rted"'));
    },
    code: 9,
    says: 'cannot be read',
  },
  {
    what: 'a journal of a newer version',
    damage: (session) =>
      appendFileSync(join(session, 'journal.jsonl'), '{"sum":"other","v":2,"type":"new"}\n'),
    code: 9,
    says: 'newer',
  },
  {
    what: 'an invalid plan file',
    damage: (session) => writeFileSync(join(session, 'plan.json'), '{"summary": '),
    words: ['validate'],
    code: 6,
    says: 'plan.json is not JSON',
  },
  {
    what: 'a link planted in the session folder',
    flags: leavingFlags,
    damage: (session, rig) => {
      rmSync(join(session, 'plan.json'));
      symlinkSync('/etc/passwd', join(session, 'plan.json'));
      rmSync(join(session, 'rounds'), { recursive: true });
      symlinkSync(rig.home, join(session, 'rounds'));
    },
    code: 9,
    says: 'is a symbolic link, which is refused',
  },
];

/** What is said where that is one sentence and no trace, with the code. */
function refusal({ code, stdout, stderr }: Ended) {
  const isOne = stderr.trim().split('\n').length === 1 && !/\n\s+at |This is a bug/.test(stderr);
  return { code, says: isOne ? stderr.trim() || stdout.trim() : `too much: ${stderr}` };
}

const saying = (code: number, text: string) => ({ code, says: expect.stringContaining(text) });

describe('one clear sentence for', () => {
  test.each(refused)('%s', async (_, words, code, says) => {
    const rig = await todoRig();
    expect(refusal(await rig.conclave(...words))).toEqual(saying(code, says));
  });

  test.each(spoilt)('$what', async ({ spoil, words = [...plan, todoTask], code, says }) => {
    const rig = await todoRig();
    spoil(rig);
    expect(refusal(await rig.conclave(...words))).toEqual(saying(code, says));
    expect(globSync('.workflow/.multi-cli-plan/*', { cwd: rig.repo })).toEqual([]);
  });

  test.each(damaged)('$what', async ({ flags = ['--auto-yes'], damage, words, code, says }) => {
    const rig = await analysedRig(...flags);
    damage(rig.session(), rig);
    const end = await rig.conclave(...(words ?? ['resume', idOf(rig), '--auto-yes']));
    expect(refusal(end)).toEqual(saying(code, says));
  });
});

test('an empty repository and a folder without git have nothing to plan from', async () => {
  const rig = testRig();
  for (const isThere of [false, true]) {
    if (isThere) await rig.git('init', '-q');
    const { code, stderr } = await rig.conclave(...plan, 'Write a README');
    expect(code).toBe(3);
    expect(stderr).toMatch(/^conclave: No file matches this task\. Name one with @, or /);
    expect(rig.json('session-state.json')).toMatchObject({ status: 'failed' });
  }
});

test('hostile paths, ids and control sequences in an answer reach neither disk nor terminal', async () => {
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
  const planted = { ...solution, implementation_plan: { ...solution.implementation_plan, tasks } };
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
    alpha: { propose: { answer: { solutions: [planted], questions: [evil] } }, plan: hostilePlan },
  });
  const { code, stdout, stderr } = await rig.conclave(...plan, todoTask);
  expect(code).toBe(6);
  // oxlint-disable-next-line no-control-regex
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
  expect(await rig.git('status', '--porcelain')).toBe('');
  const outside = execFileSync(
    'find',
    [join(rig.home, '..'), '-name', 'outside.txt', '-o', '-name', 'escape*'],
    { encoding: 'utf8' },
  );
  expect(outside).toBe('');
});

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

test('a second owner ends with 5 within half a second of trying and says who holds the session', async () => {
  const rig = await todoRig();
  configureVendors(rig, { alpha: { else: { answer: {}, delay_ms: 3_000 } } });
  const first = rig.start(...plan, '--json', todoTask);
  const closed = new Promise((resolve) => first.once('close', resolve));
  await new Promise<void>((resolve) => {
    first.stdout?.on('data', (chunk: Buffer) => {
      if (chunk.includes('agent.started')) resolve();
    });
  });
  const second = await rig.conclave('resume', idOf(rig), '--auto-yes');
  expect(second.code).toBe(5);
  expect(second.stderr).toContain(`in use by process ${first.pid}`);
  first.kill('SIGINT');
  await closed;
});
