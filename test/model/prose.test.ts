import { expect, test } from 'vitest';
import { array, assert, constantFrom, property } from 'fast-check';
import { textLines } from '../../src/faces/document-text.ts';
import { plainRows } from '../../src/faces/tui/document-rows.ts';
import { plainText } from '../../src/faces/tui/screen-rows.ts';
import { prose } from '../../src/model/document.ts';
import { readProse, readWords } from '../../src/model/prose.ts';

const rowsOf = (text: string, width = 40) =>
  plainRows([prose(text)], { width })
    .map(plainText)
    .join('\n');

test('an answer in Markdown is shown with its headings, lists, tables and code', () => {
  const text = `# Which format

**JSON** lines, for *two* reasons:
1. \`jq\` reads them
   - also in pipes
2. they grow

| Form | Size |
| --- | --- |
| csv | 2 |

\`\`\`js
const a = \`x\`;
  b();
\`\`\`
See src/**/*.ts and lib/**/*.ts.`;
  expect(rowsOf(text)).toBe(`Which format

JSON lines, for *two* reasons:

1. jq reads them
  • also in pipes
2. they grow

Form  Size
csv   2

  const a = \`x\`;
    b();

See src/**/*.ts and lib/**/*.ts.`);
});

test('the code, the heading and strong words have a look of their own', () => {
  const spans = plainRows([prose('## Use it\n\nRun `npm test` **now**.')], { width: 40 }).flat();
  const toneOf = (text: string) => spans.find((one) => one.text === text)?.tone;
  expect(['Use it', 'npm test', 'now'].map(toneOf)).toEqual(['strong', 'accent', 'strong']);
});

const codeIn = (text: string) =>
  readWords(text).flatMap((piece) =>
    typeof piece === 'object' && 'code' in piece ? [piece.code] : [],
  );

test('code may have backticks of its own', () => {
  expect(codeIn('by `(?:[^`]|[^`][\\s\\S]*?[^`])`, then `\\*?`')).toEqual([
    '(?:[^`]|[^`][\\s\\S]*?[^`])',
    '\\*?',
  ]);
  expect(codeIn('``a`b`` and `` ` `` and `c`')).toEqual(['a`b', '`', 'c']);
  expect(codeIn('`(` opens, `)` closes; a stray ` sign')).toEqual(['(', ')']);
});

test('a paragraph keeps its line breaks, and a block of code that is never closed ends with the text', () => {
  expect(rowsOf('one\ntwo\n\nthree')).toBe('one\ntwo\n\nthree');
  expect(rowsOf('so:\n```\na\n\n  b')).toBe('so:\n\n  a\n\n    b');
});

const pieces = [
  '- ',
  '  - ',
  '    * ',
  '1. ',
  '# ',
  '```',
  '| a | b |',
  '|---|---|',
  '',
  'word',
  '**b**',
  '`c`',
  '>',
];

/** The words of these lines that are not told. */
function lost(lines: readonly string[]): readonly string[] {
  const text = lines.map((line, at) => `${line}w${at}`).join('\n');
  const told = textLines(readProse(text), { isWhole: true }).join('\n');
  const words = lines.flatMap((line, at) => (/^(?:```|\|---)/.test(line) ? [] : [`w${at}`]));
  return words.filter((word) => !new RegExp(`${word}\\b`).test(told));
}

test('whatever its lines are, no word of a text is lost', () => {
  assert(
    property(array(constantFrom(...pieces), { maxLength: 14 }), (lines) => {
      expect(lost(lines)).toEqual([]);
    }),
  );
  expect(lost(['- ', 'word'])).toEqual([]);
});

test('lists in lists of any depth are read', () => {
  const deep = Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}- w${at}`).join('\n');
  expect(rowsOf(deep, 60)).toContain('w299');
});
