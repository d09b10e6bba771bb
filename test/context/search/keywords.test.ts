import { expect, test } from 'vitest';
import { cpuFloors } from '../../helpers/cpu-floors.ts';
import { keywordsOf } from '../../../src/context/search/task-terms.ts';

test.each([
  ['Add timezone support to parseDate and format_date', ['parseDate', 'format_date', 'timezone']],
  [
    'Make MAX_SIZE and the JSON output depend on --dry-run',
    ['MAX_SIZE', 'JSON', 'dry-run', 'output', 'depend'],
  ],
  [
    'Fix `Repository.read()` in src/context/open-repository.ts',
    ['Repository.read', 'src/context/open-repository.ts'],
  ],
  ['Show the age of a session', ['show', 'age', 'session']],
  ['call refresh() on logout', ['refresh', 'call', 'logout']],
  ['handle read/write errors and the and/or case', ['read', 'write', 'errors', 'case']],
  ['see https://example.invalid/parseThat?x=1 for e.g. dates', ['dates']],
  ['URLParser.parse loses the query', ['URLParser.parse', 'loses', 'query']],
  ['Bitte den Datumsparser um Zeitzonen erweitern', ['datumsparser', 'zeitzonen', 'erweitern']],
  ['Добавить поддержку часовых поясов', ['добавить', 'поддержку', 'часовых', 'поясов']],
  ['修复parseDate中的日期解析错误', ['parseDate', '日期', '解析', '错误']],
  ['Corriger l’arrêt du café', ['arrêt', 'café']],
  ['constructor and __proto__ of toString', ['__proto__', 'toString', 'constructor']],
  ['please fix the bug', []],
  ['', []],
])('%s', (task, keywords) => {
  expect(keywordsOf(task)).toEqual(keywords);
});

test('at most twelve keywords are kept, and words have room beside many identifiers', () => {
  const names = Array.from({ length: 30 }, (_, index) => `someName${index}`).join(' ');
  const keywords = keywordsOf(`${names} concerning calendars, invoices, customers`);
  expect(keywords).toHaveLength(12);
  expect(keywords).toContain('calendars');
});

test('the word that comes most often is the first of the plain ones', () => {
  expect(keywordsOf('calendar invoice; invoice again, invoice')).toEqual(['invoice', 'calendar']);
});

test('a long and hostile text takes little time', () => {
  const hostile = ['a', '_', '/', 'a.', '-a', '`', 'aA', '日'].map((piece) => piece.repeat(50_000));
  const started = cpuFloors();
  for (const text of hostile) expect(keywordsOf(text).length).toBeLessThanOrEqual(12);
  expect(cpuFloors() - started).toBeLessThan(60);
});
