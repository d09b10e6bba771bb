import { beforeEach, describe, expect, test } from 'vitest';
import { type Place, makePlace } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace('[agents.ant]\npath = "a"\n[agents.bee]\npath = "b"');
});

test('a variable of each kind sets its setting', async () => {
  const settings = await place.load({
    env: {
      CONCLAVE_AGENT: 'ant',
      CONCLAVE_TOOLS: ' bee, local ,',
      CONCLAVE_MODE: 'serial',
      CONCLAVE_MAX_ROUNDS: ' 5 ',
      CONCLAVE_CONSTRAINTS: 'one, still one\n\ntwo',
      CONCLAVE_AUTO_YES: '1',
      CONCLAVE_TIMEOUT: '1.5',
      CONCLAVE_BUDGET_USD: '2',
      CONCLAVE_NOTIFY: 'False',
    },
  });
  expect(settings).toMatchObject({
    planner: 'ant',
    autoYes: true,
    run: {
      tools: ['bee', 'structure', 'history'],
      mode: 'serial',
      max_rounds: 5,
      constraints: ['one, still one', 'two'],
    },
    limits: { totalMs: 1500 },
    budget: { usd: 2 },
  });
});

describe('a value that does not fit names its variable', () => {
  test.each([
    ['CONCLAVE_MAX_ROUNDS', 'many', 'workflow.max_rounds must be an integer, not "many".'],
    ['CONCLAVE_MODE', 'both', 'workflow.mode must be one of "parallel", "serial", not "both".'],
    ['CONCLAVE_AUTO_YES', 'maybe', 'workflow.auto_yes must be true or false, not "maybe".'],
    ['CONCLAVE_TOOLS', 'nobody', 'workflow.tools names "nobody", and there is no such agent.'],
  ])('%s=%s', async (name, value, expected) => {
    const message = await place.stop({ env: { [name]: value } });
    expect(message.startsWith(`${name}: `)).toBe(true);
    expect(message).toContain(expected);
  });
});

test('an empty variable says nothing', async () => {
  const settings = await place.load({ env: { CONCLAVE_MAX_ROUNDS: '', CONCLAVE_TOOLS: '  ' } });
  expect(settings.run.max_rounds).toBe(3);
});

test('a variable that no setting has counts for nothing', async () => {
  const env = { CONCLAVE_EXECUTION_SETUP: 'npm, ci', CONCLAVE_AGENTS_BEE_ARGS: '-a, -b' };
  const { execution, agents, warnings } = await place.load({ env });
  expect({ setup: execution.setup, args: agents['bee']?.args, warnings }).toEqual({
    setup: [],
    args: [],
    warnings: [],
  });
});

test('a misspelt variable gives a warning; a foreign one is let be', async () => {
  const { warnings } = await place.load({
    env: { CONCLAVE_MAX_ROUND: '2', CONCLAVE_RUN: 'mark', CONCLAVE_SOMETHING_ELSE: 'x' },
  });
  expect(warnings).toEqual([
    'The variable CONCLAVE_MAX_ROUND is not a setting; did you mean CONCLAVE_MAX_ROUNDS?',
  ]);
});
