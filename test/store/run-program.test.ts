// How short programs are run: what they print, what ends them, and what cannot be started.
import { expect, test } from 'vitest';
import { runProgram } from '../../src/store/run-program.ts';

const run = (script: string, more: Partial<Parameters<typeof runProgram>[0]> = {}) =>
  runProgram({
    command: 'sh',
    args: ['-c', script],
    env: process.env,
    maxOutput: 1_000_000,
    signal: new AbortController().signal,
    ...more,
  });

test('a program gets its input and ends with what it printed, whatever its exit code is', async () => {
  const end = await run('cat; echo sorry >&2; exit 3', { input: 'hello' });
  expect(end).toMatchObject({ exitCode: 3, endedBy: null, fault: null });
  expect([String(end.stdout), String(end.stderr)]).toEqual(['hello', 'sorry\n']);
});

test('a program that reads none of a long input ends like any other', async () => {
  const end = await run('exec <&-; echo done', { input: 'x'.repeat(5_000_000) });
  expect(end).toMatchObject({ exitCode: 0, fault: null });
});

test('a program that prints too much is ended, and what it printed first is kept', async () => {
  const end = await run('yes', { maxOutput: 1_000 });
  expect(end.fault?.message).toBe('it printed more than 1000 bytes');
  expect(String(end.stdout)).toMatch(/^(?:y\n){500}/);
});

test('a signal ends a program although another one holds its output open', async () => {
  const stop = new AbortController();
  const ending = run('echo begun; sleep 60 & wait', {
    signal: stop.signal,
    read: async (stdout) => {
      for await (const _ of stdout) stop.abort(new Error('enough'));
    },
  });
  await expect(ending).rejects.toThrow('enough');
});

test('what cannot be started is a fault with the code of the system', async () => {
  const { fault, exitCode } = await run('', { command: 'no-such-program' });
  expect(fault).toMatchObject({ code: 'ENOENT' });
  expect(exitCode).toBeNull();
  expect(await run('echo \0')).toMatchObject({ exitCode: null, fault: expect.any(Error) });
});

test('a program that a signal ended says so', async () => {
  const end = await run('kill -KILL $$');
  expect(end).toMatchObject({ exitCode: null, endedBy: 'SIGKILL' });
  expect(end.fault?.message).toBe('sh was ended by SIGKILL');
});
