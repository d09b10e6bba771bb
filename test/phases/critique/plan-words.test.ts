import { describe, expect, test } from 'vitest';
import { checkPlanPlaces } from '../../../src/phases/critique/judge-places.ts';

const texts = new Map([
  ['src/a.js', 'export function a(list) {\n  return list;\n}\n'],
  ['src/b.js', "import { a } from './a.js';\nexport function b(list) {\n  return a(list);\n}\n"],
]);
const files = {
  list: async () => [...texts.keys()],
  read: async (path: string) => texts.get(path) ?? null,
  find: async (words: readonly string[]) =>
    new Map(
      words.map((word) => {
        const isIn = ([, text]: readonly [string, string]) => text.split(/\W/).includes(word);
        return [word, [...texts].filter(isIn).map(([path]) => path)];
      }),
    ),
  ignored: async () => new Set<string>(),
};

async function wrongIn(plan: string): Promise<readonly string[]> {
  const { places } = await checkPlanPlaces(plan, files);
  return places.flatMap(({ status, text }) => (status === 'wrong' ? [text] : []));
}

describe('what a plan introduces in any of these words is not wrong later', () => {
  test.each([
    'Rename `src/b.js` → `src/bb.js`. Then update `src/bb.js`.',
    'Move src/b.js -> src/bb.js. Then update src/bb.js.',
    'Rename `b` to `bb` in `src/b.js` and call `bb()` from `src/a.js`.',
    '- **`src/c.js`** *(new)*\n\nThen update `src/c.js`.',
    '- `src/c.js` _(new)_: exports c\n\nThen update `src/c.js`.',
  ])('%s', async (plan) => {
    expect(await wrongIn(plan)).toEqual([]);
  });

  test('while what it only changes stays wrong', async () => {
    const plan = 'Rename `src/x.js` → `src/y.js`. Change `src/z.js` → see `src/a.js`.';
    expect(await wrongIn(plan)).toEqual(['src/x.js', 'src/z.js']);
  });
});

describe('a code block ends where Markdown ends it', () => {
  test('not at the end of a shorter one inside of it', async () => {
    const inner = 'Usage:\n```sh\nchange src/gone/x.js:4\n```\n```\nchange src/gone/y.js:4\n```';
    expect(await wrongIn(`\`\`\`\`md\n${inner}\n\`\`\`\`\nChange src/z.js.`)).toEqual(['src/z.js']);
  });

  test('not at a fence of other signs', async () => {
    const plan = '```md\n~~~\nchange src/gone/x.js:4\n```\nChange src/z.js.';
    expect(await wrongIn(plan)).toEqual(['src/z.js']);
  });

  test('and code on one line begins none', async () => {
    expect(await wrongIn('Run\n```npm test```\n\nChange `src/z.js`.')).toEqual(['src/z.js']);
  });

  test('while a block inside one of equal length ends first', async () => {
    const plan = '```md\n```js\nf()\n```\nchange src/gone/x.js:4\n```\nChange src/z.js.';
    expect(await wrongIn(plan)).toEqual(['src/z.js']);
  });
});

test.each(['Edit `src/a.js` on line 900.', 'See `src/a.js`, in lines 800-900.'])(
  'a line beyond the end is wrong: %s',
  async (plan) => {
    expect(await wrongIn(plan)).toEqual([expect.stringMatching(/:900$/)]);
  },
);

test('a line that the words give to another file is not one of the first', async () => {
  const plan = 'Import `src/a.js` on line 5 of `src/b.js`, and src/a.js at lines 4-5 of src/b.js.';
  expect(await wrongIn(plan)).toEqual([]);
});
