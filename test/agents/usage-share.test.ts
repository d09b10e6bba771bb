import { describe, expect, test } from 'vitest';
import { usageShare } from '../../src/agents/run-tally.ts';
import type { AgentEvent } from '../../src/model/event.ts';

const usage = (input: number, output: number, cached: number): AgentEvent => ({
  kind: 'usage',
  tokens: { input, output, cached },
  cost_usd: null,
});
const resume = (spent?: { input: number; output: number; cached: number }) => ({
  resume: { agentSession: 'S', cwd: '/', ...(spent === undefined ? {} : { spent }) },
});
const total = { usageOfSession: true };

describe('tokens of a CLI that counts over its whole session', () => {
  test('are what came on top of earlier runs, and of what this one told before', () => {
    const share = usageShare(total, resume({ input: 100, output: 10, cached: 40 }));
    expect(share(usage(150, 15, 40))).toEqual(usage(50, 5, 0));
    expect(share(usage(170, 16, 45))).toEqual(usage(20, 1, 5));
  });

  test('are all its own in a new session, or where nothing is known of the earlier runs', () => {
    expect(usageShare(total, { resume: null })(usage(100, 10, 40))).toEqual(usage(100, 10, 40));
    expect(usageShare(total, resume())(usage(100, 10, 40))).toEqual(usage(100, 10, 40));
  });

  test('are never below zero, e.g. after the CLI began to count anew', () => {
    const share = usageShare(total, resume({ input: 100, output: 10, cached: 40 }));
    expect(share(usage(60, 20, 0))).toEqual(usage(0, 10, 0));
  });
});

test('other events, and those of a CLI that counts each run, stay as they are', () => {
  const share = usageShare({}, resume({ input: 1, output: 1, cached: 1 }));
  expect(share(usage(5, 5, 5))).toEqual(usage(5, 5, 5));
  const message: AgentEvent = { kind: 'message', text: 'a', partial: false };
  expect(usageShare(total, { resume: null })(message)).toBe(message);
});
