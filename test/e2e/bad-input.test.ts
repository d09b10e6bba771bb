import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
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
const named = (name: string) => `[agents.${name}]\npath = "/absent/${name}"\nvendor = "${name}"\n`;

interface Case {
  readonly what: string;
  readonly code: number;
  /** The one sentence on stderr, or a part of it. */
  readonly says: string;
  /** With a plan that the analysts made, instead of the project alone. */
  readonly planned?: readonly string[];
  readonly run: (rig: Rig) => Promise<Ended>;
}

const cases: readonly Case[] = [
  {
    what: 'an empty task',
    code: 2,
    says: 'The task text is empty',
    run: (rig) => rig.conclave(...plan, '  '),
  },
  {
    what: 'a file where the sessions would be kept',
    code: 9,
    says: '.workflow (ENOTDIR); move away the file that is in its place and start again.',
    run: (rig) => {
      rig.write('.workflow', 'a file');
      return rig.conclave(...plan, todoTask);
    },
  },
  {
    what: 'a repository that belongs to somebody else',
    code: 2,
    says: 'git config --global --add safe.directory',
    run: async (rig) => {
      rig.environment['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = '1';
      const ended = await rig.conclave(...plan, todoTask);
      expect(readdirSync(join(rig.repo, '.workflow/.multi-cli-plan'))).toEqual([]);
      return ended;
    },
  },
  {
    what: 'a task over 256 KB',
    code: 2,
    says: 'at most 262144 are allowed',
    run: (rig) => {
      rig.write('task.txt', 'x'.repeat(262_145));
      return rig.conclave(...plan, '--task-file', 'task.txt');
    },
  },
  {
    what: 'a task file without an end',
    code: 2,
    says: 'The task text has more than 524288 bytes, but at most 262144 are allowed',
    run: (rig) => rig.conclave(...plan, '--task-file', '/dev/zero'),
  },
  {
    what: 'a task file that is not there',
    code: 2,
    says: '--task-file: there is no file absent.txt.',
    run: (rig) => rig.conclave(...plan, '--task-file', 'absent.txt'),
  },
  {
    what: 'a task file that is a folder',
    code: 2,
    says: '--task-file: src is a folder, not a file.',
    run: (rig) => rig.conclave(...plan, '--task-file', 'src'),
  },
  {
    what: 'a task file that is no text',
    code: 2,
    says: '--task-file takes UTF-8 text, and task.png is not; save it as UTF-8',
    run: (rig) => {
      writeFileSync(join(rig.repo, 'task.png'), Buffer.from('Caf\u00e9', 'latin1'));
      return rig.conclave(...plan, '--task-file', 'task.png');
    },
  },
  {
    what: 'a task file and a task in words',
    code: 2,
    says: '--task-file and a task in words exclude each other; use one of them.',
    run: (rig) => {
      rig.write('task.txt', todoTask);
      return rig.conclave(...plan, '--task-file', 'task.txt', 'Do something else');
    },
  },
  {
    what: 'nobody to answer the questions',
    code: 2,
    says: 'Use --auto-yes, or --solution N',
    run: (rig) => rig.conclave('plan', todoTask),
  },
  {
    what: 'an unknown agent',
    code: 2,
    says: 'nemo',
    run: (rig) => rig.conclave(...plan, '--tools', 'nemo', todoTask),
  },
  {
    what: 'no agent that --tools names being ready',
    code: 3,
    says: 'The agent nemo named by --tools is not ready',
    run: (rig) => {
      rig.config(named('nemo'));
      return rig.conclave(...plan, '--tools', 'nemo', todoTask);
    },
  },
  {
    what: 'a session id with ../',
    code: 2,
    says: '../../etc',
    run: (rig) => rig.conclave('resume', '../../etc', '--auto-yes'),
  },
  {
    what: 'a session that does not exist',
    code: 2,
    says: 'There is no session "MCP-none-2026-01-01-aaaa" here',
    run: (rig) => rig.conclave('resume', 'MCP-none-2026-01-01-aaaa', '--auto-yes'),
  },
  {
    what: 'a misspelt flag',
    code: 2,
    says: '--auto-yes',
    run: (rig) => rig.conclave('plan', '--auto-yess', todoTask),
  },
  {
    what: 'a folder that is not there',
    code: 2,
    says: 'absent',
    run: (rig) => rig.conclave(...plan, '-C', 'absent', todoTask),
  },
  {
    what: 'a journal that is damaged in the middle',
    code: 9,
    says: 'cannot be read',
    planned: ['--auto-yes'],
    run: (rig) => {
      const journal = join(rig.session(), 'journal.jsonl');
      const text = readFileSync(journal, 'utf8');
      writeFileSync(journal, text.replace('"type":"started"', '"type":"st@rted"'));
      return rig.conclave('resume', idOf(rig), '--auto-yes');
    },
  },
  {
    what: 'a journal of a newer version',
    code: 9,
    says: 'newer',
    planned: ['--auto-yes'],
    run: (rig) => {
      appendFileSync(join(rig.session(), 'journal.jsonl'), '{"sum":"other","v":2,"type":"new"}\n');
      return rig.conclave('resume', idOf(rig), '--auto-yes');
    },
  },
  {
    what: 'an invalid plan file',
    code: 6,
    says: '',
    planned: ['--auto-yes'],
    run: (rig) => {
      writeFileSync(join(rig.session(), 'plan.json'), '{"summary": ');
      return rig.conclave('validate');
    },
  },
  {
    what: 'a link planted in the session folder',
    code: 9,
    says: 'is a symbolic link, which is refused',
    planned: leavingFlags,
    run: (rig) => {
      rmSync(join(rig.session(), 'plan.json'));
      symlinkSync('/etc/passwd', join(rig.session(), 'plan.json'));
      rmSync(join(rig.session(), 'rounds'), { recursive: true });
      symlinkSync(rig.home, join(rig.session(), 'rounds'));
      return rig.conclave('resume', idOf(rig), '--auto-yes');
    },
  },
  {
    what: 'a configuration with an unknown key',
    code: 2,
    says: 'max_round',
    run: (rig) => {
      rig.config('[workflow]\nmax_round = 2\n');
      return rig.conclave(...plan, todoTask);
    },
  },
  {
    what: 'a configuration that is no TOML',
    code: 2,
    says: 'config.toml',
    run: (rig) => {
      rig.config('[workflow\n');
      return rig.conclave(...plan, todoTask);
    },
  },
];

describe('bad input', () => {
  test.each(cases)('$what ends with $code and one clear sentence', async (given) => {
    const { code, says, planned, run } = given;
    const rig = await (planned === undefined ? todoRig() : analysedRig(...planned));
    const end = await run(rig);
    expect(end).toMatchObject({ code });
    const sentence = end.stderr.trim() || end.stdout.trim();
    expect(sentence).toContain(says);
    expect(end.stderr).not.toMatch(/\n\s+at |This is a bug/);
    expect(end.stderr.trim().split('\n')).toHaveLength(1);
  });
});

test('an empty repository and a folder without git have nothing to plan from', async () => {
  const rig = testRig();
  for (const isThere of [false, true]) {
    if (isThere) await rig.git('init', '-q');
    const { code, stderr } = await rig.conclave(...plan, 'Write a README');
    expect(code).toBe(3);
    expect(stderr).toMatch(/^conclave: No file matches this task\. Name one with @, or .*claude/);
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
