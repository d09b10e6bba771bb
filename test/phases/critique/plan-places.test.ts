import { describe, expect, test } from 'vitest';
import { checkPlanPlaces } from '../../../src/phases/critique/judge-places.ts';
import { mentionsIn } from '../../../src/phases/critique/plan-places.ts';

const paths = [
  'src/a.js',
  'src/b.js',
  'test/a.test.js',
  'app/(group)/[id]/page.js',
  'app/feed/(..)photo/[[...slug]]/page.tsx',
  'pages/[id].tsx',
  'docs/plans/notes.md',
];
const files = {
  list: async () => paths,
  read: async (path: string) => (paths.includes(path) ? 'one\n'.repeat(20) : null),
  find: async () => new Map(),
  ignored: async (some: readonly string[]) =>
    new Set(some.filter((path) => path.startsWith('dist/'))),
};

async function placesOf(plan: string, status: string): Promise<readonly string[]> {
  const { places } = await checkPlanPlaces(plan, files);
  return places.flatMap((one) => (one.status === status ? [one.text] : []));
}

describe('brackets, marks and forms of links around a place that is there belong to no path', () => {
  test.each([
    ['Edit (src/a.js)', ['src/a.js']],
    ['Edit [src/a.js]', ['src/a.js']],
    ['Edit [a.js](src/a.js)', ['src/a.js']],
    ['Edit [the parser](src/a.js) and [its test](test/a.test.js).', ['src/a.js', 'test/a.test.js']],
    ['Edit [src/a.js:2](src/a.js#L2)', ['src/a.js:2', 'src/a.js#L2']],
    ['See [a.js](src/a.js#L2-L5) and [b](./src/b.js#L3).', ['src/a.js#L2-L5', './src/b.js#L3']],
    ['Edit [`src/a.js`](src/a.js)', ['src/a.js']],
    ['- [`page.js`](app/(group)/[id]/page.js)', ['page.js', 'app/(group)/[id]/page.js']],
    ['| [a.js](src/a.js) | src/b.js |', ['src/a.js', 'src/b.js']],
    ['|(src/a.js)|[b](src/b.js)|', ['src/a.js', 'src/b.js']],
    ['関数を追加する(src/a.js)。', ['src/a.js']],
    ['関数「src/a.js」を変更（src/b.js）。', ['src/a.js', 'src/b.js']],
    ['Edit both files (src/a.js / src/b.js)', ['src/a.js', 'src/b.js']],
    ['Edit both ([src/a.js], {src/b.js}).', ['src/a.js', 'src/b.js']],
    ['Edit (src/a.js:2) and (see `src/b.js`).', ['src/a.js:2', 'src/b.js']],
    ['Apply a/src/a.js to b/src/b.js.', ['a/src/a.js', 'b/src/b.js']],
    ['--- a/src/a.js:3', ['a/src/a.js:3']],
    ['Edit app/(group)/[id]/page.js.', ['app/(group)/[id]/page.js']],
    [
      'Edit `app/feed/(..)photo/[[...slug]]/page.tsx` and (pages/[id].tsx).',
      ['app/feed/(..)photo/[[...slug]]/page.tsx', 'pages/[id].tsx'],
    ],
    [
      'See [notes](../plans/notes.md) and [a](../../src/a.js).',
      ['../plans/notes.md', '../../src/a.js'],
    ],
    ['See [notes](notes.md) and [a](/src/a.js).', ['notes.md', '/src/a.js']],
  ])('%s', async (plan, there) => {
    expect(await placesOf(plan, 'there')).toEqual(there);
    expect(await placesOf(plan, 'wrong')).toEqual([]);
  });
});

describe('a line that words give is looked up like one behind a colon', () => {
  test.each([
    'Edit `src/a.js` (line 900).',
    'Edit src/a.js, lines 800-900, and more.',
    '- `src/a.js` (lines 800–900) -- the pattern',
    '[`src/a.js`](src/a.js) L800-L900: the pattern',
    'The check at line 900 of `src/a.js` is too strict.',
    'Look at lines 800-900 in src/a.js.',
    'Edit src/a.js:L900.',
  ])('%s', async (plan) => {
    expect(await placesOf(plan, 'wrong')).toEqual([expect.stringMatching(/^src\/a\.js:L?900$/)]);
  });

  test.each([
    'Edit `src/a.js` (line 9) and src/b.js, lines 3-5.',
    'Look at line 20 of `src/a.js` and lines 2–4 in src/b.js.',
    'Edit `src/a.js` (around line 900).',
    '`src/a.js` has 900 lines; line 900 is empty.',
    '| `src/a.js` | 900 lines |',
  ])('%s', async (plan) => {
    expect(await placesOf(plan, 'wrong')).toEqual([]);
  });
});

describe('what no plan takes to be in the project is no wrong place', () => {
  test.each([
    'Edit src/a.js, not ~~src/gone/old.js~~.',
    '~~Change `lib/gone.js:4`~~ Change `src/a.js`.',
    'Run ./dist/cli.js.',
    'Change `src/a.js`, then run `node dist/bin/cli.js`.',
    'See github.com/x/y/src/f.ts.',
    'See [the original](gitlab.example.org/x/y/blob/main/f.ts#L3).',
    'Read ~/.config/tool/settings.json.',
    'Edit $HOME/tool/settings.json and packages/*/src/index.ts.',
  ])('%s', async (plan) => {
    expect(await placesOf(plan, 'wrong')).toEqual([]);
  });
});

describe('a wrong place is still wrong between brackets, in a link and with a prefix', () => {
  test.each([
    ['Edit (src/invented.js)', 'src/invented.js'],
    ['Edit [invented](src/invented.js)', 'src/invented.js'],
    ['Edit [src/a.js](src/a.js#L900)', 'src/a.js#L900'],
    ['Edit [`src/invented.js`](src/invented.js)', 'src/invented.js'],
    ['| Change | [x](lib/none/x.js) |', 'lib/none/x.js'],
    ['Edit both files (src/a.js / src/invented.js)', 'src/invented.js'],
    ['Edit a/src/invented.js.', 'a/src/invented.js'],
    ['Edit app/(group)/[slug]/page.js.', 'app/(group)/[slug]/page.js'],
    ['Edit [it](../lib/none/x.js).', '../lib/none/x.js'],
    [
      'Add a flag to the parser (src/invented.js) and its tests (test/b.test.js, new)',
      'src/invented.js',
    ],
    ['Add a flag to [the parser](lib/none/parser.js).', 'lib/none/parser.js'],
    ['Change `src/a.js`, not ~~src/b.js~~, but lib/none/x.js.', 'lib/none/x.js'],
    ['Change MyApp.Core/Program.cs.', 'MyApp.Core/Program.cs'],
  ])('%s', async (plan, wrong) => {
    expect(await placesOf(plan, 'wrong')).toEqual([wrong]);
  });
});

test.each([
  '[',
  '(',
  '[a',
  '(a',
  '](',
  '`',
  '~',
  '~~',
  '+',
  '.',
  '/',
  ':',
  ': ',
  'a/',
  'a.',
  '[a](b.js',
  'a->',
  '`a(',
  'a/ ',
  '+/',
  'Add src/a.js ',
  '`src/a.js` ',
  'a.js:1',
  '([a]',
  'word ',
  ' ',
  '-',
])(
  'many characters of %j are read, which a second look at each would take half a minute for',
  { timeout: 20_000 },
  (part) => {
    const text = `Edit ${part.repeat(100_000 / part.length)}`;
    expect(mentionsIn(text)).toBeDefined();
  },
);
