import { describe, expect, test } from 'vitest';
import { changeOf, diffOf } from '../../src/agents/adapter-parts.ts';
import { adapters } from '../../src/agents/list.ts';

const read = (name: string, line: unknown) =>
  [adapters.find((one) => one.name === name)?.read(JSON.stringify(line))].flat();
const opencode = (tool: string, state: object) => ({ type: 'tool_use', part: { tool, state } });
const aborted = 'Tool execution aborted';
const rejected = 'The user rejected permission to use this specific tool call.';
const ruled =
  'The user has specified a rule which prevents you from using this specific tool call. Here are some';

const hunk = { oldStart: 3, oldLines: 2, newStart: 3, newLines: 2, lines: [' a', '-b', '+c'] };
const copilotDiff = 'diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n';
const denied = (tool: string | null, what: string) => ({
  kind: 'approval-needed',
  tool,
  what,
  answer: 'denied',
});

describe('what no transcript holds', () => {
  test.each<readonly [string, string, unknown, readonly object[]]>([
    [
      'claude',
      'an edit',
      {
        type: 'user',
        message: {},
        tool_use_result: { filePath: '/x.ts', structuredPatch: [hunk] },
      },
      [
        {
          kind: 'file-change',
          path: '/x.ts',
          change: 'change',
          diff: '@@ -3,2 +3,2 @@\n a\n-b\n+c',
        },
      ],
    ],
    [
      'claude',
      'text and an image of a tool',
      {
        type: 'user',
        message: {
          content: [
            {
              type: 'tool_result',
              content: [{ type: 'text', text: 'found 3' }, { type: 'image' }],
            },
          ],
        },
      },
      [{ kind: 'tool-output', output: 'found 3' }],
    ],
    [
      'codex',
      'a server that failed',
      { type: 'item.completed', item: { type: 'mcp_tool_call', error: { message: 'gone' } } },
      [{ kind: 'warning', text: 'gone' }],
    ],
    [
      'codex',
      'a file that was deleted',
      {
        type: 'item.completed',
        item: {
          type: 'file_change',
          status: 'completed',
          changes: [{ path: '/x.ts', kind: 'delete' }],
        },
      },
      [{ kind: 'file-change', path: '/x.ts', change: 'delete' }],
    ],
    [
      'gemini',
      'what it would replace',
      {
        type: 'tool_use',
        tool_name: 'replace',
        parameters: { file_path: '/x.ts', old_string: 'a\nb\n', new_string: 'c' },
      },
      [
        {
          kind: 'tool-call',
          name: 'replace',
          detail: '/x.ts',
          input: '{"file_path":"/x.ts","old_string":"a\\nb\\n","new_string":"c"}',
          diff: '-a\n-b\n+c',
        },
      ],
    ],
    [
      'gemini',
      'what its policy denies',
      {
        type: 'tool_result',
        status: 'error',
        error: { type: 'policy_violation', message: 'Tool execution denied by policy.' },
      },
      [denied(null, 'Tool execution denied by policy.')],
    ],
    [
      'copilot',
      'an edit',
      {
        type: 'tool.execution_complete',
        data: {
          success: true,
          fileEdits: [{ path: '/x.ts', kind: 'edit' }],
          result: { content: 'File x.ts updated.', detailedContent: `\n${copilotDiff}` },
        },
      },
      [{ kind: 'file-change', path: '/x.ts', change: 'change', diff: '@@ -1 +1 @@\n-a\n+b\n' }],
    ],
    [
      'copilot',
      'the output of a command',
      {
        type: 'tool.execution_complete',
        data: {
          success: true,
          shellExecution: { exitCode: 0 },
          result: { content: 'ok 1\nok 2\n<shellId: 0 completed with exit code 0>' },
        },
      },
      [{ kind: 'command', command: '', exit_code: 0, output: 'ok 1\nok 2' }],
    ],
    [
      'opencode',
      'an edit',
      opencode('edit', {
        status: 'completed',
        input: { filePath: '/x.ts' },
        metadata: { diff: 'Index: /x.ts\n=====\n--- /x.ts\n+++ /x.ts\n@@ -1 +1 @@\n-a\n+b\n' },
      }),
      [{ kind: 'file-change', path: '/x.ts', change: 'change', diff: '@@ -1 +1 @@\n-a\n+b\n' }],
    ],
    [
      'opencode',
      'a patch',
      opencode('apply_patch', {
        status: 'completed',
        metadata: {
          files: [
            { filePath: '/x.ts', type: 'add', patch: '@@ -0,0 +1 @@\n+b' },
            { filePath: '/y.ts', type: 'move', movePath: '/z.ts' },
          ],
        },
      }),
      [
        { kind: 'file-change', path: '/x.ts', change: 'add', diff: '@@ -0,0 +1 @@\n+b' },
        { kind: 'file-change', path: '/y.ts' },
        { kind: 'file-change', path: '/z.ts' },
      ],
    ],
    ...[rejected, ruled].map(
      (error) =>
        [
          'opencode',
          'what its rules deny',
          opencode('read', { status: 'error', input: { filePath: '/x.ts' }, error }),
          [{ kind: 'tool-call', name: 'read', detail: '/x.ts' }, denied('read', '/x.ts')],
        ] as const,
    ),
    [
      'opencode',
      'a tool that was cancelled',
      opencode('bash', { status: 'error', input: { command: 'sleep 9' }, error: aborted }),
      [
        { kind: 'tool-call', name: 'bash', detail: 'sleep 9' },
        { kind: 'cancelled', what: 'bash sleep 9' },
      ],
    ],
  ])('%s tells %s', (name, _, line, events) => {
    expect(read(name, line)).toEqual(events);
  });
});

test('a diff begins with its first hunk, and is left out where there is none', () => {
  expect(changeOf('x', 'rename', '')).toEqual({ kind: 'file-change', path: 'x' });
  expect(changeOf('x', null, '+a\n+@@ b')).toMatchObject({ diff: '+a\n+@@ b' });
  expect(diffOf(null, '')).toBe('');
});
