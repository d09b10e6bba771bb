import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planFlags, resumeFlags } from '../../src/commands/flags.ts';
import { workingFolder } from '../../src/commands/working-folder.ts';
import { CodeReviewTool, ExecutionMethod } from '../../src/model/decision.ts';

test('without a flag everything is off or not given', async () => {
  expect(await planFlags({})).toEqual({
    autoYes: false,
    json: false,
    constraint: [],
    requireConvergence: false,
    screenReader: false,
    model: {},
    cwd: process.cwd(),
  });
});

test('words become values of the domain', async () => {
  const flags = await planFlags({
    autoYes: true,
    json: true,
    tools: 'a, b,a',
    mode: 'serial',
    maxRounds: '20',
    taskFile: '-',
    constraint: [' one ', 'two'],
    feedback: 'yes',
    solution: '2',
    model: ['a=x', 'b=vendor/y=z', 'c='],
    timeout: '0.5',
    cwd: '/',
  });
  expect(flags).toMatchObject({
    tools: ['a', 'b'],
    mode: 'serial',
    maxRounds: 20,
    taskFile: '-',
    constraint: ['one', 'two'],
    feedback: 'yes',
    solution: 2,
    model: { a: 'x', b: 'vendor/y=z', c: '' },
    timeout: 0.5,
    cwd: '/',
  });
});

describe('--execution and --review take the first word of each choice', () => {
  test.each(ExecutionMethod.options)('execution %s', async (value) => {
    expect((await planFlags({ execution: value.toLowerCase() })).execution).toBe(value);
  });
  test.each(CodeReviewTool.options)('review %s', async (value) => {
    const word = value.split(' ')[0]?.toLowerCase();
    expect((await resumeFlags({ review: word })).review).toBe(value);
  });
});

describe('a bad value is one sentence that names its flag', () => {
  test.each([
    [{ maxRounds: '0' }, '--max-rounds takes a whole number from 1 to 20, not "0".'],
    [{ maxRounds: '21' }, '--max-rounds takes a whole number from 1 to 20, not "21".'],
    [{ maxRounds: '1e1' }, '--max-rounds takes a whole number from 1 to 20, not "1e1".'],
    [{ maxRounds: '' }, '--max-rounds takes a whole number from 1 to 20, not "".'],
    [{ solution: '0' }, '--solution takes a whole number from 1 to 1000, not "0".'],
    [{ solution: '1.5' }, '--solution takes a whole number from 1 to 1000, not "1.5".'],
    [{ timeout: '0' }, '--timeout takes seconds, more than 0 and at most 86400, not "0".'],
    [{ timeout: '-1' }, '--timeout takes seconds, more than 0 and at most 86400, not "-1".'],
    [
      { timeout: 'Infinity' },
      '--timeout takes seconds, more than 0 and at most 86400, not "Infinity".',
    ],
    [{ mode: 'both' }, '--mode takes one of parallel, serial, not "both".'],
    [{ review: 'Skip' }, '--review takes one of skip, gemini, codex, agent, not "Skip".'],
    [{ tools: 'a,,b' }, '--tools takes names with commas between them, e.g. --tools a,b.'],
    [{ tools: '' }, '--tools takes names with commas between them, e.g. --tools a,b.'],
    [{ constraint: ['ok', ' '] }, '--constraint takes some text, not nothing.'],
    [{ feedback: '' }, '--feedback takes some text, not nothing.'],
    [{ model: ['codex'] }, '--model takes AGENT=MODEL, not "codex".'],
    [{ model: ['=x'] }, '--model takes AGENT=MODEL, not "=x".'],
    [{ cwd: '/nowhere/at/all' }, '-C: /nowhere/at/all is not a folder.'],
  ])('%j', async (values, message) => {
    await expect(planFlags(values)).rejects.toMatchObject({
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
