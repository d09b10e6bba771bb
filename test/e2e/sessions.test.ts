import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { lockSession } from '../../src/store/lock.ts';
import { openSessionFolder } from '../../src/store/session-folder.ts';
import foreignSession from '../fixtures/foreign-session.json' with { type: 'json' };
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { preparedRig } from '../helpers/test-rig.ts';

const task = 'Add a 日本語 greeting to greet.ts';
const Listed = z.array(
  z.object({
    id: z.string(),
    state: z.looseObject({ status: z.string(), artifacts: z.array(z.string()) }).nullable(),
    unreadable: z.string().nullable(),
  }),
);

let rig: Rig;
let id: string;
beforeEach(async () => {
  rig = await preparedRig('greeting', async (made) => {
    made.write('greet.ts', 'export const greet = (name: string) => `Hello ${name}`;\n');
    await made.git('init', '-q');
    await made.git('add', '.');
    await made.git('commit', '-qm', 'Add greet');
    await made.conclave('plan', '-y', '--tools', 'local', task);
  });
  id = rig.session().split('/').at(-1) ?? '';
});

const listed = async () =>
  Listed.parse(JSON.parse((await rig.conclave('sessions', '--json')).stdout));

test('a session that ended before its task was saved is never the latest', async () => {
  mkdirSync(join(rig.repo, '.workflow/.multi-cli-plan/MCP-nothing-2099-01-01-aaaa'));
  expect((await rig.conclave('sessions', 'show', '--json')).stdout).toContain(`"${id}"`);
  expect((await rig.conclave('validate')).stdout).toContain(id);
  const { code, stderr } = await rig.conclave('resume', '-y');
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unfinished'),
  });
});

test('each command takes the session that fits it, not the latest', async () => {
  await rig.conclave('sessions', 'fork', id);
  expect((await rig.conclave('sessions', 'show')).stdout).not.toContain(`Session   ${id}`);
  expect((await rig.conclave('validate')).stdout).toContain(id);
  expect((await rig.conclave('sessions', 'export')).stdout).toContain(id);
  expect((await rig.conclave('execute', '--dry-run')).stdout).toContain(`Session:    ${id}`);
  expect((await rig.conclave('pr', '--dry-run')).stderr).toContain('has a result to publish');
});

describe('sessions list', () => {
  test('shows each session in a row', short, async () => {
    const { stdout } = await rig.conclave('sessions');
    const [head = '', row = '', ...more] = stdout.split('\n');
    expect(head).toMatch(/^SESSION +STATE +STARTED +CHANGED +COST +TASK$/);
    expect(row).toMatch(
      new RegExp(`^${id.slice(-4)} +approved +\\d+ \\w+ +\\d+ \\w+ +- +${task}$`),
    );
    expect(more).toEqual(['']);
  });

  test('says of what a session is a fork, and where it was interrupted', async () => {
    const forked = await rig.conclave('sessions', 'fork', id.slice(-4), '--json');
    const { session } = z.object({ session: z.string() }).parse(JSON.parse(forked.stdout));
    const { stdout } = await rig.conclave('sessions');
    const row = stdout.split('\n').find((line) => line.startsWith(session.slice(-4)));
    expect(row).toContain(`interrupted after round 1, fork of ${id.slice(-4)}`);
  });

  test('says what became of each session in plain words', async () => {
    const file = join(rig.session(), 'session-state.json');
    const saved = z.looseObject({}).parse(JSON.parse(readFileSync(file, 'utf8')));
    const artifacts = ['plan.json', 'approval.json', 'execution-result.json'];
    for (const [part, text] of [
      [{}, 'approved'],
      [{ artifacts }, 'executed'],
      [{ artifacts, applied: 'merged into main' }, 'applied'],
      [{ plan_rejected: { why: '', by: 'user' } }, 'rejected'],
      [{ status: 'waiting', phase: 'plan-review', is_draft: true }, 'draft, waiting for you'],
      [{ status: 'waiting', phase: 'plan-review', is_draft: false }, 'waiting for you: review'],
      [{ status: 'interrupted', phase: 'discussion', open_round: 2 }, 'interrupted in round 2'],
    ] as const) {
      writeFileSync(file, JSON.stringify({ ...saved, ...part }));
      expect((await rig.conclave('sessions', 'show')).stdout).toContain(`State     ${text}\n`);
    }
  });

  test('tells its times by the clock of the machine', async () => {
    Object.assign(rig.environment, { TZ: 'Asia/Tokyo' });
    const file = join(rig.session(), 'session-state.json');
    const saved = z.looseObject({}).parse(JSON.parse(readFileSync(file, 'utf8')));
    const at = { created_at: '2026-03-01T20:05:59.123Z', updated_at: '2026-03-02T01:00:00.000Z' };
    writeFileSync(file, JSON.stringify({ ...saved, ...at }));
    const { stdout } = await rig.conclave('sessions', 'show');
    expect(stdout).toMatch(/^Started {3}2026-03-02 05:05 \(\d+ d ago\)$/m);
    expect(stdout).toMatch(/^Changed {3}2026-03-02 10:00 \(\d+ d ago\)$/m);
  });

  test('derives the state again where it is missing, damaged or older than the journal', async () => {
    const file = join(rig.session(), 'session-state.json');
    const [before] = await listed();
    const stale = readFileSync(file, 'utf8')
      .replace(/"journal_bytes": \d+/, '"journal_bytes": 1')
      .replace('"status": "done"', '"status": "running"');
    for (const text of [null, '{"torn', stale]) {
      if (text === null) rmSync(file);
      else writeFileSync(file, text);
      const [after] = await listed();
      expect(after?.state).toEqual(before?.state);
    }
    expect(before?.state?.artifacts).toContain('plan.json');
  });

  test('shows a session whose process died as interrupted, a living one as it is', async () => {
    const file = join(rig.session(), 'session-state.json');
    const running = readFileSync(file, 'utf8')
      .replace('"status": "done"', '"status": "running"')
      .replace('"end": "done"', '"end": null');
    writeFileSync(file, running);
    expect((await listed())[0]?.state?.status).toBe('interrupted');
    const owner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
    writeFileSync(join(rig.session(), 'owner.json'), JSON.stringify(owner));
    expect((await listed())[0]?.state?.status).toBe('running');
  });

  test('shows a session whose journal was deleted as its state says', async () => {
    const [before] = await listed();
    rmSync(join(rig.session(), 'journal.jsonl'));
    expect(await listed()).toEqual([before]);
  });

  test('lists a session that cannot be read, with the reason', short, async () => {
    rmSync(join(rig.session(), 'session-state.json'));
    writeFileSync(join(rig.session(), 'journal.jsonl'), 'no record\nno record\n');
    const [session] = await listed();
    expect(session).toMatchObject({ id, state: null });
    expect(session?.unreadable).toContain(id);
    expect((await rig.conclave('sessions')).stdout).toContain('unreadable');
    expect(await rig.conclave('sessions', 'show')).toMatchObject({ code: 9, stdout: '' });
  });
});

test('a session that another program made can be checked, and is told apart', async () => {
  const other = 'MCP-guard-2026-01-20';
  for (const [file, content] of Object.entries(foreignSession)) {
    rig.write(join('.workflow/.multi-cli-plan', other, file), JSON.stringify(content));
  }
  const checked = await rig.conclave('validate', other, '--json');
  expect({ ...checked, stdout: JSON.parse(checked.stdout).findings }).toEqual({
    code: 0,
    stdout: [],
    stderr: '',
  });
  const { stdout } = await rig.conclave('sessions');
  expect(stdout).toMatch(new RegExp(`^${other} +other +not made by Conclave$`, 'm'));
  for (const words of [
    ['resume', other, '-y'],
    ['review', other],
    ['sessions', 'show', other],
  ]) {
    const { code, stderr } = await rig.conclave(...words);
    expect({ code, stderr }).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('not made by Conclave'),
    });
  }
  expect((await rig.conclave('sessions', 'show', '--json')).stdout).toContain(`"${id}"`);
});

describe('sessions show', () => {
  test('shows facts, rounds and files of the latest session, or one document', short, async () => {
    const { code, stdout } = await rig.conclave('sessions', 'show');
    expect(code).toBe(0);
    expect(stdout).toContain(
      `Session   ${id}\nTask      ${task}\nState     approved\nRounds    1 of at most 3\n`,
    );
    expect(stdout).toMatch(/\nROUND +SOLUTIONS +SCORE +ANSWERED +DID NOT ANSWER\n1 /);
    expect(stdout).toContain('\nFiles:\n');
    expect(stdout).toContain('\n  .task/TASK-001.json\n');
    const json = await rig.conclave('sessions', 'show', id, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      session_id: id,
      folder: `.workflow/.multi-cli-plan/${id}`,
      rounds: [{ round: 1 }],
    });
  });
});

describe('a part of an id', () => {
  test('is enough where no other id has it, for each command', async () => {
    const part = id.slice(-4);
    const shown = await rig.conclave('sessions', 'show', part.toUpperCase(), '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ session_id: id });
    expect((await rig.conclave('validate', part)).stdout).toContain(id);
    expect((await rig.conclave('report', part)).stdout).toContain(id);
    expect((await rig.conclave('review', part)).stdout).toContain(`Session:  ${id}`);
    const removed = await rig.conclave('sessions', 'rm', '-y', part, id);
    expect(removed).toMatchObject({ code: 0, stdout: `Removed ${id}.\n` });
  });

  test('is refused where it is too short, or fits several', async () => {
    const refused = await rig.conclave('sessions', 'show', id.slice(-3));
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('at least 4') });
    await rig.conclave('sessions', 'fork', id);
    const both = await rig.conclave('sessions', 'show', 'MCP-add');
    expect(both.code).toBe(2);
    expect(both.stderr).toContain('"MCP-add" fits several sessions: ');
    expect(both.stderr).toContain(id);
  });
});

describe('sessions rm', () => {
  test('removes nothing unless it may, all are known, and no other process has one', async () => {
    const asked = await rig.conclave('sessions', 'rm', id.slice(-4));
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('give whole ids') });
    expect(asked.stderr).toContain(task);
    expect((await rig.conclave('sessions', 'rm', '-y', id, 'nope')).code).toBe(2);
    const lock = await lockSession(await openSessionFolder(rig.repo, id));
    try {
      const { code, stderr } = await rig.conclave('sessions', 'rm', '-y', id);
      expect({ code, stderr }).toMatchObject({
        code: 5,
        stderr: expect.stringContaining(`in use by process ${process.pid}`),
      });
    } finally {
      await lock.release();
    }
    expect(existsSync(join(rig.session(), 'plan.json'))).toBe(true);
  });

  test('removes the folder of a whole id, where nobody can be asked', short, async () => {
    const folder = rig.session();
    expect(await rig.conclave('sessions', 'rm', id)).toMatchObject({
      code: 0,
      stdout: `Removed ${id}.\n`,
      stderr: '',
    });
    expect(existsSync(folder)).toBe(false);
    expect((await rig.conclave('sessions')).stdout).toBe('There are no saved sessions here.\n');
  });
});

describe('validate', () => {
  test('finds nothing in what was planned, by id, by folder and by default', async () => {
    for (const target of [[], [id], [`.workflow/.multi-cli-plan/${id}`]]) {
      const { code, stdout } = await rig.conclave('validate', ...target);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `No problem found in ${rig.session()}.\n`,
      });
    }
  });

  test('names file and place of what blocks, and ends with 6', short, async () => {
    const file = join(rig.session(), '.task/TASK-001.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"title":', '"titel":'));
    const { code, stdout } = await rig.conclave('validate');
    expect(code).toBe(6);
    expect(stdout).toMatch(/^SEVERITY +FILE +AT +RULE +FINDING\n/);
    expect(stdout).toMatch(/\nblocking +\.task\/TASK-001\.json /);
    const json = await rig.conclave('validate', '--json');
    expect(json.code).toBe(6);
    expect(JSON.parse(json.stdout)).toMatchObject({ valid: false, folder: rig.session() });
  });
});

describe('report', () => {
  test(
    'writes one page into the folder of the session, or where it is told to',
    short,
    async () => {
      const file = join(rig.session(), 'report.html');
      expect(await rig.conclave('report')).toEqual({ code: 0, stdout: `${file}\n`, stderr: '' });
      const page = readFileSync(file, 'utf8');
      expect(page).toContain(`<h1>${task}</h1>`);
      expect(page).toContain('<summary id="TASK-001"');
      expect(page).toContain('The plan has not been carried out.');
      const { stdout } = await rig.conclave('report', id, '--json');
      expect(JSON.parse(stdout)).toEqual({ session: id, file });
    },
  );

  test('leaves out what cannot be read', async () => {
    writeFileSync(join(rig.session(), 'plan.json'), '{"task_ids": ["../../x"]');
    rmSync(join(rig.session(), 'rounds'), { recursive: true });
    expect((await rig.conclave('report')).code).toBe(0);
    const page = readFileSync(join(rig.session(), 'report.html'), 'utf8');
    expect(page).toContain('No round of the discussion was finished. There is no plan.');
    expect(await rig.conclave('report', 'MCP-nothing')).toMatchObject({ code: 2, stdout: '' });
  });
});
