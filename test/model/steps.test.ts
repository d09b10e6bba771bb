// Says what the grammar of steps promises: each key is read as the step that it was made for.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { phases } from '../../src/model/phase.ts';
import { type Call, tries } from '../../src/model/step.ts';
import { flowOf, isStep, parseStep, steps } from '../../src/model/steps.ts';
import { everyCall, everyStep } from '../helpers/every-step.ts';

describe('every step', () => {
  test('is read from its key as it was made', () => {
    const number = fc.integer({ min: 1, max: 9_999 });
    // A name that ends like a second try could be either; no agent has one.
    const agent = fc.stringMatching(/^[a-z0-9][a-z0-9_]{0,31}$/);
    const task = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/);
    const names = fc.record({ number, review: number, index: number, agent, seat: agent, task });
    fc.assert(
      fc.property(names, (given) => {
        for (const step of everyStep(given)) expect(parseStep(step.key)).toEqual(step);
      }),
      { numRuns: 50 },
    );
  });

  test('has a key of its own', () => {
    const keys = everyStep().map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(100);
  });

  test('lies in its group, or is it', () => {
    const outside = everyStep().filter(
      ({ key, group }) => !['session', key].includes(group) && !key.startsWith(`${group}/`),
    );
    expect(outside).toEqual([]);
  });
});

describe('every call', () => {
  test('is the work of an agent', () => {
    expect(everyCall().map((call) => call.by('codex').kind)).not.toContain('calculation');
  });

  test.each(tries)('names its try "%s"', (attempt) => {
    const read = everyCall().map((call: Call) => parseStep(call.by('codex', attempt).key));
    for (const step of read) expect(step).toMatchObject({ agent: 'codex', attempt });
  });
});

test.each(['', 'round-', 'round-1', 'round-x/open', 'task/1', 'execution-1', 'plan-1/a/b/c'])(
  'the key "%s" is no step',
  (key) => {
    expect(parseStep(key)).toBeNull();
  },
);

test('a phase of every step is one of the session', () => {
  const names: readonly string[] = phases.map(({ name }) => name);
  expect(everyStep().filter(({ phase }) => !names.includes(phase))).toEqual([]);
});

test('one step is not another', () => {
  expect(isStep('plan-1/write', steps.plan(1, 2).write)).toBe(false);
  expect(isStep('plan-1.2/write', steps.plan(1, 2).write)).toBe(true);
  expect(isStep('unknown', steps.session.end)).toBe(false);
});

test('the steps of one execution flow side by side', () => {
  expect(flowOf(steps.task(3, 'TASK-001').finish.group)).toBe(steps.execution(3).group);
});
