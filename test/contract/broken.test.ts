import { describe, expect, test } from 'vitest';
import { cliBench } from './cli-bench.ts';
import { shareOf } from './extent.ts';
import { cliNames, realClis } from './real-clis.ts';

const cut = '{"session":"s","sol';
const ends = ['length', 'refusal', 'filter'] as const;

/** Gemini CLI and Copilot tell none of them, nor does codex tell a refusal: what is cut is seen in the text. */
const told = {
  claude: { length: 'answer-cut', refusal: 'refused', filter: 'refused' },
  codex: { length: 'answer-cut', refusal: 'empty-answer', filter: 'content-filtered' },
  gemini: { length: null, refusal: null, filter: null },
  opencode: { length: 'answer-cut', refusal: 'content-filtered', filter: 'content-filtered' },
  copilot: { length: null, refusal: null, filter: null },
} as const;

const tried = cliNames.filter((name) => shareOf(name, { cases: ends }).length > 0);

describe.each(tried)('where %s is not given the whole answer', (name) => {
  const bench = cliBench(realClis[name]);

  test.each(shareOf(name, { cases: ends }))('it is named for what it is: %s', async (by) => {
    const { end } = await bench.ask(bench.scripted({ kind: 'broken', by, text: cut }));
    const category = told[name][by];
    const ending = end.ok ? { ok: true, text: cut } : { ok: false, failure: { category } };
    expect(end).toMatchObject(ending);
    expect(end.ok).toBe(category === null);
  });
});
