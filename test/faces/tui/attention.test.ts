import { describe, expect, test } from 'vitest';
import { callAttention } from '../../../src/faces/tui/attention.ts';
import { type Stage, startingState, withStage } from '../../../src/faces/tui/screen-state.ts';
import { createStore } from '../../../src/faces/tui/store.ts';

const run: Stage = { kind: 'run' };
const end: Stage = { kind: 'end', answer: () => undefined };
const asked: Stage = {
  kind: 'clarify',
  question: { round: 1, questions: [], backgrounds: [], goesOn: true },
  answer: () => undefined,
};

/** What was written while a session asked, went on and ended, each part by itself. */
async function written({ task = 'Add a flag', isWanted = true }): Promise<readonly string[]> {
  const start = startingState(run, 0);
  const store = createStore({ ...start, progress: { ...start.progress, task } });
  const parts: string[] = [];
  let part = '';
  const next = () => {
    parts.push(part);
    part = '';
  };
  const out = { write: (text: string) => (part += text) };
  const wanted = Promise.resolve(isWanted);
  const giveBack = callAttention({ store, out, wanted });
  await wanted;
  next();
  for (const stage of [asked, run, end]) {
    store.change((state) => withStage(state, stage));
    store.change((state) => ({ ...state, now: state.now + 1 }));
    next();
  }
  giveBack();
  next();
  return parts;
}

describe('a person is called', () => {
  test('once when an answer is needed and once at the end, and the title is given back', async () => {
    expect(await written({})).toEqual([
      '\u001b[22;2t\u001b]2;conclave: Add a flag\u0007',
      '\u001b]2;conclave: needs your answer – Add a flag\u0007' +
        '\u0007\u001b]9;conclave: needs your answer – Add a flag\u0007',
      '\u001b]2;conclave: Add a flag\u0007',
      '\u001b]2;conclave: ended – Add a flag\u0007\u0007\u001b]9;conclave: ended – Add a flag\u0007',
      '\u001b]2;\u0007\u001b[23;2t',
    ]);
  });

  test('by a clean and short title, whatever the task holds', async () => {
    const [, call = ''] = await written({
      task: `a\u0007b\u001b]0;x\u001b\\\u009c\n${'c'.repeat(999)}`,
    });
    const title = `conclave: needs your answer – ab ${'c'.repeat(76)}…`;
    expect(call).toBe(`\u001b]2;${title}\u0007\u0007\u001b]9;${title}\u0007`);
  });

  test.each([
    ['the setting is off', { isWanted: false }],
    ['there is no task yet', { task: '' }],
  ])('never where %s', async (_, given) => {
    expect((await written(given)).join('')).toBe('');
  });
});
