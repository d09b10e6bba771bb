import { expect, test } from 'vitest';
import { cpuFloors } from '../helpers/cpu-floors.ts';
import { neutralWords } from '../../src/prompts/discussion-prompt.ts';

const hide = ['claude', 'codex', 'gemini', 'anthropic', 'vendor/some-model'];

test.each<[string, string, string]>([
  ['a name', 'As Claude, I would', 'As an agent, I would'],
  ['several names', 'claude, codex and gemini oppose it', 'several agents oppose it'],
  ['a name at the end', 'so says codex.', 'so says an agent.'],
  ['a possessive', "codex's idea", "an agent's idea"],
  ['a model', 'I am gemini-2.5-pro-preview!', 'I am an agent!'],
  ['a model with its vendor', 'by vendor/some-model.', 'by an agent.'],
  ['several', 'codex/gemini agree', 'an agent agree'],
  [
    'in a sentence with others',
    'CODEX, (gemini) and "claude"',
    'an agent, (an agent) and "an agent"',
  ],
])('hides %s', (_name, text, expected) => {
  expect(neutralWords(hide, 'Add a route')(text)).toBe(expected);
});

test('leaves ordinary words alone that somebody named an agent by', () => {
  const neutral = neutralWords([...hide, 'one', 'mine', 'other'], 'Add a route');
  expect(neutral('One rule in one place; the other way is codex only')).toBe(
    'One rule in one place; the other way is an agent only',
  );
});

test('hides names of several words as a whole', () => {
  const neutral = neutralWords([...hide, 'Acme AI', 'GPT-5 mini'], 'Add a route');
  expect(neutral('acme AI runs gpt-5  mini, like others')).toBe(
    'an agent runs an agent, like others',
  );
  expect(neutral('a GPT-5 minimum')).toBe('a GPT-5 minimum');
});

test.each([
  'src/agents/claude.ts',
  'gemini.ts',
  'claudeAdapter and codex_home',
  '@openai/codex-sdk',
  'docs/codex',
  'codexes',
])('leaves %s', (text) => {
  expect(neutralWords(hide, 'Add a route')(text)).toBe(text);
});

test('leaves a name that the task is about', () => {
  const neutral = neutralWords(hide, 'Fix the Gemini adapter');
  expect(neutral('the gemini adapter, says Claude')).toBe('the gemini adapter, says an agent');
});

test('stays linear on text made to slow it down', () => {
  const neutral = neutralWords(hide, 'x');
  const before = cpuFloors();
  for (const text of [
    `a${'.'.repeat(300_000)}x`,
    'a-'.repeat(300_000),
    `claude${' '.repeat(300_000)}x`,
  ]) {
    neutral(text);
  }
  expect(cpuFloors() - before).toBeLessThan(20);
});
