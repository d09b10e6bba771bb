import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { diff, documentOf, list, listAnchors, section } from '../../../src/model/document.ts';
import {
  commentFate,
  commentNotes,
  keepComment,
  readComment,
  readComments,
  sendWithRetry,
  settleComments,
  unsentIn,
} from '../../../src/phases/planning/comments.ts';
import { claimSession } from '../../../src/store/session-folder.ts';

const ids = ['TASK-001', 'TASK-002'];
const documentWith = (steps: readonly string[]) =>
  documentOf('Plan', [section('#TASK-001', 'TASK-001: Print JSON', [list(steps)])]);
const document = documentWith(['Read the flag', 'Print one array']);
const anchor = 'TASK-001.print-one-array';
const told = { document, ids };

describe('a typed comment', () => {
  test.each([
    [
      'TASK-001.print-one-array=Print one per line',
      { anchor, task: 'TASK-001', quote: 'Print one array', text: 'Print one per line' },
    ],
    [
      'TASK-001=Split it',
      { anchor: 'TASK-001', task: 'TASK-001', quote: 'TASK-001: Print JSON', text: 'Split it' },
    ],
    ['TASK-002: Also test b=c', { task: 'TASK-002', text: 'Also test b=c' }],
    ['set x=1 by default', { task: null, text: 'set x=1 by default' }],
    ['TASK-001.gone=Why?', { task: null, text: 'TASK-001.gone=Why?' }],
    ['TASK-001.print-one-array=', { task: null, text: 'TASK-001.print-one-array=' }],
  ])('%s is about a line only if the plan has its anchor', (text, comment) => {
    expect(readComment(text, told)).toEqual(comment);
  });
});

async function sessionFolder() {
  const root = await mkdtemp(join(tmpdir(), 'conclave-comments-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return await claimSession({ root, task: 'Print JSON', now: new Date() });
}

const onPlan = (version: number) => ({ on: 'plan', version }) as const;
const line = readComment(`${anchor}=Print one per line`, told);
const whole = { task: null, text: 'Smaller' };

describe('comments.json', () => {
  test('has each comment at once, as it was changed last, until it is removed', async () => {
    const folder = await sessionFolder();
    await keepComment(folder, line, onPlan(1));
    await keepComment(folder, whole, onPlan(1));
    await keepComment(folder, { ...whole, id: 'C2', text: 'Much smaller' }, onPlan(1));
    expect(await readComments(folder)).toMatchObject([
      { id: 'C1', anchor, quote: 'Print one array', sent: null },
      { id: 'C2', text: 'Much smaller' },
    ]);
    await keepComment(folder, { ...line, id: 'C1', text: ' ' }, onPlan(1));
    expect(await readComments(folder)).toMatchObject([{ id: 'C2' }]);
    await keepComment(folder, line, onPlan(1));
    expect((await readComments(folder)).map(({ id }) => id)).toEqual(['C2', 'C3']);
  });

  test('remembers for which version they were sent, also those that came from a flag', async () => {
    const folder = await sessionFolder();
    await keepComment(folder, line, onPlan(1));
    await settleComments(folder, [line, whole], onPlan(2));
    const comments = await readComments(folder);
    expect(comments).toMatchObject([
      { id: 'C1', anchor, version: 1, sent: 2 },
      { id: 'C2', text: 'Smaller', version: 1, sent: 2 },
    ]);
    expect(unsentIn(comments, 'plan')).toEqual([]);
  });
});

test.each(['+import { b } from "./b/c.ts";', '+a.b(1)', '@@ -1,2 +1,3 @@ a.b/c', '+plain'])(
  'the note of a retry names the whole file of the line %s',
  async (quote) => {
    const folder = await sessionFolder();
    const changes = documentOf('Result', [
      section('diff', 'Changes', [diff('src/a.test.ts', quote)]),
    ]);
    const { anchor: on = '' } =
      listAnchors(changes.blocks).find(({ text }) => text === quote) ?? {};
    const comment = { task: 'TASK-001', anchor: on, quote, text: 'Why?' };
    await keepComment(folder, comment, { on: 'result', version: 1 });
    const { note } = await sendWithRetry(folder, { tasks: ['TASK-001'], note: '' }, 1);
    expect(note).toBe(`src/a.test.ts, on the line “${quote}”: Why?`);
  },
);

describe('what came of a comment', () => {
  const [sent] = [{ ...line, id: 'C1', on: 'plan', version: 1, sent: 2 } as const];

  test.each([
    [{ ...sent, sent: null }, document, 'not sent'],
    [sent, document, 'sent for version 2; its line is unchanged'],
    [
      sent,
      documentWith(['Read the flag', 'Print one per line']),
      'sent for version 2; its line is gone',
    ],
    [{ ...sent, sent: null }, documentWith([]), 'not sent; its line is gone'],
    // What a result tells of the plan is not all of it.
    [sent, documentOf('', [section('result', 'Result', [list(['Done'])])]), 'sent for version 2'],
    [
      { ...sent, quote: 'Print an array' },
      document,
      'sent for version 2; it says now: Print one array',
    ],
    [
      { ...whole, id: 'C2', on: 'plan', version: 1, sent: 2 } as const,
      document,
      'sent for version 2',
    ],
  ])('%j', (comment, now, fate) => {
    expect(commentFate(comment, now)).toBe(fate);
  });

  test('stands at its line, or with the words of its line where that is gone', () => {
    expect(commentNotes([sent], document).get(anchor)).toEqual([
      'Print one per line · sent for version 2; its line is unchanged',
    ]);
    expect(commentNotes([sent], documentWith([])).get('')).toEqual([
      'Print one per line (on “Print one array”) · sent for version 2; its line is gone',
    ]);
  });
});
