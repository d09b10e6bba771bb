import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkClaims } from '../../../src/phases/discussion/check-references.ts';
import { repositoryOf } from './make.ts';

const root = new URL('../../../', import.meta.url);
const files = globSync('src/**/*.ts', { cwd: root })
  .toSorted()
  .map((path) => ({ path, content: readFileSync(new URL(path, root), 'utf8') }));

interface Line {
  readonly path: string;
  readonly line: number;
  readonly quote: string;
}

/** Lines of our own source that an agent would cite, from all over it; each is in it once. */
const cited: readonly Line[] = files
  .flatMap(({ path, content }) =>
    content
      .split('\n')
      .map((text, index) => ({ path, line: index + 1, quote: text.trim() }))
      .filter(({ quote }) => /[a-z]{3}\w* .*[a-z]{3}/i.test(quote) && quote.length >= 30),
  )
  .filter((_, index) => index % 83 === 0);

const squeezed = (text: string) => text.replaceAll(/\s+/g, '');

const squeezedFiles = new Map(files.map(({ path, content }) => [path, squeezed(content)]));

/** What is left must be long enough to be told from other lines. */
const withoutLastWord = (text: string) =>
  text.lastIndexOf(' ') < 20 ? text : text.slice(0, text.lastIndexOf(' '));

/** In which ways agents are right and wrong about a place. */
const kinds: readonly (readonly [string, string, (line: Line) => Partial<Line>])[] = [
  ['exact', 'verified', () => ({})],
  ['off by three lines', 'verified', ({ line }) => ({ line: line + 3 })],
  [
    'other white space',
    'verified',
    ({ quote }) => ({ quote: `\t${quote.replace(/ /g, '  ')}\r\n` }),
  ],
  ['in back quotes', 'verified', ({ quote }) => ({ quote: `\`${quote}\`` })],
  ['all but its last word', 'verified', ({ quote }) => ({ quote: withoutLastWord(quote) })],
  ['another form of the path', 'verified', ({ path }) => ({ path: `./${path}` })],
  ['far from the line', 'moved', ({ line }) => ({ line: line + 1_000 })],
  ['a file that is yet to be created', 'planned', () => ({ path: 'src/planned.ts' })],
  ['an invented symbol', 'failed', ({ quote }) => ({ quote: quote.replace(/\w{4,}/, '$&Impl') })],
  ['a misspelt path', 'failed', ({ path }) => ({ path: path.replace(/\.ts$/, 's.ts') })],
  ['a path outside', 'failed', ({ path }) => ({ path: `../${path}` })],
  ['the wrong file', 'failed', () => ({ path: 'src/model/json.ts' })],
  ['no quote', 'failed', () => ({ quote: ' ' })],
];

const planted = kinds.map(([, expected, changed]) =>
  cited
    .map((line) => ({ statement: 'It is done here.', ...line, ...changed(line) }))
    .filter((claim) => expected !== 'failed' || !isTrue(claim)),
);

/** All kinds at once, so that each file is folded once; in the order of the claims. */
const allChecked = checkClaims({
  repository: repositoryOf(files),
  agent: 'planter',
  claims: planted.flat(),
  planned: new Set(['src/planned.ts']),
});

test.each(kinds.map(([kind, expected], at) => [kind, expected, at] as const))(
  'of claims about our own source, %s is %s',
  async (_, expected, at) => {
    const claims = planted[at] ?? [];
    const from = planted.slice(0, at).flat().length;
    const checked = (await allChecked).slice(from, from + claims.length);
    const other = checked.filter(({ status }) => status !== expected);
    expect(claims.length).toBeGreaterThan(100);
    expect(checked.length).toBe(claims.length);
    // A piece of a line may also be found nearer, or its like where the agent was not looking.
    expect(other.length / claims.length, JSON.stringify(other.slice(0, 3))).toBeLessThanOrEqual(
      0.01,
    );
  },
);

/** Without the code under test: whether the file has this quote, all white space taken out. */
function isTrue({ path, quote }: Line): boolean {
  return quote !== ' ' && (squeezedFiles.get(path) ?? '').includes(squeezed(quote));
}
