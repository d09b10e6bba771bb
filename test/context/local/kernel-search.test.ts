import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { liveDocuments } from '../../../src/context/local/documents.ts';
import { contentScores, rareness } from '../../../src/context/local/file-scores.ts';
import { pastCommits } from '../../../src/context/local/past-commits.ts';
import { pathScores } from '../../../src/context/local/path-scores.ts';
import { searchKernel } from '../../../src/context/local/search-kernel.ts';
import { searchedTree } from '../../../src/context/local/searched-tree.ts';
import { openStore } from '../../../src/context/local/segment-store.ts';
import { segmentWriter } from '../../../src/context/local/segment-writer.ts';
import type { TaskTerm } from '../../../src/context/local/task-terms.ts';
import { termsOf, tokensIn } from '../../../src/context/local/terms.ts';
import { folderOf, isFolderEntry, stemOf } from '../../../src/git/paths.ts';
import { addText } from './add-text.ts';
import { indexRoom } from './search.ts';

const terms: readonly TaskTerm[] = ['pars', 'dat', 'lin', '=parsedat'].map((term, at) => ({
  word: term,
  term,
  weight: 1 + at / 3,
  isJoint: term.startsWith('='),
}));

interface Block {
  readonly words: readonly string[];
  readonly times: number;
  readonly defined: readonly string[];
}

interface Document {
  readonly blocks: readonly Block[];
  readonly isLive: boolean;
}

const words = fc.array(fc.constantFrom('parse', 'date', 'line', 'parseDate', 'other', 'moon'), {
  maxLength: 3,
});
const someBlock = fc.record({
  words,
  times: fc.constantFrom(1, 2, 5, 200),
  defined: fc.subarray(['parseDate', 'line']),
});
const someDocument = fc.record({
  blocks: fc.array(someBlock, { maxLength: 7 }),
  isLive: fc.boolean(),
});

test('the kernel weighs contents as a plain count of their words does', async () => {
  await using room = await indexRoom();
  const segments = fc.array(fc.array(someDocument, { minLength: 1, maxLength: 5 }), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(segments, (given) => {
      const { documents, close } = indexed(room.folder, given);
      const scores = contentScores(searchKernel(), { terms, documents });
      const plain = plainScores(given.flat().filter(({ isLive }) => isLive));
      expect(scores.terms.map(({ value }) => value)).toEqual(plain.values);
      for (const field of ['body', 'joints', 'definitions', 'definedJoints', 'window'] as const) {
        expect(rounded(scores[field])).toEqual(rounded(plain.scores.map((one) => one[field])));
      }
      expect([...scores.windowStart]).toEqual(
        plain.scores.map(({ windowStart }) => Math.max(0, windowStart)),
      );
      for (const [document, { counts }] of plain.scores.entries()) {
        expect(scores.countsIn(document)).toEqual(counts);
      }
      close();
    }),
    { numRuns: 60 },
  );
});

test('of a large segment only parts are read, and they hold the same', async () => {
  await using room = await indexRoom();
  const many = Array.from({ length: 8000 }, (_, at) => `word${at.toString(36)}x`);
  const blocks = [
    { words: many, times: 1, defined: [] },
    { words: ['parse'], times: 9, defined: [] },
  ];
  const { documents, close } = indexed(room.folder, [[{ blocks, isLive: true }]]);
  const scores = contentScores(searchKernel(), { terms: terms.slice(0, 1), documents });
  expect(scores.countsIn(0)).toEqual([9]);
  close();
});

/** The live documents in a store of these segments. */
function indexed(folder: string, segments: readonly (readonly Document[])[]) {
  const store = openStore(folder, () => expect.unreachable());
  const given = new Map(
    segments.map((documents) => {
      const before = new Set(store.segments);
      store.add(written(documents));
      const segment = store.segments.find((one) => !before.has(one));
      if (segment === undefined) throw new Error('it was not added');
      return [segment, documents] as const;
    }),
  );
  const documents = liveDocuments(
    [...given.keys()],
    (segment, index) => given.get(segment)?.[index]?.isLive === true,
  );
  const close = (): void => {
    for (const segment of store.segments) store.remove(segment);
  };
  return { documents, close };
}

function written(documents: readonly Document[]): readonly Buffer[] {
  const writer = segmentWriter();
  for (const { blocks } of documents) {
    for (const { defined, ...block } of blocks)
      addText(
        writer,
        textOf(block),
        defined.map((name) => ({ name, at: null })),
      );
    writer.endDocument({ key: '\0'.repeat(16), lines: 1, kind: 0, payload: '' });
  }
  return writer.finish();
}

function textOf({ words: own, times }: Pick<Block, 'words' | 'times'>): string {
  return `${own.join(' ')}\n`.repeat(times);
}

/** What the kernel should say, counted anew for each number. */
function plainScores(documents: readonly Document[]) {
  const counted = documents.map(({ blocks }) => blocks.map(countedBlock));
  const values = terms.map(({ term, weight }) => {
    const having = counted.filter((blocks) => blocks.some(({ all }) => all.includes(term)));
    return weight * rareness(having.length, documents.length);
  });
  const lengths = counted.map((blocks) => blocks.flatMap(({ all }) => all).length);
  const average = Math.max(1, total(lengths) / Math.max(1, documents.length));
  const scores = counted.map((blocks, document) => {
    const ratio = (lengths[document] ?? 0) / average;
    const texts = blocks.map(({ all }) => all);
    const windows = texts.map((_, start) => {
      const found = saturated(texts.slice(start, start + 3).flat(), { values, norm: 0.6 });
      return found.words + found.joints / 2;
    });
    const window = Math.max(0, ...windows);
    const inAll = saturated(texts.flat(), { values, norm: 1.2 * (0.25 + 0.75 * ratio) });
    const defined = blocks.flatMap((block) => block.defined);
    const inDefined = saturated(defined, { values, norm: 0.6 });
    return {
      body: 2.2 * inAll.words,
      joints: 2.2 * inAll.joints,
      definitions: inDefined.words,
      definedJoints: inDefined.joints,
      window,
      windowStart: windows.findIndex((one) => one > window - 1e-9),
      counts: terms.map(({ term }) => countOf(term, texts.flat())),
    };
  });
  return { values, scores };
}

function countedBlock(block: Block) {
  return {
    all: tokensIn(textOf(block)).flatMap(termsOf),
    defined: block.defined.flatMap(termsOf),
  };
}

function saturated(
  found: readonly string[],
  { values, norm }: { readonly values: readonly number[]; readonly norm: number },
) {
  const shares = terms.map(({ term, isJoint }, at) => {
    const count = countOf(term, found);
    return { isJoint, share: ((values[at] ?? 0) * count) / (count + norm) };
  });
  const sum = (wanted: boolean): number =>
    total(shares.map(({ isJoint, share }) => (isJoint === wanted ? share : 0)));
  return { words: sum(false), joints: sum(true) };
}

function countOf(term: string, found: readonly string[]): number {
  return found.filter((one) => one === term).length;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

test('the kernel finds the terms in a path that its names have, in any script', () => {
  const short = ['=pa', '=pr', '=apr', 'par', 'xp', 'pa2'];
  const wanted = [
    ...terms,
    ...short.map((term) => ({ word: term, term, weight: 1, isJoint: false })),
  ];
  const piece = fc.constantFrom(
    'parse',
    'dates',
    'parse-date',
    'über',
    'mod',
    'index',
    '日本',
    'a.b',
  );
  const odd = fc.string({
    unit: fc.constantFrom('p', 'P', 'a', 'A', 'r', 'R', 'x', '2', '_', '$', '-', '.'),
    maxLength: 8,
  });
  const usual = ['parse_date.ts', 'index.ts', 'mod.rs', '.line', 'Line', 'x.date.py', '2Parse.ts'];
  const name = fc.oneof(
    fc.constantFrom(...usual),
    odd.map((text) => `x${text}`),
  );
  const path = fc.tuple(fc.array(piece, { maxLength: 3 }), name).map((one) => one.flat().join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
      const found = paths.map(sharesIn);
      const scores = found.map((shares) =>
        wanted.reduce((sum, { term, weight }) => {
          const having = found.filter((other) => other.has(term)).length;
          return sum + (shares.get(term) ?? 0) * rareness(having, paths.length) * weight;
        }, 0),
      );
      const weighed = pathScores(wanted, searchedTree(searchKernel(), paths));
      expect(rounded(weighed)).toEqual(rounded(scores));
    }),
  );
});

function sharesIn(path: string): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  const folders = folderOf(path).split('/');
  const add = (text: string, share: number): void => {
    const names = text.split(/[^\p{L}\p{N}_$-]+/u);
    for (const term of names.flatMap(termsOf)) shares.set(term, share);
  };
  for (const [at, folder] of folders.entries()) {
    add(folder, at === folders.length - 1 && isFolderEntry(path) ? 1 : 0.5);
  }
  add(stemOf(path), 1);
  return shares;
}

test('the kernel knows what each commit touched of the tree, and which messages have a term', async () => {
  await using room = await indexRoom();
  const past = [
    { message: 'Parse dates', files: ['a/b.ts', 'gone.ts', 'ü.ts'] },
    { message: 'Nothing', files: [] },
    { message: 'Read the line', files: ['c.ts'] },
    { message: 'Date the date', files: ['c.ts', 'a/b.ts'] },
  ];
  const store = openStore(room.folder, () => expect.unreachable());
  const writer = segmentWriter();
  for (const { message, files } of past) {
    addText(writer, message);
    const payload = [message, ...files].join('\0');
    writer.endDocument({ key: '\0'.repeat(16), lines: 0, kind: files.length, payload });
  }
  store.add(writer.finish());
  const [segment] = store.segments;
  if (segment === undefined) throw new Error('it was not added');
  // The oldest was written first; one of them is not asked for.
  const numbers = Int32Array.of(2, -1, 1, 0);
  const commits = { ids: ['d', 'c', 'a'], parts: [{ segment, numbers }], read: 0, isCut: false };
  const tree = searchedTree(searchKernel(), ['ü.ts', 'c.ts', 'a/b.ts', 'other.ts']);
  const found = pastCommits(terms, { commits, tree });
  expect([...found.files]).toEqual([2, 1, 3]);
  expect(commits.ids.map((_, commit) => [...found.touchedBy(commit)])).toEqual([
    [1, 2],
    [1],
    [2, 0],
  ]);
  expect(terms.map((_, term) => Array.from(found.having(term).toSorted()))).toEqual([
    [2],
    [0, 2],
    [1],
    [],
  ]);
  expect([...found.documents]).toEqual([1, 2, 1, 0]);
  store.close();
});

function rounded(values: Iterable<number>): readonly string[] {
  return Array.from(values, (value) => value.toFixed(9));
}
