import { expect, test } from 'vitest';
import type { CodeReviewTool } from '../../../src/model/decision.ts';
import { reviewersFor } from '../../../src/phases/reviewing/review-code.ts';

const names = ['claude', 'codex', 'gemini'];

/** The order of the reviewers, e.g. `codex claude`. */
function order(
  tool: CodeReviewTool,
  by: readonly (string | null)[] = ['claude', 'codex'],
  vendorOf = (name: string): string | null => `vendor of ${name}`,
): string {
  const outcomes = by.map((executor) => ({ executor }));
  return reviewersFor({ tool, names, outcomes, vendorOf }).join(' ');
}

test.each([
  ['Skip', ''],
  ['Gemini Review', 'gemini claude codex'],
  ['Codex Review', 'codex gemini claude'],
  ['Agent Review', 'gemini claude codex'],
  ['mine Review', 'mine gemini claude codex'],
] as const)('%s asks in this order: %s', (tool, expected) => {
  expect(order(tool)).toBe(expected);
});

test('who carried tasks out comes after those of other vendors, then after other agents', () => {
  const by = ['claude', null, 'claude'];
  expect(order('Agent Review', by)).toBe('codex gemini claude');
  expect(order('Agent Review', by, () => 'one')).toBe('codex gemini claude');
  expect(order('Agent Review', by, () => null)).toBe('codex gemini claude');
  expect(order('Agent Review', by, (name) => (name === 'codex' ? null : name))).toBe(
    'gemini codex claude',
  );
  expect(order('Gemini Review', by)).toBe('gemini codex claude');
});

test('who is chosen for the phase comes first, unless the review itself names an agent', () => {
  const outcomes = [{ executor: 'gemini' }];
  const phases = { 'code-review': { agent: 'gemini', model: null, effort: null } };
  const chosen = { names, outcomes, vendorOf: (name: string) => name, phases };
  expect(reviewersFor({ ...chosen, tool: 'Agent Review' })[0]).toBe('gemini');
  expect(reviewersFor({ ...chosen, tool: 'Codex Review' })[0]).toBe('codex');
});

test('the user may name who carried all tasks out', () => {
  expect(order('Codex Review', ['codex', 'codex'])).toBe('codex claude gemini');
});
