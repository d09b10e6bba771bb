// Says what the user's notify command is told, and that one that hangs or fails blocks nothing.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { reachUser } from '../../src/app/reach-user.ts';
import { leavesIn } from '../../src/app/settings/checked-leaves.ts';
import { openWorkplace } from '../../src/app/workplace.ts';
import { choiceField, choiceOf, type Form } from '../../src/model/form.ts';
import { until } from '../agents/agent-room.ts';

const session = 'MCP-a-2026-11-27-abcd';
const secret = `sk-ant-api03-${'a1B2'.repeat(24)}`;
let home: string;
let told: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'conclave-reach-'));
  told = [];
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const heardFile = () => join(home, 'heard');
const keeping = () =>
  `require('node:fs').appendFileSync(${JSON.stringify(heardFile())}, require('node:fs').readFileSync(0, 'utf8') + '\\n')`;
const heard = () =>
  existsSync(heardFile())
    ? readFileSync(heardFile(), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => z.looseObject({}).parse(JSON.parse(line)))
    : [];

const tell = (text: string) => void told.push(text);

async function reach(script: string, more = {}, notifyMs = 10_000) {
  const environment = { HOME: home, XDG_DATA_HOME: join(home, 'data'), PATH: process.env['PATH'] };
  const flags = leavesIn({ notify: { command: [process.execPath, '-e', script], ...more } }, [], {
    name: 'test',
    base: { folder: home, home },
    stop: (path, demand) => new Error(`${path.join('.')} ${demand}`),
  });
  const workplace = await openWorkplace({ cwd: home, environment, flags });
  return reachUser({ ...workplace, session, tell, notifyMs });
}

const form: Form = {
  kind: 'decide',
  name: 'Option',
  asks: `Which option, with the key ${secret}?`,
  lines: ['const code = 1;'],
  fields: [choiceField('Option', [choiceOf('1', 'One', { does: 'as a model worded it' })])],
  skip: null,
};

describe('the notify command', () => {
  test('is told the question and its choices by name, without secrets, code or words of models', async () => {
    const stop = new AbortController();
    const { ask } = await reach(keeping());
    const answer = ask({ form, answer: () => null }, { signal: stop.signal });
    await until('it is told', () => heard().length === 1);
    stop.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(heard()).toEqual([
      {
        event: 'question',
        session,
        id: expect.stringMatching(/^[0-9a-f]{8}$/),
        question: expect.stringMatching(/^Option: Which option, with the key [^a]/),
        choices: [{ value: '1' }],
      },
    ]);
    expect(readFileSync(heardFile(), 'utf8')).not.toContain(secret);
  });

  test('is told all of it where detail is set', async () => {
    const stop = new AbortController();
    const { ask } = await reach(keeping(), { detail: true });
    const answer = ask({ form, answer: () => null }, { signal: stop.signal });
    await until('it is told', () => heard().length === 1);
    stop.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(heard()[0]).toMatchObject({
      choices: [{ value: '1', means: 'as a model worded it' }],
      lines: ['const code = 1;'],
    });
  });

  test('that hangs is ended, and told of once', async () => {
    const { over } = await reach('setInterval(() => undefined, 1000)', {}, 500);
    await Promise.all([over({ message: 'Done.' }), over({ message: 'Done.' })]);
    expect(told).toEqual([
      expect.stringMatching(/^\[notify\] command failed, and is not told of again: /),
    ]);
  });

  test('that is missing or fails is told of once', async () => {
    const { over } = await reach('process.exit(3)');
    await over({ message: 'Done.' });
    await over({ message: 'Done.' });
    expect(told).toEqual(['[notify] command failed, and is not told of again: it ended with 3']);
  });
});
