import { expect, test } from 'vitest';
import { keyLine } from '../../../../src/faces/tui/keys.ts';
import { plainText } from '../../../../src/faces/tui/rows.ts';
import { decisionKeys } from '../../../../src/faces/tui/screens/decision/keys.ts';
import { decisionPage } from '../../../../src/faces/tui/screens/decision/page.ts';
import {
  back,
  startingDecision,
  withCode,
  type DecisionState,
} from '../../../../src/faces/tui/screens/decision/state.ts';
import { Synthesis } from '../../../../src/model/synthesis.ts';
import { samplesOf } from '../../../helpers/samples.ts';

const synthesis = Synthesis.parse(samplesOf('synthesis').good.at(0));
const offered = {
  synthesis,
  uncertainty: 'Nobody has tried it yet.',
  questions: ['Which database?'],
  canDiscuss: true,
};
const room = { width: 80, height: 19 };

const on = (page: DecisionState['page']): DecisionState => ({ ...startingDecision, page });
const alone = { ...offered, canDiscuss: false };
const linesOf = (state: DecisionState, height = room.height) =>
  decisionPage(offered, state, { ...room, height }).rows.map(plainText);

const nothing = () => undefined;

function keysOn(state: DecisionState, { canDiscuss } = offered) {
  return decisionKeys({
    state,
    change: nothing,
    page: decisionPage(offered, state, room),
    solutions: 2,
    canDiscuss,
    references: 1,
    openCode: nothing,
    openEditor: nothing,
    decide: nothing,
    cancel: nothing,
    lookAtRun: nothing,
  });
}

test('the three answers to the options have keys that are told also where there is little room', () => {
  expect(plainText(keyLine(keysOn(on('options')), 80))).toMatch(
    /^enter choose .* m more analysis · x cancel/,
  );
});

test('more analysis has no key where nobody can be asked, and it is said why', () => {
  expect(plainText(keyLine(keysOn(on('options'), alone), 80))).not.toContain('more analysis');
  const lines = decisionPage(alone, on('options'), room).rows.map(plainText);
  expect(lines).toContain('More analysis needs an agent with a model, and none is ready.');
});

test('a question that nobody answered stands above the options', () => {
  expect(linesOf(on('options'))).toContain('? still open: Which database?');
});

test('options that do not stand side by side are told of above those that do', () => {
  const { solutions } = synthesis;
  const many = { ...synthesis, solutions: [...solutions, ...solutions, ...solutions].slice(0, 3) };
  const page = decisionPage({ ...offered, synthesis: many }, on('options'), room);
  expect(page.rows.map(plainText)[1]).toBe('1 more option: ← →');
});

test('a page that has no room says that more follows, and scrolling loses no row of it', () => {
  const whole = linesOf(on('options'), 60);
  const [facts = '', doubt = ''] = whole;
  const end = whole.findLastIndex((line) => line !== '');
  const height = 12;
  const seen = new Set([facts, doubt]);
  let state = on('options');
  expect(linesOf(state, height).at(-1)).toBe('… ↓ more');
  for (let pages = 0; pages < 20; pages += 1) {
    const { mostScroll } = decisionPage(offered, state, { ...room, height });
    const lines = linesOf(state, height);
    expect(lines).toHaveLength(height);
    expect(lines.at(-1) === '… ↓ more').toBe(state.scroll < mostScroll);
    for (const line of lines) seen.add(line);
    if (state.scroll === mostScroll) break;
    state = { ...state, scroll: Math.min(mostScroll, state.scroll + height - 3) };
  }
  expect(whole.slice(0, end + 1).filter((line) => !seen.has(line))).toEqual([]);
});

test('what cancelling means can be read in any width', () => {
  const text = decisionPage(offered, on('cancel'), { width: 40, height: 19 }).rows.map(plainText);
  expect(text.join(' ')).toContain('"conclave resume" asks for the decision again.');
});

test('the run can be looked at from every page on which nothing is written', () => {
  const pages = ['options', 'detail', 'code', 'agreement'] as const;
  const without = pages.filter((page) => !keysOn(on(page)).some(({ keys }) => keys.includes('v')));
  expect(without).toEqual([]);
});

test('the code of a place shows its line below its path, whatever was scrolled before', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
  const detail = { ...on('detail'), scroll: 12 };
  const code = withCode(detail, { path: 'src/a.js', start: 1, lines });
  const [head = '', , ...shown] = linesOf(code);
  const line = Number(/:(\d+)$/.exec(head)?.[1]);
  expect(shown.find((text) => text.startsWith('▸'))).toMatch(
    new RegExp(`^▸ +${line}  line ${line}$`),
  );
  expect(linesOf({ ...code, scroll: 40 })[0]).toBe(head);
  expect(back(code)).toMatchObject({ page: 'detail', scroll: 12 });
  expect(withCode(on('options'), null).page).toBe('options');
});
