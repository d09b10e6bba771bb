import { expect, test } from 'vitest';
import { keywordsOf } from '../../src/context/keywords.ts';
import { contextProviders } from '../../src/context/providers.ts';
import type { Repository } from '../../src/git/repository.ts';
import { RelevantFile } from '../../src/model/context.ts';
import { tempRepository } from '../git/temp-repository.ts';

const { signal } = new AbortController();

async function found(
  name: string,
  repository: Repository,
  task: string,
): Promise<readonly RelevantFile[]> {
  const [provider] = contextProviders([name], { repository });
  const query = { root: repository.root, task, keywords: keywordsOf(task) };
  const result = await provider?.search(query, { maxFiles: 10, timeoutMs: 10_000, signal });
  if (result?.ok === false && result.failure.reason === 'found nothing') return [];
  if (result?.ok !== true) throw new Error(`${name}: ${result?.failure.reason}`);
  return result.value.map((file) => RelevantFile.parse(file));
}

const filler = Array.from({ length: 100 }, (_, line) => `// line ${line}`).join('\n');
const files = {
  'src/date.ts': `${filler}\nexport function parseDate(text: string): Date {\n  // no timezone yet\n  return new Date(text);\n}\n${filler}\n`,
  'src/money.ts': 'export function parseMoney(text: string): number {\n  return Number(text);\n}\n',
  'src/calendar/view.ts':
    "import { parseDate } from '../date.ts';\nexport const today = parseDate('now');\n",
  'test/date.test.ts': "import { parseDate } from '../src/date.ts';\nparseDate('2026');\n",
  'README.md': '# Dates\nUse parseDate.\n',
  'package-lock.json': '{"parseDate": 1, "timezone": 2}\n',
  'src/update.ts': 'export function update(): void {}\n',
};

test.each(['ripgrep', 'scan'])(
  '%s finds the file of the task with its best part and says why',
  async (name) => {
    await using repo = await tempRepository();
    await repo.commit('start', files);
    await repo.write({ '.workflow/notes.md': 'parseDate timezone', 'ignored.log': 'parseDate' });
    const [first, ...rest] = await found(
      name,
      await repo.open(),
      'Add timezone support to parseDate',
    );
    expect(first).toMatchObject({ path: 'src/date.ts', symbols: ['parseDate'] });
    expect(first?.start).toBeGreaterThan(90);
    expect((first?.end ?? 0) - (first?.start ?? 0)).toBeLessThan(60);
    expect(first?.reasons).toContain('defines parseDate');
    expect(first?.reasons.join()).toMatch(
      /mentions .*parseDate.*timezone.*\(\d+ hits\)|mentions .*timezone.*parseDate.*\(\d+ hits\)/,
    );
    expect(first?.reasons).toContain('the path contains date');
    const paths = rest.map(({ path }) => path);
    expect(paths).toContain('test/date.test.ts');
    expect(paths).not.toContain('src/update.ts');
    expect(paths.join()).not.toContain('.workflow');
  },
);

test.each(['git', 'plain'] as const)('ripgrep and scan agree (%s)', async (kind) => {
  await using repo = await tempRepository(kind);
  await repo.write(files);
  const repository = await repo.open();
  const task = 'parseDate and parsing of money, calendar view';
  expect(await found('ripgrep', repository, task)).toEqual(await found('scan', repository, task));
});

test.each(['ripgrep', 'scan'])('%s puts the file first that the task names', async (name) => {
  await using repo = await tempRepository();
  await repo.commit('start', files);
  const [first] = await found(name, await repo.open(), 'Tidy up src/money.ts');
  expect(first?.path).toBe('src/money.ts');
  expect(first?.reasons[0]).toBe('the task names this file');
});

test.each(['ripgrep', 'scan'])(
  '%s ranks sources above tests and documents, lock files last',
  async (name) => {
    await using repo = await tempRepository();
    await repo.commit('start', {
      'src/invoice.ts': 'const invoice = 1;\n',
      'src/invoice.test.ts': 'const invoice = 1;\n',
      'docs/invoice.md': 'const invoice = 1;\n',
      'invoice-lock.json': 'const invoice = 1;\n',
    });
    const ranked = await found(name, await repo.open(), 'invoice');
    expect(ranked.map(({ path }) => path)).toEqual([
      'src/invoice.ts',
      'src/invoice.test.ts',
      'docs/invoice.md',
      'invoice-lock.json',
    ]);
  },
);

test.each(['ripgrep', 'scan'])(
  '%s is not led astray by odd contents and odd words',
  async (name) => {
    await using repo = await tempRepository();
    await repo.write({
      'binary.dat': Buffer.from('needle\0needle'),
      'long.js': `${'x'.repeat(500_000)} needle ${'y'.repeat(500_000)}`,
      'latin1.txt': Buffer.from([0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0xe9, 0x0a]),
      'a:b.ts': 'export const needle = 1;\n',
      '-e': 'needle\n',
      'empty.ts': '',
    });
    const repository = await repo.open();
    const paths = (await found(name, repository, 'needle')).map(({ path }) => path);
    expect(paths).toContain('a:b.ts');
    expect(paths).not.toContain('binary.dat');
    expect(await found(name, repository, '`-rf` and `$(touch` --pre=x haystackless')).toEqual([]);
  },
);

test.each(['ripgrep', 'scan'])(
  '%s says so when the task names nothing, and stops when told',
  async (name) => {
    await using repo = await tempRepository();
    await repo.commit('start', files);
    const repository = await repo.open();
    const [provider] = contextProviders([name], { repository });
    const limits = { maxFiles: 10, timeoutMs: 1000, signal };
    const query = { root: repo.root, task: '', keywords: [] };
    expect(await provider?.search(query, limits)).toEqual({
      ok: false,
      failure: { reason: 'found no word in the task to search for' },
    });
    const stopped = { ...limits, signal: AbortSignal.abort(new Error('stop')) };
    await expect(provider?.search({ ...query, keywords: ['date'] }, stopped)).rejects.toThrow(
      'stop',
    );
  },
);

test('the part that is shown is that of the base, also when the file has changed since', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', { 'a.ts': `export function needle() {}\n` });
  const repository = await repo.open();
  await repo.write({ 'a.ts': `${filler}\nexport function needle() {}\n` });
  const [first] = await found('ripgrep', repository, 'needle');
  expect(first).toMatchObject({ path: 'a.ts', start: 1, end: 1 });
});

test('a provider that does not exist is a bug', async () => {
  await using repo = await tempRepository('plain');
  const repository = await repo.open();
  expect(() => contextProviders(['scan', 'toString'], { repository })).toThrow('toString');
});
