import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sessionFlags } from '../../src/commands/flags.ts';
import { workingFolder } from '../../src/app/folders.ts';

test('without a flag everything is off or not given', async () => {
  expect(await sessionFlags({})).toEqual({
    settings: [],
    constraint: [],
    cwd: process.cwd(),
  });
});

test('words become values of the domain', async () => {
  const { settings, ...flags } = await sessionFlags({
    autoYes: true,
    json: true,
    tools: 'a, b',
    mode: 'serial',
    maxRounds: '20',
    taskFile: '-',
    constraint: [' one ', 'two'],
    feedback: 'yes',
    solution: '2',
    model: ['a=x', 'b=vendor/y', 'c='],
    timeout: '0.5',
    cwd: '/',
  });
  expect(flags).toEqual({
    taskFile: '-',
    constraint: ['one', 'two'],
    feedback: 'yes',
    solution: 2,
    cwd: '/',
  });
  expect(settings.map(({ key, value, source }) => [key, value, source.name])).toEqual([
    ['workflow.auto_yes', true, '--auto-yes'],
    ['workflow.tools', ['a', 'b'], '--tools'],
    ['workflow.mode', 'serial', '--mode'],
    ['workflow.max_rounds', 20, '--max-rounds'],
    ['workflow.constraints', ['one', 'two'], '--constraint'],
    ['workflow.timeout', 0.5, '--timeout'],
    ['agents.a.model', 'x', '--model'],
    ['agents.b.model', 'vendor/y', '--model'],
  ]);
});

describe('--execution and --review take a word that says how, or the name of any agent', () => {
  test.each([
    ['agent', 'Agent'],
    ['codex', 'Codex'],
    ['auto', 'Auto'],
    ['mine', 'mine'],
  ])('execution %s', async (word, value) => {
    expect((await sessionFlags({ execution: word })).execution).toBe(value);
  });
  test.each([
    ['skip', 'Skip'],
    ['gemini', 'Gemini Review'],
    ['codex', 'Codex Review'],
    ['agent', 'Agent Review'],
    ['mine', 'mine Review'],
  ])('review %s', async (word, value) => {
    expect((await sessionFlags({ review: word })).review).toBe(value);
  });
});

describe('a bad value is one sentence that names its flag', () => {
  test.each([
    [{ maxRounds: '0' }, '--max-rounds must be at least 1, not 0.'],
    [{ maxRounds: '1e1' }, '--max-rounds must be an integer, not "1e1".'],
    [{ maxRounds: '' }, '--max-rounds needs a value.'],
    [{ solution: '0' }, '--solution takes a whole number from 1 to 1000, not "0".'],
    [{ timeout: 'Infinity' }, '--timeout must be a number, not "Infinity".'],
    [{ review: ' ' }, '--review needs a value.'],
    [{ tools: '' }, '--tools needs a value.'],
    [{ tools: ',' }, '--tools must not be empty.'],
    [{ constraint: ['ok', ' '] }, '--constraint needs a value.'],
    [{ feedback: '' }, '--feedback needs a value.'],
    [{ model: ['codex'] }, '--model takes AGENT=NAME, not "codex".'],
    [
      { model: ['a=-x'] },
      '--model must be made of letters, digits and . _ / : @ [ ] - and not start with -; it is "-x".',
    ],
    [{ model: ['=x'] }, '--model takes AGENT=NAME, not "=x".'],
    [{ cwd: '/nowhere/at/all' }, '-C: /nowhere/at/all is not a folder.'],
  ])('%j', async (values, message) => {
    await expect(sessionFlags(values)).rejects.toMatchObject({
      failure: { reason: 'usage', message },
    });
  });
});

test('-C must be a folder, and becomes absolute', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-'));
  try {
    expect(await workingFolder(folder)).toBe(folder);
    expect(await workingFolder(undefined)).toBe(process.cwd());
    writeFileSync(join(folder, 'file'), '');
    await expect(workingFolder(join(folder, 'file'))).rejects.toThrow('is not a folder');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
