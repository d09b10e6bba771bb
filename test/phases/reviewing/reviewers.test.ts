import { expect, test } from 'vitest';
import type { CodeReviewTool } from '../../../src/model/decision.ts';
import { reviewersFor } from '../../../src/phases/reviewing/reviewers.ts';

const names = ['claude', 'codex', 'gemini'];

/** The order of the reviewers, e.g. `codex claude`. */
function order(
  tool: CodeReviewTool,
  {
    ready = names,
    by = ['claude', 'codex'],
    vendorOf = (name: string): string | null => `vendor of ${name}`,
  }: {
    readonly ready?: readonly string[];
    readonly by?: readonly (string | null)[];
    readonly vendorOf?: (name: string) => string | null;
  } = {},
): string {
  return reviewersFor({ tool, names, executors: by, ready, vendorOf }).join(' ');
}

test('a review that is skipped asks nobody', () => {
  expect(order('Skip')).toBe('');
});

test('the agent of the choice comes first, then the others in order', () => {
  expect(order('Gemini Review')).toBe('gemini claude codex');
  expect(order('Codex Review')).toBe('codex claude gemini');
  expect(order('Agent Review')).toBe('claude codex gemini');
});

test('who is not ready is left out', () => {
  expect(order('Gemini Review', { ready: ['codex'] })).toBe('codex');
  expect(order('Agent Review', { ready: [] })).toBe('');
});

test('who carried all tasks out alone comes after those of other vendors', () => {
  const by = ['claude', null, 'claude'];
  expect(order('Agent Review', { by })).toBe('codex gemini claude');
  expect(order('Gemini Review', { by, ready: ['claude', 'codex'] })).toBe('codex claude');
  expect(order('Gemini Review', { by })).toBe('gemini codex claude');
});

test('but may review where nobody of another vendor is ready', () => {
  const by = ['claude'];
  expect(order('Agent Review', { by, ready: ['claude'] })).toBe('claude');
  expect(order('Agent Review', { by, vendorOf: () => 'one' })).toBe('claude codex gemini');
});

test('the user may name who carried all tasks out', () => {
  expect(order('Codex Review', { by: ['codex', 'codex'] })).toBe('codex claude gemini');
});
