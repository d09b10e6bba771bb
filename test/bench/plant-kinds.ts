import type { Claim } from '../../src/model/proposal.ts';
import type { ReferenceStatus } from '../../src/model/synthesis.ts';
import type { SourceFile } from './planted-references.ts';
import type { Dice } from './seeded-dice.ts';

/** A line worth quoting; `line` counts from 1. */
export interface SourceLine {
  readonly file: SourceFile;
  readonly line: number;
  readonly text: string;
}

/** What plants grow from. */
interface Soil {
  readonly files: readonly SourceFile[];
  readonly deleted: readonly SourceFile[];
  readonly planned: readonly string[];
  readonly random: Dice;
}

/** One way in which agents are right or wrong about a place. `plant` gives null if it cannot. */
export interface PlantKind {
  readonly name: string;
  readonly genuine: boolean;
  readonly expected: ReferenceStatus;
  plant(source: SourceLine, soil: Soil): Claim | null;
}

/** True and false ones in turn, so that any number of plants has about half of each. */
export const plantKinds: readonly PlantKind[] = [
  right('exact', 'verified', (source) => claimOf(source)),
  wrong('quote that exists nowhere', (source, { random }) => ({
    ...claimOf(source),
    line: random.between(1, lineCount(source.file)),
    quote: `const ${random.pick(inventions)} = await ${random.pick(inventions)}Registry.resolve();`,
  })),
  right('off by a few lines', 'verified', (source, { random }) => ({
    ...claimOf(source),
    line: Math.max(1, source.line + random.pick([-3, -2, -1, 1, 2, 3])),
  })),
  wrong('wrong file', (source, { files, random }) => ({
    ...claimOf(source),
    path: random.pick(files).path,
  })),
  right('moved', 'moved', (source, { random }) => {
    const line = random.between(1, lineCount(source.file));
    return isNear(source, line) ? null : { ...claimOf(source), line };
  }),
  wrong('misspelt path', (source, { random }) => ({
    ...claimOf(source),
    path: misspelt(source.file.path, random),
  })),
  right('other white space', 'verified', (source) => ({
    ...claimOf(source),
    quote: `\t${source.text.replaceAll(' ', '  ').replaceAll(/([(,{;])/g, '$1 ')}\r\n`,
  })),
  wrong('invented symbol', (source, { random }) =>
    withQuote(
      source,
      replaceWord(source.text, random, (word) => `${word}${random.pick(suffixes)}`),
    ),
  ),
  right('planned file', 'planned', (source, { planned, random }) => ({
    ...claimOf(source),
    path: random.pick(planned),
  })),
  wrong('changed token', (source, { random }) => withQuote(source, changedToken(source, random))),
  right('dressed quote', 'verified', (source, { random }) => ({
    ...claimOf(source),
    quote: dressed(source.text, random),
  })),
  wrong('line beyond the end', (source, { files, random }) => {
    const other = random.pick(files);
    return {
      ...claimOf(source),
      path: other.path,
      line: lineCount(other) + random.between(1, 400),
    };
  }),
  right('several lines', 'verified', (source) => {
    const next = linesOf(source.file)[source.line];
    return next === undefined ? null : { ...claimOf(source), quote: `${source.text}\n${next}` };
  }),
  wrong('path outside', (source, { random }) => ({
    ...claimOf(source),
    path: random.pick(['../', '/etc/', '~/', 'src/../../', 'C:\\']) + source.file.path,
  })),
  right('other form of the path', 'verified', (source, { random }) => ({
    ...claimOf(source),
    path: random.pick([`./${source.file.path}`, `a/${source.file.path}`]),
  })),
  wrong('deleted file', (source, { deleted, random }) => ({
    ...claimOf(source),
    path: random.pick(deleted).path,
  })),
  wrong('other case', (source, { random }) =>
    withQuote(source, replaceWord(source.text, random, otherCase)),
  ),
  right('piece of the line', 'verified', (source, { random }) => {
    const words = source.text.split(' ');
    const quote = words.slice(0, random.between(2, words.length)).join(' ');
    return quote.length < 16 ? null : { ...claimOf(source), quote };
  }),
  wrong('no quote', (source) => ({ ...claimOf(source), quote: ' ' })),
  wrong('shortened name', (source, { random }) => shortened(source, random)),
];

/** The lines that an agent would cite: with a name, and not a mere end of something. */
export function sourceLines(files: readonly SourceFile[]): readonly SourceLine[] {
  return files.flatMap((file) =>
    linesOf(file)
      .map((line, index) => ({ file, line: index + 1, text: line.trim() }))
      .filter(({ text }) => text.length >= 16 && text.length <= 160 && namesIn(text).length >= 2),
  );
}

const inventions = ['sessionBroker', 'tokenLedger', 'shardPlanner', 'quorumGate', 'driftOracle'];
const suffixes = ['Impl', 'V2', 'Async', 'Internal', 'OrThrow'];

type Sow = (source: SourceLine, soil: Soil) => Claim | null;

function right(name: string, expected: ReferenceStatus, plant: Sow): PlantKind {
  return { name, genuine: true, expected, plant };
}

function wrong(name: string, sow: Sow): PlantKind {
  return {
    name,
    genuine: false,
    expected: 'failed',
    plant(source, soil) {
      const claim = sow(source, soil);
      return claim === null || couldBeTrue(claim, name, soil.files) ? null : claim;
    },
  };
}

/** Looks with all white space taken out, so it sees more than the code under test may. */
function couldBeTrue({ path, quote }: Claim, kind: string, files: readonly SourceFile[]): boolean {
  const file = files.find((one) => one.path === path);
  if (file === undefined || kind === 'no quote' || kind === 'shortened name') return false;
  return squeezed(file.content).includes(squeezed(quote));
}

function claimOf({ file, line, text }: SourceLine): Claim {
  return { statement: 'It is done here.', path: file.path, line, quote: text };
}

function withQuote(source: SourceLine, quote: string | null): Claim | null {
  return quote === null || quote === source.text ? null : { ...claimOf(source), quote };
}

function isNear({ file, text }: SourceLine, line: number): boolean {
  const around = linesOf(file).slice(Math.max(0, line - 5), line + 4);
  return squeezed(around.join('\n')).includes(squeezed(text.replace(/[.,;:]$/, '')));
}

function misspelt(path: string, random: Dice): string {
  const at = random.between(path.lastIndexOf('/') + 1, path.length - 4);
  return random.pick([
    path.slice(0, at) + path.slice(at + 1),
    `${path.slice(0, at)}x${path.slice(at)}`,
    path.replace(
      /([a-z])([^/]*)$/,
      (_, letter: string, rest: string) => letter.toUpperCase() + rest,
    ),
    path.replace(/\.(\w+)$/, 's.$1'),
  ]);
}

function changedToken({ text, file }: SourceLine, random: Dice): string | null {
  const number = /\d+/.exec(text);
  if (number !== null) return text.replace(number[0], String(Number(number[0]) + 1));
  for (const [from, to] of [
    [' === ', ' !== '],
    [' && ', ' || '],
    [' < ', ' > '],
    [' + ', ' - '],
    ['true', 'false'],
  ] as const) {
    if (text.includes(from)) return text.replace(from, to);
  }
  const names = namesIn(file.content);
  return replaceWord(text, random, () => random.pick(names));
}

function dressed(text: string, random: Dice): string {
  const half = text.indexOf(' ', Math.floor(text.length / 2));
  return random.pick([
    `\`${text}\``,
    `"${text}".`,
    `“${text}”`,
    `\`\`\`ts\n${text}\n\`\`\``,
    `  12→${text}`,
    `${text} …`,
    half > 12 ? `${text.slice(0, half)}...` : `... ${text}`,
  ]);
}

function shortened(source: SourceLine, random: Dice): Claim | null {
  const long = namesIn(source.text).filter((name) => name.length >= 8);
  if (long.length === 0) return null;
  const name = random.pick(long);
  const short = name.slice(0, random.between(4, name.length - 2));
  const quote = source.text.slice(0, source.text.indexOf(name)) + short;
  const isName = new RegExp(`(?<![\\w$])${short.replaceAll('$', '\\$')}(?![\\w$])`);
  return quote.length < 12 || isName.test(source.file.content)
    ? null
    : { ...claimOf(source), quote };
}

function replaceWord(text: string, random: Dice, change: (word: string) => string): string | null {
  const names = namesIn(text);
  if (names.length === 0) return null;
  const name = random.pick(names);
  return text.replace(name, change(name));
}

function otherCase(word: string): string {
  const [first = ''] = word;
  const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  return other + word.slice(1);
}

function namesIn(text: string): readonly string[] {
  return text.match(/(?<![\w$])[A-Za-z_$][\w$]{3,}(?![\w$])/g) ?? [];
}

function linesOf({ content }: SourceFile): readonly string[] {
  return content.replace(/\n$/, '').split('\n');
}

function lineCount(file: SourceFile): number {
  return linesOf(file).length;
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
