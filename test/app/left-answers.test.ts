// Says which answers from another terminal count, and why the others do not.
import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { leaveAnswer, openQuestion } from '../../src/app/left-answers.ts';
import { reachUser } from '../../src/app/reach-user.ts';
import { openWorkplace } from '../../src/app/workplace.ts';
import { choiceField, choiceOf, type Form, type FormQuestion } from '../../src/model/form.ts';
import { digestOf } from '../../src/store/digest.ts';
import { until } from '../agents/agent-room.ts';

const session = 'MCP-a-2026-11-27-abcd';
let home: string;
let stop: AbortController;
let told: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'conclave-left-'));
  stop = new AbortController();
  told = [];
});
afterEach(() => {
  stop.abort();
  rmSync(home, { recursive: true, force: true });
});

const place = () => ({
  session,
  environment: { HOME: home, XDG_DATA_HOME: join(home, 'data'), PATH: process.env['PATH'] },
});
const folder = () => join(home, 'data/conclave/answers', session);

/** Leaves an answer without the command. */
function leaveFile(answer: object): void {
  writeFileSync(join(folder(), 'by-hand'), JSON.stringify(answer));
  renameSync(join(folder(), 'by-hand'), join(folder(), 'answer.json'));
}

function question(kind: Form['kind'], line = 'The plan'): FormQuestion<string> {
  const choices = ['approve', 'reject'].map((word) => choiceOf(word, word, { does: word }));
  const fields = [choiceField('Plan', choices)];
  const form = { kind, name: 'Plan', asks: 'Approve?', lines: [line], fields, skip: null };
  return { form, answer: ({ text }) => text('choice') };
}

const heard = (text: string) => void told.push(text);

/** Puts a question. */
async function asked(one: FormQuestion<string>) {
  const workplace = await openWorkplace({ cwd: home, environment: place().environment, flags: [] });
  const answer = reachUser({ ...workplace, session, tell: heard }).ask(one, {
    signal: stop.signal,
  });
  answer.catch(() => undefined);
  return { answer };
}

async function offered() {
  await until('it is offered', () => existsSync(join(folder(), 'question.json')));
  const open = await openQuestion(place());
  if (open === null) throw new Error('no question is open');
  return open;
}

describe('an answer from another terminal', () => {
  test('is taken from a folder that only the user can read', async () => {
    const { answer } = await asked(question('approve'));
    const { id } = await offered();
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(await leaveAnswer(id, { choice: 'approve' }, place())).toBeNull();
    expect(await answer).toBe('approve');
    expect(await openQuestion(place())).toBeNull();
  });

  test('to an older question, or to what has changed since, is refused', async () => {
    await asked(question('approve'));
    const { id } = await offered();
    const late = digestOf(question('approve', 'The plan of before').form);
    expect(late).not.toBe(id);
    const why = 'it is for an earlier question, or what is shown with it has changed since.';
    expect(await leaveAnswer(late, { choice: 'approve' }, place())).toBe(why);
    await until('it is told', () => told.length > 0);
    expect(told).toEqual([`An answer that was left in another terminal does not count: ${why}`]);
  });

  test('without the id of a question is refused', async () => {
    await asked(question('approve'));
    await offered();
    leaveFile({ values: { choice: 'approve' }, seal: '0'.repeat(64) });
    await until('it is told', () => told.length === 1);
    expect(told[0]).toContain('it is not in the form of an answer');
  });

  test('with another seal is refused', async () => {
    await asked(question('approve'));
    const { id } = await offered();
    const forged = { id, values: { choice: 'approve' }, seal: '0'.repeat(64) };
    leaveFile(forged);
    await until('it is told', () => told.length === 1);
    expect(told[0]).toContain('it does not have your seal');
  });

  test('is read like any other: what the form does not offer is refused', async () => {
    await asked(question('approve'));
    const { id } = await offered();
    expect(await leaveAnswer(id, { choice: 'merge' }, place())).toContain('approve');
  });

  test('counts once where two are left at the same moment', async () => {
    const { answer } = await asked(question('decide'));
    const { id } = await offered();
    const both = await Promise.allSettled(
      ['approve', 'reject'].map((choice) => leaveAnswer(id, { choice }, place())),
    );
    const taken = both.filter((one) => one.status === 'fulfilled' && one.value === null);
    expect(taken).toHaveLength(1);
    const refused = JSON.stringify(
      both.map((one) => (one.status === 'rejected' ? String(one.reason) : one.value)),
    );
    expect(refused).toMatch(
      /Another answer to this question is being read|does not wait for it any more/,
    );
    expect(await answer).toBe(
      both[0]?.status === 'fulfilled' && both[0].value === null ? 'approve' : 'reject',
    );
  });

  test.each(['choose', 'execute'] as const)(
    'is never taken for what needs a consent (%s), which is not offered',
    async (kind) => {
      await asked(question(kind));
      expect(await openQuestion(place())).toBeNull();
      expect(existsSync(folder())).toBe(false);
    },
  );
});
