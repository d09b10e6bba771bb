import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readJournal, type Journal } from '../../src/store/journal.ts';
import { foldFinishedSteps } from '../../src/store/recorded-steps.ts';
import type { StepKind } from '../../src/model/step.ts';
import type { Steps } from '../../src/store/steps-port.ts';
import { ask, failureOf, newSession, notAgain, run, say } from './room.ts';

const types = (journal: Journal) => journal.records.map((record) => record.type);

const question = (input: string) => ask('decision-1', { kind: 'question', input });

describe('a finished step', () => {
  test('gives the first run exactly what every replay will give', async () => {
    const folder = await newSession();
    const shape = z.object({ a: z.number().nullable(), b: z.string().optional() });
    const request = { ...ask('x'), shape };
    const answer = { b: undefined, a: NaN, extra: 1 };
    const first = await run(folder, (steps) => steps.run(request, () => Promise.resolve(answer)));
    const again = await run(folder, (steps) => steps.run(request, notAgain));
    expect(first.value).toStrictEqual({ a: null });
    expect(again.value).toStrictEqual(first.value);
  });

  test('whose result no longer fits stops and names the step', async () => {
    const folder = await newSession();
    await run(folder, (steps) => steps.run(ask('decision-1'), say('text')));
    await run(folder, async (steps) => {
      const request = { ...ask('decision-1'), shape: z.object({ kind: z.string() }) };
      expect(await failureOf(steps.run(request, notAgain))).toMatchObject({
        reason: 'session-unreadable',
        session: folder.id,
        message: expect.stringMatching(/^the recorded result of step "decision-1" does not fit/),
      });
    });
  });
});

async function askThenWork(
  steps: Steps,
  { input, work }: { input: string; work: () => Promise<string> },
) {
  await steps.run(question(input), say('more'));
  return await steps.run(ask('round-2/examine/codex'), work);
}

describe('an input that changed', () => {
  const kinds = ['work', 'calculation'] as const;
  test.each(kinds)('keeps the recorded result of %s and says so', async (kind) => {
    const folder = await newSession();
    await run(folder, (steps) => steps.run(ask('x', { kind, input: { a: 1, b: 2 } }), say('old')));
    const outcome = (input: unknown) =>
      run(folder, (steps) => steps.run(ask('x', { kind, input }), notAgain));
    const kept = { value: 'old', replayed: true };
    expect(await outcome({ b: 2, a: 1 })).toEqual({ ...kept, inputChanged: false });
    expect(await outcome({ a: 1, b: 3 })).toEqual({ ...kept, inputChanged: true });
  });

  test('asks a question again, and the newer answer counts', async () => {
    const folder = await newSession();
    await run(folder, (steps) => steps.run(question('one'), say('yes')));
    const asked = await run(folder, (steps) => steps.run(question('two'), say('no')));
    expect(asked).toEqual({ value: 'no', replayed: false, inputChanged: false });
    const replayed = await run(folder, (steps) => steps.run(question('two'), notAgain));
    expect(replayed).toEqual({ value: 'no', replayed: true, inputChanged: false });
    await run(folder, (_, journal) => {
      const expected = ['started', 'finished', 'voided', 'started', 'finished'];
      expect(types(journal)).toEqual(expected);
      return Promise.resolve();
    });
  });

  test('keeps what followed a question when the answer is the same', async () => {
    const folder = await newSession();
    await run(folder, (steps) => askThenWork(steps, { input: 'one', work: say('paid') }));
    const outcome = await run(folder, (steps) =>
      askThenWork(steps, { input: 'two', work: notAgain }),
    );
    expect(outcome).toMatchObject({ value: 'paid', replayed: true });
  });

  test('voids what followed a question when the answer leads elsewhere', async () => {
    const folder = await newSession();
    await run(folder, async (steps) => {
      await steps.run(ask('round-1/propose/codex'), say('kept'));
      await steps.run(question('one'), say('more'));
      await steps.run(ask('round-2/examine/codex'), say('void'));
    });
    // Dies between the new question and its answer; the next run asks once more.
    await run(folder, async (steps) => {
      await steps.run(ask('round-1/propose/codex'), notAgain);
      await expect(steps.run(question('two'), notAgain)).rejects.toThrow('run again');
    });
    await run(folder, async (steps) => {
      await steps.run(ask('round-1/propose/codex'), notAgain);
      await steps.run(question('two'), say('approve'));
      await steps.run(ask('plan/write'), say('plan'));
    });
    await run(folder, async (_, journal) => {
      const keys = [...foldFinishedSteps(journal.records).keys()].toSorted();
      expect(keys).toEqual(['decision-1', 'plan/write', 'round-1/propose/codex']);
      await Promise.resolve();
    });
  });
});

const abortThenAnswer = (kind: StepKind) => async (steps: Steps) => {
  const controller = new AbortController();
  return await steps.run(ask(kind, { kind, signal: controller.signal }), () => {
    controller.abort(new Error('Ctrl-C'));
    return Promise.resolve('late');
  });
};

describe('stopping', () => {
  test('an aborted signal starts nothing and records nothing', async () => {
    const folder = await newSession();
    const signal = AbortSignal.abort(new Error('Ctrl-C'));
    await run(folder, async (steps, journal) => {
      await expect(steps.run(ask('x', { signal }), notAgain)).rejects.toThrow('Ctrl-C');
      expect(journal.records).toEqual([]);
    });
  });

  test('an answer that comes after the abort is not recorded; work that was paid is', async () => {
    const folder = await newSession();
    await expect(run(folder, abortThenAnswer('question'))).rejects.toThrow('Ctrl-C');
    expect((await run(folder, abortThenAnswer('work'))).value).toBe('late');
    const { records } = await readJournal(folder);
    expect([...foldFinishedSteps(records).keys()]).toEqual(['work']);
  });

  test('a rejection is not recorded, and the next run makes a further attempt', async () => {
    const folder = await newSession();
    const attempts: number[] = [];
    const fail = ({ attempt }: { attempt: number }) => {
      attempts.push(attempt);
      return Promise.reject(new Error('broken'));
    };
    for (let turn = 0; turn < 3; turn += 1)
      await run(folder, (steps) => expect(steps.run(ask('x'), fail)).rejects.toThrow('broken'));
    expect(attempts).toEqual([1, 2, 3]);
    expect(await run(folder, (steps) => steps.run(ask('x'), say('x')))).toMatchObject({
      replayed: false,
    });
  });
});

describe('bugs are thrown and never recorded', () => {
  test('a key that is used twice in one run', async () => {
    const folder = await newSession();
    await run(folder, async (steps) => {
      await steps.run(ask('x'), say('x'));
      await expect(steps.run(ask('x'), say('x'))).rejects.toThrow('step "x" was run twice');
    });
    await run(await newSession(), async (steps) => {
      const both = [steps.run(ask('y'), say('y')), steps.run(ask('y'), say('y'))];
      const ends = (await Promise.allSettled(both)).map((end) => end.status);
      expect(ends).toEqual(['fulfilled', 'rejected']);
    });
  });

  test('a result that JSON or the shape does not take', async () => {
    const folder = await newSession();
    await run(folder, async (steps, journal) => {
      const nothing = { ...ask('a'), shape: z.undefined() };
      const running = steps.run(nothing, () => Promise.resolve(undefined));
      await expect(running).rejects.toThrow('step "a" returned nothing');
      const wrong = { ...ask('b'), shape: z.string().max(3) };
      await expect(steps.run(wrong, say('longer'))).rejects.toThrow(z.ZodError);
      expect(types(journal)).toEqual(['started', 'started']);
    });
  });
});

test('usage is recorded as it arrives, also of a step that fails', async () => {
  const folder = await newSession();
  const spending = { agent: 'codex', input_tokens: 10, output_tokens: 2, cost_usd: 0.5 };
  await run(folder, async (steps) => {
    await steps.run(ask('good'), (step) => {
      step.spend(spending);
      step.spend(spending);
      return Promise.resolve('x');
    });
    const failing = steps.run(ask('bad'), (step) => {
      step.spend(spending);
      return Promise.reject(new Error('killed'));
    });
    await expect(failing).rejects.toThrow('killed');
  });
  await run(folder, (_, journal) => {
    const expected = ['started', 'spent', 'spent', 'finished', 'started', 'spent'];
    expect(types(journal)).toEqual(expected);
    expect(journal.records[1]).toMatchObject({ type: 'spent', key: 'good', ...spending });
    return Promise.resolve();
  });
});
