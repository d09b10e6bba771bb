import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProgram } from '../../../src/agents/process/find-program.ts';
import { agentRoom, type AgentRoom } from '../agent-room.ts';

let room: AgentRoom;
let program = '';
beforeEach(() => {
  room = agentRoom();
  mkdirSync(join(room.folder, 'bin'));
  mkdirSync(join(room.folder, 'folder/tool'), { recursive: true });
  program = join(room.folder, 'bin/tool');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  writeFileSync(join(room.folder, 'tool'), 'not executable', { mode: 0o644 });
});
afterEach(() => room.remove());

test('the first executable file on the search path is found', () => {
  const folders = [
    join(room.folder, 'nowhere'),
    join(room.folder, 'folder'),
    room.folder,
    join(room.folder, 'bin'),
  ];
  expect(findProgram('tool', folders.join(':'))).toBe(program);
});

test('what is not there, is no file or may not be executed is not found', () => {
  expect(findProgram('tool', room.folder)).toBe(null);
  expect(findProgram('tool', join(room.folder, 'folder'))).toBe(null);
  expect(findProgram('tool', join(program, 'below-a-file'))).toBe(null);
  expect(findProgram('tool', undefined)).toBe(null);
  expect(findProgram(join(room.folder, 'tool'), '')).toBe(null);
});

test('an absolute path is taken as it is, a relative one never', () => {
  expect(findProgram(program, '')).toBe(program);
  expect(findProgram(`./${relative(process.cwd(), program)}`, '')).toBe(null);
  expect(findProgram(relative(process.cwd(), program), '/')).toBe(null);
});

test('no relative or empty entry of the search path counts', () => {
  expect(findProgram('tool', `:.:${relative(process.cwd(), join(room.folder, 'bin'))}:`)).toBe(
    null,
  );
});
