import { expect, test } from 'vitest';
import { keyLine } from '../../../../src/faces/tui/key-bindings.ts';
import { scrollBy } from '../../../../src/faces/tui/list-page.ts';
import { plainText } from '../../../../src/faces/tui/screen-rows.ts';
import { decisionKeys } from '../../../../src/faces/tui/screens/decision/decision-keys.ts';
import { decisionPage } from '../../../../src/faces/tui/screens/decision/decision-page.tsx';
import {
  back,
  startingDecision,
  withCode,
  type DecisionState,
} from '../../../../src/faces/tui/screens/decision/decision-state.ts';
import { createStore } from '../../../../src/faces/tui/store.ts';
import { textField } from '../../../../src/faces/tui/widgets/text-field/field.ts';
import { Synthesis } from '../../../../src/model/synthesis.ts';
import { samplesOf } from '../../../helpers/samples.ts';

const synthesis = Synthesis.parse(samplesOf('synthesis').good.at(0));
const offered = {
  number: 1,
  synthesis,
  uncertainty: 'Nobody has tried it yet.',
  questions: ['Which database?'],
  canDiscuss: true,
  asked: null as string | null,
  another: { number: 2, most: 3, tokens: 43_000, costUsd: 0.3 },
};
const alone = { ...offered, canDiscuss: false };
const room = { width: 80, height: 19 };

const on = (page: DecisionState['page']): DecisionState => ({ ...startingDecision, page });
const linesOf = (state: DecisionState, question = offered, size = room) =>
  decisionPage(question, state, size).rows.map(plainText);

const nothing = () => undefined;

function keysOn(page: DecisionState['page'], question = offered) {
  const state = createStore(on(page));
  const ports = { codeAround: () => Promise.resolve(null), openFile: () => Promise.resolve(null) };
  const [more, constraint] = [createStore(textField()), createStore(textField())];
  const fields = { more, constraint };
  const tools = { ports, say: nothing, lookAtRun: nothing };
  const deciding = { question, answer: nothing, state, ...fields, ...tools };
  return decisionKeys(deciding, decisionPage(question, on(page), room));
}

test('the three answers to the options are in the line of keys also where there is little room', () => {
  expect(plainText(keyLine(keysOn('options'), 80))).toMatch(
    /^enter choose .* m more analysis · x cancel/,
  );
});

test('more analysis has no key where nobody can be asked, and the page says why', () => {
  expect(plainText(keyLine(keysOn('options', alone), 80))).not.toContain('more analysis');
  const why = 'More analysis needs an agent with a model, and the session has none ready.';
  expect(linesOf(on('options'), alone)).toContain(why);
});

test('above the options are a question that nobody answered, and how many more options there are', () => {
  const { solutions } = synthesis;
  const many = { ...synthesis, solutions: [...solutions, ...solutions, ...solutions].slice(0, 3) };
  const roomy = { ...room, height: 40 };
  const lines = linesOf(on('options'), { ...offered, synthesis: many }, roomy);
  expect(lines[1]).toBe('1 more option: ← →');
  expect(lines).toContain('? still open: Which database?');
});

test('where the first line is wrapped, how many more options there are follows all of it', () => {
  const [first] = synthesis.solutions;
  if (first === undefined) throw new Error('no solutions');
  const many = { ...synthesis, solutions: [first, first] };
  const question = { ...offered, synthesis: many };
  const wide = linesOf(on('options'), question, { width: 70, height: 40 })[0] ?? '';
  const lines = linesOf(on('options'), question, { width: 24, height: 40 });
  const more = lines.indexOf('1 more option: ← →');
  expect(more).toBeGreaterThan(1);
  expect(lines.slice(0, more).join(' ')).toBe(wide);
});

test('at 80 × 24 all of the chosen card is seen, alone if it is too long beside another', () => {
  const [first] = synthesis.solutions;
  if (first === undefined) throw new Error('no solutions');
  const second = { ...first, name: 'Another' };
  const long = { ...first, summary: 'A summary of many words. '.repeat(8), cons: ['The end'] };
  const between = (solutions: typeof synthesis.solutions) =>
    linesOf(on('options'), { ...offered, synthesis: { ...synthesis, solutions }, questions: [] });
  const lines = between([long, second]);
  expect(lines.join('\n')).toContain('1 more option: ← →');
  expect(lines.join('\n')).not.toContain('2. Another');
  expect(lines.join('\n')).toContain('- The end');
  const short = { ...first, stances: [], affected_files: [], summary: 'Short.' };
  expect(between([short, second]).join('\n')).toContain('2. Another');
});

test('a page that has no room says that more follows, and scrolling loses no row of it', () => {
  const whole = linesOf(on('options'), offered, { ...room, height: 60 });
  const end = whole.findLastIndex((line) => line !== '');
  const small = { ...room, height: 12 };
  const seen = new Set<string>();
  let top = 0;
  for (let pages = 0; pages < 20; pages += 1) {
    const page = decisionPage(offered, { ...on('options'), top }, small);
    const lines = page.rows.map(plainText);
    expect(lines).toHaveLength(small.height);
    expect(lines.at(-1) === '… ↓ more').toBe(top < page.most);
    for (const line of lines) seen.add(line);
    top = scrollBy(page, small.height - 3);
  }
  expect(whole.slice(0, end + 1).filter((line) => !seen.has(line))).toEqual([]);
});

test('the run can be looked at from every page on which nothing is written', () => {
  const pages = ['options', 'detail', 'code', 'agreement'] as const;
  const without = pages.filter((page) => !keysOn(page).some(({ keys }) => keys.includes('v')));
  expect(without).toEqual([]);
});

test('the code of a place shows its line below its path, and leads back to the place', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
  const code = withCode(on('detail'), { path: 'src/a.js', start: 1, lines });
  const [head = '', , ...shown] = linesOf(code);
  const line = Number(/:(\d+)$/.exec(head)?.[1]);
  expect(shown.find((text) => text.startsWith('▸'))).toMatch(
    new RegExp(`^▸ +${line}  line ${line}$`),
  );
  expect(linesOf(back(code)).some((text) => text.startsWith('▸'))).toBe(true);
  expect(withCode(on('options'), null).page).toBe('options');
});

test('each card tells at a glance who is for and against it, and what failed the check', () => {
  const lines = linesOf(on('options'), offered, { width: 80, height: 60 });
  expect(lines).toContain('  against: codex');
  expect(lines).toContain('  ✗ 1 reference failed the check');
  expect(lines.join('\n')).toContain('  • codex opposes it: x (src/server.ts:14 moved)');
  expect(lines.join('\n')).toMatch(
    /✗ src\/server\.ts:12, “Routes are registered in one place” \(claude\):/,
  );
});

test('on a card each symbol has one meaning, which the legend or its line says', () => {
  const meanings = { '✓': 'found', '→': 'moved', '○': 'planned', '✗': 'failed' };
  const size = { width: 200, height: 200 };
  const cards = linesOf(on('options'), offered, size);
  const legend = cards.find((line) => /✓ found/.test(line)) ?? '';
  for (const [mark, meaning] of Object.entries(meanings)) {
    expect(legend).toContain(`${mark} ${meaning}`);
  }
  const isPlace = /[✓→○✗] \S+\.\w+(?::\d+)? (?:create|modify|delete|test)/;
  const isFault = /✗ (?:\d+ references? failed the check|\S+:\d+, “)/;
  const marked = cards.filter((line) => line !== legend && /[✓→○✗]/.test(line));
  expect(marked.length).toBeGreaterThan(2);
  expect(marked.filter((line) => !isPlace.test(line) && !isFault.test(line))).toEqual([]);
  const detail = synthesis.solutions.flatMap((_, chosen) =>
    linesOf({ ...on('detail'), chosen }, offered, size),
  );
  const told = detail.flatMap((line) => {
    const [, mark = '', text = ''] = /^[ ▸]*([✓→○✗]) (.*)$/.exec(line) ?? [];
    return mark === '' ? [] : [{ mark, text }];
  });
  expect(new Set(told.map(({ mark }) => mark)).size).toBeGreaterThan(2);
  const untrue = told.filter(
    ({ mark, text }) =>
      !text.includes(Object.entries(meanings).find(([one]) => one === mark)?.[1] ?? '-') &&
      !isFault.test(`${mark} ${text}`),
  );
  expect(untrue).toEqual([]);
});

test('after more analysis the options begin with what was asked, and what the agents answer', () => {
  const asked = { ...offered, asked: 'Which is less work?' };
  const replied = { ...synthesis, replies: [{ agent: 'codex', text: 'The route.' }] };
  expect(linesOf(on('options'), { ...asked, synthesis: replied })).toEqual(
    expect.arrayContaining(['You asked: Which is less work?', '  • codex: The route']),
  );
  expect(linesOf(on('options'), asked).join()).toContain('No agent answered in words');
});

test('more analysis tells before it is asked for what the last round used, and which one it would be', () => {
  const state = createStore(on('options'));
  const ports = { codeAround: () => Promise.resolve(null), openFile: () => Promise.resolve(null) };
  const [more, constraint] = [createStore(textField()), createStore(textField())];
  const tools = { ports, say: nothing, lookAtRun: nothing, more, constraint };
  const keys = decisionKeys(
    { question: offered, answer: nothing, state, ...tools },
    decisionPage(offered, on('options'), room),
  );
  keys.find(({ keys: own }) => own.includes('m'))?.run();
  expect(state.get().popup?.body).toEqual([
    {
      text: 'This would be round 2 of at most 3. The last round used about 43k tokens, $0.30.',
      tone: 'quiet',
    },
  ]);
});
