import { expect, test } from 'vitest';
import { array, assert, constantFrom, property } from 'fast-check';
import { textLines } from '../../src/faces/document-text.ts';
import { plainRows } from '../../src/faces/tui/document-rows.ts';
import { plainText } from '../../src/faces/tui/screen-rows.ts';
import { prose } from '../../src/model/document.ts';
import { readProse } from '../../src/model/prose.ts';

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

test('a paragraph keeps its line breaks, and a block of code that is never closed ends with the text', () => {
  expect(rowsOf('one\ntwo\n\nthree')).toBe('one\ntwo\n\nthree');
  expect(rowsOf('so:\n\`\`\`\na\n\n  b')).toBe('so:\n\n  a\n\n    b');
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

test('whatever its lines are, no word of a text is lost', () => {
  assert(
    property(array(constantFrom(...pieces), { maxLength: 14 }), (lines) => {
      const numbered = lines.map((line, at) => `${line}w${at}`);
      const told = textLines(readProse(numbered.join('\n')), { isWhole: true }).join('\n');
      for (const [at, line] of lines.entries())
        if (!line.startsWith('```') && !line.startsWith('|---'))
          expect(told).toMatch(new RegExp(`w${at}\\b`));
    }),
  );
});

test('lists in lists of any depth are read', () => {
  const deep = Array.from({ length: 300 }, (_, at) => `${' '.repeat(at)}- w${at}`).join('\n');
  expect(rowsOf(deep, 60)).toContain('w299');
});
