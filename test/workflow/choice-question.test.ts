import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { answersFrom, nothingGiven } from '../../src/app/flag-answers.ts';
import { linesView } from '../../src/faces/lines/lines-view.ts';
import { programFace } from '../../src/faces/program-face.ts';
import { answersOf as libraryAnswers } from '../../src/library/library-answers.ts';
import { sessionWork } from '../../src/mcp/run-job.ts';
import { Event } from '../../src/model/event.ts';
import { answersOr, type ChoiceQuestion } from '../../src/workflow/view-port.ts';

const { signal } = new AbortController();

/** No face knows this question: all that they show is here. */
const toyQuestion: ChoiceQuestion = {
  session: 'MCP-json',
  name: 'Toy',
  asks: 'Which toy should the plan bring?',
  lines: ['There is one toy for each task.'],
  choices: [
    { word: 'ball', name: 'Ball', means: 'it rolls', does: 'bring the ball' },
    { word: 'kite', name: 'Kite', means: 'it flies', does: 'bring the kite' },
  ],
  usual: { word: 'none', name: 'None', means: 'nothing is brought', does: 'go on without' },
};

/** The answer of plain lines to what was typed, with all that they wrote. */
async function typed(line: string, question = toyQuestion) {
  let told = '';
  const write = (text: string) => (told += text);
  const view = linesView(
    { write },
    { ask: (prompt) => Promise.resolve(write(`${prompt}\n`)).then(() => line) },
  );
  return { answer: await view.choose(question, signal), told };
}

const ask = (name: string) => () => Promise.reject(new Error(name));

describe('a question with a few answers', () => {
  test('is written by plain lines, and answered by a word; Enter leaves everything as it is', async () => {
    const { answer, told } = await typed('Kite');
    expect(answer).toBe('kite');
    expect(told).toBe(
      '\nThere is one toy for each task.\n' +
        'Which toy should the plan bring?\n' +
        '  none: nothing is brought\n  ball: it rolls\n  kite: it flies\n' +
        'Toy [none]: \n',
    );
    expect((await typed('')).answer).toBe('none');
  });

  test('takes what is written with an answer that asks for it', async () => {
    const choices = toyQuestion.choices.map((one) => ({ ...one, writes: 'Its colour' }));
    const { answer, told } = await typed('kite', { ...toyQuestion, choices });
    expect(answer).toBe('kite kite');
    expect(told).toContain('Its colour: \n');
  });

  test('is an event for a program, whose line answers or skips it', async () => {
    const out = new PassThrough();
    const face = programFace(out, { skip: () => undefined, interrupt: () => undefined });
    const told = async () => {
      if (out.readableLength === 0) await once(out, 'readable');
      return String(out.read());
    };
    const chosen = face.answers.choose(toyQuestion, signal);
    const event = Event.parse(JSON.parse(await told()));
    expect(event).toMatchObject({
      type: 'answer.awaited',
      id: 'choose-1',
      kind: 'choose',
      asks: 'Which toy should the plan bring?',
      lines: ['There is one toy for each task.'],
      fields: [
        {
          name: 'choice',
          choices: [
            { value: 'none', means: 'nothing is brought' },
            { value: 'ball', means: 'it rolls' },
            { value: 'kite', means: 'it flies' },
          ],
        },
      ],
    });
    face.take('{"type":"answer","id":"choose-1","values":{"choice":"boat"}}');
    expect(await told()).toContain('give one of: none, ball, kite');
    face.take('{"type":"answer","id":"choose-1","values":{"choice":"ball"}}');
    expect(await chosen).toBe('ball');
    const choices = toyQuestion.choices.map((one) => ({ ...one, writes: 'Its colour' }));
    const written = face.answers.choose({ ...toyQuestion, choices }, signal);
    const answered = (values: object) =>
      face.take(JSON.stringify({ type: 'answer', id: 'choose-2', values }));
    await told();
    answered({ choice: 'none', text: 'a red one' });
    expect(await told()).toContain('does not go with');
    answered({ choice: 'ball', text: 'a red one' });
    expect(await written).toBe('ball a red one');
    const skipped = face.answers.choose(toyQuestion, signal);
    await told();
    face.take('{"type":"skip","id":"choose-3"}');
    expect(await skipped).toBe('none');
  });

  test('is answered by the function of a program that uses the library', async () => {
    expect(await libraryAnswers(() => ({ choice: 'kite' })).choose(toyQuestion, signal)).toBe(
      'kite',
    );
    expect(await libraryAnswers(() => 'skip').choose(toyQuestion, signal)).toBe('none');
  });

  test('is left as it is by --auto-yes, which widens nothing', async () => {
    const given = { ...nothingGiven, autoYes: true };
    expect(await answersFrom(given, 'MCP-json').choose(toyQuestion, signal)).toBe('none');
  });

  test('stops a job of a host by its own words, until the host answers it', async () => {
    const request = { kind: 'decide', folder: '/', session: 'MCP-json', wait_s: 0 } as const;
    const open = answersOr(ask('any'), { choose: ({ asks }) => ask(asks)() });
    const choose = async (...answers: string[]) => {
      const given = { ...request, solution: null, feedback: null, answers };
      const answered = sessionWork(given, open).answers?.('MCP-json');
      return await answered?.choose?.(toyQuestion, signal);
    };
    await expect(choose()).rejects.toThrow(toyQuestion.asks);
    expect(await choose('kite')).toBe('kite');
  });
});
