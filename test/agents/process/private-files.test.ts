import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  privateFiles,
  privateFolder,
  sweepPrivateFiles,
} from '../../../src/agents/process/private-files.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'conclave-private-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const at = (path: string) => join(base, path);
const textOf = (path: string) => readFileSync(at(path), 'utf8');

describe('private files', () => {
  test('may lie in folders of their own', () => {
    privateFiles(at('run'), { 'a/b/one.txt': 'one', 'a/two.txt': 'two' });
    expect([textOf('run/a/b/one.txt'), textOf('run/a/two.txt')]).toEqual(['one', 'two']);
  });

  test('cannot be written where a file stands in the way of the folder', () => {
    writeFileSync(at('file'), '');
    expect(() => privateFiles(at('file/run'), { 'a.txt': '' })).toThrow('Cannot write');
  });
});

const linked = (kind: 'file' | 'folder', target: string) =>
  privateFiles(at('run'), { link: { linkTo: at(target), kind } });

describe('links among them', () => {
  test('lead to the file, and make it where it is missing and written', () => {
    writeFileSync(at('there'), 'mine');
    linked('file', 'there');
    expect(textOf('run/link')).toBe('mine');
    linked('file', 'missing');
    writeFileSync(at('run/link'), 'new');
    expect(textOf('missing')).toBe('new');
  });

  test('lead to the folder, which is made where it is missing', () => {
    linked('folder', 'some/folder');
    writeFileSync(at('run/link/a.txt'), 'kept');
    expect(textOf('some/folder/a.txt')).toBe('kept');
  });

  test('are left out where their folder cannot be made', () => {
    writeFileSync(at('file'), '');
    linked('folder', 'file/below');
    mkdirSync(at('run/link'));
    expect(existsSync(at('run/link'))).toBe(true);
  });

  test('are removed without what they lead to', () => {
    mkdirSync(at('folder'));
    writeFileSync(at('folder/kept'), 'mine');
    linked('folder', 'folder').remove();
    expect(existsSync(at('run'))).toBe(false);
    expect(textOf('folder/kept')).toBe('mine');
  });
});

test('what a killed run left is swept, and what its links lead to stays', async () => {
  mkdirSync(at('home'));
  writeFileSync(at('home/login.json'), 'mine');
  mkdirSync(at('session/rounds/1'), { recursive: true });
  const folder = privateFolder(at('session/rounds/1/events.jsonl'));
  privateFiles(folder, { 'a.txt': 'a', home: { linkTo: at('home'), kind: 'folder' } });
  await sweepPrivateFiles(at('session'));
  expect(existsSync(folder)).toBe(false);
  expect(textOf('home/login.json')).toBe('mine');
});
