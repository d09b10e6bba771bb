import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Agent, bareTraits } from '../../../src/agents/agent.ts';
import type { Check } from '../../../src/model/check.ts';
import type { ExecutionMethod } from '../../../src/model/decision.ts';
import { assignExecutors, permissionFor } from '../../../src/phases/execution/execution-team.ts';
import { taskOf } from '../planning/samples.ts';

const agent = (name: string, state: 'ready' | 'not-installed' = 'ready'): Agent => ({
  name,
  traits: { ...bareTraits(name), edits: true },
  kind: 'model',
  ready: async () =>
    state === 'ready'
      ? { state, path: null, version: null }
      : { state, why: 'it is not there', remedy: 'Install it.' },
  vendorOf: () => null,
  run: () => {
    throw new Error('not run here');
  },
});

const everyone = ['claude', 'codex', 'gemini'].map((name) => agent(name));

/** Who carries out a task with that configuration, where claude is first in order. */
async function assigned(
  {
    method = 'Agent',
    complexity = 'Medium',
    own,
  }: {
    readonly method?: ExecutionMethod;
    readonly complexity?: 'Low' | 'Medium' | 'High';
    readonly own?: { readonly method?: 'agent' | 'cli'; readonly cli_tool?: string };
  },
  there: readonly Agent[] = everyone,
) {
  const made = await assignExecutors({
    plan: { complexity },
    tasks: [{ id: 'T', ...(own === undefined ? {} : { meta: { execution_config: own } }) }],
    method,
    names: ['claude', 'gemini'],
    agents: { get: (name) => there.find((one) => one.name === name), models: () => there },
    signal: new AbortController().signal,
  });
  return made?.byTask['T'] ?? null;
}

test('agents are looked at side by side before the first task begins', async () => {
  const asked: string[] = [];
  const seen: number[] = [];
  const slow = everyone.map((one) => ({
    ...one,
    async ready() {
      asked.push(one.name);
      await setImmediate();
      seen.push(asked.length);
      return { state: 'ready', path: null, version: null } as const;
    },
  }));
  await assigned({ own: { cli_tool: 'codex' } }, slow);
  expect(seen).toEqual([3, 3, 3]);
});

describe('a task is carried out by', () => {
  test.each([
    ['Agent', 'Medium', 'claude', 'first of your agents'],
    ['Codex', 'Low', 'codex', 'chosen for the whole plan'],
    ['Auto', 'Low', 'claude', 'the plan is of low complexity'],
    ['Auto', 'Medium', 'codex', 'the plan is not of low complexity'],
    ['Auto', 'High', 'codex', 'the plan is not of low complexity'],
  ] as const)('%s, complexity %s: %s', async (method, complexity, executor, reason) => {
    expect(await assigned({ method, complexity })).toEqual({ executor, reason });
  });

  test.each([
    [{ cli_tool: 'gemini' }, 'gemini', 'the task names it'],
    [{ method: 'cli', cli_tool: 'gemini' }, 'gemini', 'the task names it'],
    [
      { method: 'agent', cli_tool: 'gemini' },
      'claude',
      'the task asks for the first of your agents',
    ],
    [{ method: 'cli', cli_tool: 'auto' }, 'codex', 'chosen for the whole plan'],
  ] as const)('whom the task itself names: %j', async (own, executor, reason) => {
    expect(await assigned({ method: 'Codex', own })).toEqual({ executor, reason });
  });

  test('the first that is ready, where who was wanted is not', async () => {
    const there = [
      agent('claude', 'not-installed'),
      agent('codex', 'not-installed'),
      agent('gemini'),
    ];
    expect(await assigned({ method: 'Codex' }, there)).toEqual({
      executor: 'gemini',
      reason: 'codex is not ready',
      instead_of: 'codex',
    });
  });

  test('the first in order, where the task names nobody that there is, and who there is is told', async () => {
    expect(await assigned({ own: { cli_tool: 'codexx' } })).toEqual({
      executor: 'claude',
      reason: 'there is no agent codexx; known agents: claude, codex and gemini',
      instead_of: 'codexx',
    });
  });

  test('never a model that only reads, also where a task names it, and the reason is told', async () => {
    const reader: Agent = { ...agent('grok'), traits: bareTraits('grok') };
    expect(await assigned({ own: { cli_tool: 'grok' } }, [reader, ...everyone])).toEqual({
      executor: 'claude',
      reason: 'grok is a model behind an API, which only reads and edits no file',
      instead_of: 'grok',
    });
    expect(await assigned({}, [reader])).toBeNull();
  });

  test('nobody, where nobody is ready', async () => {
    expect(await assigned({}, [agent('claude', 'not-installed')])).toBeNull();
    expect(await assigned({}, [])).toBeNull();
  });
});

test('a shell is allowed only where the task needs one', () => {
  const docs = { ...taskOf('TASK-001'), type: 'docs' } as const;
  const check: Check = { kind: 'command', argv: ['npm', 'test'] };
  expect(permissionFor(docs)).toBe('edit');
  expect(permissionFor({ ...docs, checks: [check] })).toBe('edit-and-shell');
  expect(permissionFor(taskOf('TASK-001'))).toBe('edit-and-shell');
});
