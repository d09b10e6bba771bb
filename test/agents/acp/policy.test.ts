import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { answerPermission } from '../../../src/agents/acp/policy.ts';
import { agentRoom } from '../agent-room.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'policy-')));
mkdirSync(join(cwd, 'src'));
const room = agentRoom();
afterAll(() => {
  room.remove();
  rmSync(cwd, { recursive: true });
});

function isAllowed(call: Record<string, unknown>, permission: 'read-only' | 'edit'): boolean {
  const request = room.request({ permission, cwd, extraDirs: [], hidden: [] });
  const choices = [
    { optionId: 'yes', kind: 'allow_once' },
    { optionId: 'no', kind: 'reject_once' },
  ];
  return answerPermission(request, call, choices).isAllowed;
}

const locations = [{ path: 'src/a.js' }];
const reads = (path: string) => ({ kind: 'read', locations: [{ path }] });

test.each([
  ['a command below another field', { rawInput: { arguments: { command: 'id' } } }],
  ['a command as JSON text', { rawInput: '{"command":"id"}' }],
  ['a bare text', { rawInput: 'rm -rf .' }],
  ['a bare list', { rawInput: ['rm', '-rf', '.'] }],
  ['a command under a longer name', { rawInput: { shell_command: 'id' } }],
  ['its words in a list', { rawInput: { argv: ['id'] } }],
  ['a terminal', { content: [{ type: 'terminal', terminalId: 't' }] }],
  ['a change', { content: [{ type: 'diff', path: 'src/a.js', newText: 'x' }] }],
  ['a text to be written', { rawInput: { path: 'src/a.js', content: 'x' } }],
  ['an address', { rawInput: { path: 'src/a.js', url: 'https://example.invalid/?all' } }],
  ['a place in a list of its own', { locations: [...locations, { uri: '/etc/passwd' }] }],
])('a call that is called a read is not allowed with %s', (_, shown) => {
  expect(isAllowed({ kind: 'read', locations }, 'read-only')).toBe(true);
  expect(isAllowed({ kind: 'read', locations, ...shown }, 'read-only')).toBe(false);
});

test.each([
  'https://example.invalid/',
  'FILE:///etc/passwd',
  'file:/etc/passwd',
  'file://localhost/etc/passwd',
  'src/%2e%2e/a file',
  '$HOME/x',
  '{..,src}/x',
  '{/etc,src}/passwd',
  String.raw`..\x`,
])('nothing is read at %s', (path) => {
  const place = path.startsWith('src/%') ? `file://${cwd}/${path}` : path;
  expect(isAllowed(reads(place), 'read-only')).toBe(false);
});

test.each([`file://${cwd}/src/a.js`, 'src/**/*.{js,ts}', 'src/a..b.js', 'src/[id]/(x)/a.js'])(
  'the place %s is in the folder',
  (path) => {
    expect(isAllowed(reads(path), 'read-only')).toBe(true);
  },
);

test.each([
  ['move', { from: 'src/a.js', to: '/etc/a.js' }],
  ['move', { newName: '../a.js' }],
  ['edit', { changes: { '/etc/passwd': { type: 'add' } } }],
  ['edit', { input: '*** Begin Patch\n*** Add File: /etc/x\n+x\n*** End Patch' }],
  ['edit', { patch: '--- a/src/a.js\n+++ b/../x\n@@ -1 +1 @@' }],
  ['delete', { patch: '--- /etc/x\n+++ /dev/null\n@@ -1 +0,0 @@' }],
])(
  'a change with a place outside of the folder in its input is refused: %s %o',
  (kind, rawInput) => {
    expect(isAllowed({ kind, locations, rawInput }, 'edit')).toBe(false);
  },
);

test.each([
  ['changes', '--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1 @@'],
  ['adds', `--- a/dev/null\n+++ b${cwd}/src/b.js\n@@ -1,0 +1 @@`],
  ['deletes', '--- a/src/a.js\n+++ /dev/null\n@@ -1 +0,0 @@'],
])('a patch that %s a file of the folder is allowed', (_, diff) => {
  expect(isAllowed({ kind: 'edit', locations, rawInput: { diff } }, 'edit')).toBe(true);
});

test('what a change puts into a file is no place', () => {
  const rawInput = { path: 'src/a.js', old_string: '/dist', new_string: '~ ../x $y' };
  expect(isAllowed({ kind: 'edit', locations, rawInput }, 'edit')).toBe(true);
});
