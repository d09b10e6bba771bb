import { expect, test } from 'vitest';
import { fieldsApart } from '../../../../src/faces/tui/screens/run/tail-rows.ts';

test('the fields of an answer begin lines of their own, however much of it has come', () => {
  const solutions = [{ name: 'Branch', pros: ['Small', 'Plain'], cons: [], quote: 'if (a) {' }];
  const text = JSON.stringify({ session: 'MCP-x', solutions });
  const lines = 'session: MCP-x|solutions:|name: Branch|pros: Small; Plain|cons:|quote: if (a) {';
  expect(fieldsApart(text)).toBe(lines.replaceAll('|', '\n'));
  for (let end = 40; end <= text.length; end += 1) {
    const shown = fieldsApart(text.slice(0, end)).split('\n').slice(0, -1);
    expect(lines.split('|').slice(0, shown.length)).toEqual(shown);
  }
});

test.each([
  'const { name, "risk": level } = plan;',
  'if (a) { b(); }',
  '',
  '{"name": "one field"}',
])('other text stays as it is: %s', (text) => {
  expect(fieldsApart(text)).toBe(text);
});
