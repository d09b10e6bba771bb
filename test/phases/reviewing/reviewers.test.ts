import { expect, test } from 'vitest';
import type { CodeReviewTool } from '../../../src/model/decision.ts';
import { reviewersFor } from '../../../src/phases/reviewing/choose-reviewer.ts';

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

test('those of other vendors come first, then other agents; who did all of the work is never asked', () => {
  const by = ['claude', null, 'claude'];
  expect(order('Agent Review', by)).toBe('codex gemini');
  expect(order('Agent Review', by, () => 'one')).toBe('codex gemini');
  expect(order('Agent Review', by, () => null)).toBe('codex gemini');
  expect(order('Agent Review', by, (name) => (name === 'codex' ? null : name))).toBe(
    'gemini codex',
  );
  expect(order('Gemini Review', by)).toBe('gemini codex');
});

test('who is chosen for the phase comes first, unless the review itself names an agent', () => {
  const outcomes = [{ executor: 'claude' }];
  const phases = { 'code-review': { agent: 'gemini', model: null, effort: null } };
  const chosen = { names, outcomes, vendorOf: (name: string) => name, phases };
  expect(reviewersFor({ ...chosen, tool: 'Agent Review' })[0]).toBe('gemini');
  expect(reviewersFor({ ...chosen, tool: 'Codex Review' })[0]).toBe('codex');
});

test('who did all of the work does not review it, even if the user names it', () => {
  expect(order('Codex Review', ['codex', 'codex'])).toBe('claude gemini');
  expect(order('Codex Review', ['codex', 'claude'])).toBe('codex gemini claude');
});
