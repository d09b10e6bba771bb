import { expect, test } from 'vitest';
import { isOtherModel } from '../../src/agents/cli/run-end.ts';

test.each<[string | null, string | null, boolean]>([
  ['gpt-6.1-sol', 'gpt-6.1-sol', false],
  ['gpt-6.1-sol', 'gpt-6-luna', true],
  ['gpt-6.1', 'gpt-6.1-mini', true],
  ['gpt-6.1-mini', 'gpt-6.1', true],
  ['gpt-6.1', 'gpt-6.1-2026-08-07', false],
  ['sonnet', 'claude-sonnet-4-5-20250929', false],
  ['opus', 'claude-sonnet-4-5-20250929', true],
  ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929', false],
  ['sonnet[1m]', 'claude-sonnet-4-5', false],
  ['gemini-2.5-pro', 'gemini-2.5-flash', true],
  ['gemini-2.5-pro', 'gemini-2.5-pro-preview', false],
  ['anthropic/claude-opus-4', 'claude-opus-4', false],
  ['claude-sonnet', 'claude-sonnet-4-5', false],
  ['mistral-large-latest', 'mistral-large-2411', false],
  ['gemini-flash-latest', 'gemini-2.5-flash', false],
  ['gemini-pro-latest', 'gemini-2.5-flash', true],
  ['auto', 'gemini-2.5-flash', false],
  [null, 'gpt-6', false],
  ['gpt-6', null, false],
])('asked for %s, %s is another model: %s', (asked, answered, expected) => {
  expect(isOtherModel(asked, answered)).toBe(expected);
});
