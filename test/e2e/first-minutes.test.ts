import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ended, program } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';

const root = new URL('../..', import.meta.url).pathname;

test('a task on standard input is planned', short, async () => {
  const rig = await todoRig();
  const { environment: env, repo: cwd } = rig;
  const child = spawn(process.execPath, [program, '-y', '--tools', 'local'], { cwd, env });
  child.stdin.end(`${todoTask}\n`);
  const { code, stdout } = await ended(child);
  expect(code).toBe(0);
  expect(stdout).toContain('Add a --json flag');
});

test('a pipe that stays open without a task ends in a sentence, and not never', async () => {
  const { environment: env, repo: cwd } = await todoRig();
  const child = spawn(process.execPath, [program, '-y', '--tools', 'local'], { cwd, env });
  const { code, stderr } = await ended(child);
  expect(code).toBe(2);
  expect(stderr).toContain('none came on standard input within 5 s');
});

test('a task in words leaves standard input alone', async () => {
  const { environment: env, repo: cwd } = await todoRig();
  const args = [program, 'plan', '-y', '--tools', 'local', todoTask];
  const child = spawn(process.execPath, args, { cwd, env });
  expect((await ended(child)).code).toBe(0);
});

test('npm says nothing of the Node that an installation runs with', async () => {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'loglevel'], { cwd: root });
  expect(stdout.trim()).toBe('error');
});
