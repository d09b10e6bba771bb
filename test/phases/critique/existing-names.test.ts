// Tests of which names and files of a plan are wrong because they are said to exist, and do not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkPlan } from '../../../src/phases/critique/check-work-tree.ts';
import { type TempRepository, tempRepository } from '../../git/temp-repository.ts';

const files = {
  'package.json': '{ "name": "exporter", "dependencies": { "commander": "12" } }\n',
  'src/export/csv.ts':
    "import { formatCell } from './cells.ts';\nexport function toRows(list: string[]) {\n  return list.map((one) => formatCell(one));\n}\n",
  'src/export/cells.ts': 'export function formatCell(one: string) {\n  return one;\n}\n',
  'src/export/table.ts':
    'export class RowTable {\n  rows = [];\n  addRow(row) {\n    this.rows.push(row);\n  }\n}\nexport class BigTable extends RowTable {}\nexport class Stream extends EventEmitter {}\n@dynamic\nexport class Model {}\n',
  'src/rows.py':
    'from dataclasses import dataclass\n\n@dataclass(frozen=True)\nclass RowPage:\n    first: int\n\n@registered\nclass RowStore:\n    pass\n',
  'src/Rows.cs':
    'public sealed class RowFile\n{\n    public int Size;\n}\n\n[Serializable]\npublic class RowLog\n{\n}\n\npublic partial class RowView\n{\n}\n',
  'src/config.ts': 'export const config = { retries: 3 };\n',
  'src/cli.ts':
    "import { toRows } from './export/csv.ts';\nimport { Command } from 'commander';\nexport function main(args: string[]) {\n  const options = { format: 'csv' };\n  console.log(toRows(args), config.retries, options);\n}\n",
  'src/flask/__init__.py': 'from . import json as json\n',
  'src/flask/json/__init__.py': 'from .provider import X\ndef dumps(obj):\n    return obj\n',
  'src/flask/cli.py':
    'import click\nfrom flask.json import dumps\ndef routes_command(order):\n    rows = []\n    click.echo(rows)\n',
  'docs/api.md': 'The old `csv.toLines()` is gone.\n',
};

let repo: TempRepository;
beforeAll(async () => {
  repo = await tempRepository();
  await repo.commit('Start', files);
});
afterAll(() => repo[Symbol.asyncDispose]());

async function statuses(plan: string, wanted: string): Promise<readonly string[]> {
  const { places } = await checkPlan(`${plan}\n`, repo.root, new AbortController().signal);
  return places.flatMap(({ status, text }) => (status === wanted ? text : []));
}

describe('what a plan takes to be there, and no file has, is wrong', () => {
  test.each([
    ['Reuse the existing helper flask.json.to_table() to print.', 'flask.json.to_table'],
    ['Reuse `flask.json.to_table`.', 'flask.json.to_table'],
    ['Call `csv.toTable()` in src/cli.ts.', 'csv.toTable'],
    ['Extend `csv.toTable` by a header.', 'csv.toTable'],
    ['Change `formatRows()` in src/export/csv.ts so that it quotes.', 'formatRows'],
    ['Call the existing `formatRows()` in src/export/csv.ts.', 'formatRows'],
    ['Call `formatRows()` in src/export/csv.ts.', 'formatRows'],
    ['Sort it by `RowSorter`, which src/export/csv.ts already has.', 'RowSorter'],
    ['Change the function format_rows in src/flask/cli.py.', 'format_rows'],
    ['Call RowTable.sortAll before printing.', 'RowTable.sortAll'],
    ['Use `BigTable.sortRows()`.', 'BigTable.sortRows'],
    ['Rename `formatRows` in src/export/csv.ts to `formatLines`.', 'formatRows'],
    ['Extend the `sortRows()` method of `RowTable` in `src/export/table.ts`.', 'sortRows'],
    ['In src/export/csv.ts, extend `formatRows()` by a flag.', 'formatRows'],
    ['Import `formatRows` from src/export/csv.ts.', 'formatRows'],
    ['Use src/export/csv.ts’s `formatRows()`.', 'formatRows'],
    ['**Reuse:**\n- `csv.toTable()`: prints', 'csv.toTable'],
    ['Reuse:\n- `formatRows()` in src/export/csv.ts', 'formatRows'],
    ['In src/flask/routes.py change the header.', 'src/flask/routes.py'],
    ['In `src/flask/routes.py`, update the header.', 'src/flask/routes.py'],
    ['Modify src/export/json.ts.', 'src/export/json.ts'],
    ['**Files:**\n- Modify: `src/export/json.ts`', 'src/export/json.ts'],
    ['## Modify\n\n- `src/export/json.ts`: the header', 'src/export/json.ts'],
    ['Update the existing `src/export/json.ts`.', 'src/export/json.ts'],
    ['Extend src/export/csv.ts:400.', 'src/export/csv.ts:400'],
    ['- `src/export/csv.ts`: extend `formatRows()` by a flag', 'formatRows'],
    ['- Modify: `src/export/csv.ts` — change the `formatRows` helper', 'formatRows'],
    ['Rename `formatRows()` to `formatLines()` in src/export/csv.ts.', 'formatRows'],
    ['Follow the existing `formatRows` pattern in src/export/csv.ts.', 'formatRows'],
    ['Use `formatRows` (from `src/cli.ts`) for it.', 'formatRows'],
    ['Use `formatRows()`, which `src/cli.ts` already has.', 'formatRows'],
    ['Reuse `RowPage.previousPage()`.', 'RowPage.previousPage'],
    ['Call `RowFile.ReadAll()` first.', 'RowFile.ReadAll'],
  ])('%s', async (plan, wrong) => {
    expect(await statuses(plan, 'wrong')).toEqual([wrong]);
  });
});

describe('what a plan introduces anywhere is never wrong', () => {
  test.each([
    'Call `csv.toTable()` in src/cli.ts.\n\nAdd `csv.toTable()` to src/export/csv.ts.',
    'Rename `toRows` to `toLines` and call `toLines` in src/export/cells.ts.',
    'Extend src/export/csv.ts with `toTable()`. Then call `csv.toTable()`.',
    'Add a method called sortAll to `RowTable`. Call `RowTable.sortAll()`.',
    'Add a sortAll method to RowTable. Call `RowTable.sortAll()`.',
    'Implement `RowTable.sortAll()` in src/export/table.ts, then call `RowTable.sortAll()`.',
    'Define `RowTable.width`. Use `RowTable.width`.',
    'Introduce `formatRows` (src/export/csv.ts). Change `formatRows()` in src/export/csv.ts.',
    'Extract `formatRows` from src/export/csv.ts. Call `formatRows()` in src/export/csv.ts.',
    'Export `formatRows` from src/export/csv.ts. Import `formatRows` from src/export/csv.ts.',
    'Write `formatRows()`. Reuse `formatRows()` in src/export/csv.ts.',
    '## New functions\n\n- `formatRows()` in src/export/csv.ts\n\n## Steps\n\nCall the existing `formatRows()` in src/export/csv.ts.',
    '## Add\n\n- `formatRows()`\n\n## Modify\n\n- `formatRows()` in src/export/csv.ts',
    '```ts\nexport function formatRows(rows: string[]) {\n}\n```\nCall `formatRows()` in src/export/csv.ts.',
    '```ts\nclass RowTable {\n  sortAll(by: string) {\n```\nCall `RowTable.sortAll()`.',
    '`formatRows()` (new) quotes. Change `formatRows()` in src/export/csv.ts.',
    'The signature is `formatRows(rows: Row[]): string`. Call `formatRows()` in src/export/csv.ts.',
    'Create src/export/json.ts. Modify src/export/json.ts so that it quotes.',
    '- `src/export/json.ts` (new)\n\nUpdate `src/export/json.ts`.',
    'Move src/export/csv.ts to src/csv/index.ts. Change src/csv/index.ts.',
    'If `RowTable.sortAll` is missing, write it.',
  ])('%s', async (plan) => {
    expect(await statuses(plan, 'wrong')).toEqual([]);
  });
});

describe('a name that may come from elsewhere is not found, and not wrong', () => {
  test.each([
    ['a bare call', 'Call `helperOfMine()` first.', 'helperOfMine'],
    ['a bare name', 'Change the function format_rows.', 'format_rows'],
    [
      'a function of the language',
      'Call `structuredClone(rows)` in src/export/csv.ts.',
      'structuredClone',
    ],
    ['a method of the language', 'Use `toSorted()` in src/export/csv.ts.', 'toSorted'],
    ['a module of the language', 'Use `path.relative()` in src/export/csv.ts.', 'path.relative'],
    ['another one', 'Use `json.to_table()`.', 'json.to_table'],
    ['a dependency', 'Call `commander.createOption()`.', 'commander.createOption'],
    ['a function where one is imported', 'Call `secho_all()` in src/flask/cli.py.', 'secho_all'],
    ['a member of a dependency’s base', 'Use `Stream.onceAll()`.', 'Stream.onceAll'],
    ['a member that is made while it runs', 'Use `Model.findByName()`.', 'Model.findByName'],
    ['a property of a variable', 'Extend `config.timeoutMs` to 5.', 'config.timeoutMs'],
    ['one of another variable', 'Change `options.verboseAll` in src/cli.ts.', 'options.verboseAll'],
    ['the second object of a verb', 'Extend `toRows` with `csv.toTable` in mind.', 'csv.toTable'],
    ['what a document knows', 'Call `csv.toLines()`.', 'csv.toLines'],
    ['a class of nobody', 'Call RouteTable.sortAll to sort them.', 'RouteTable.sortAll'],
    ['one that is not called', 'Do not call `csv.toTable()`.', 'csv.toTable'],
    ['a member where a decorator makes them', 'Use `RowStore.findAll()`.', 'RowStore.findAll'],
    ['one where an attribute does', 'Use `RowLog.WriteAll()`.', 'RowLog.WriteAll'],
    ['one of a part of a class', 'Use `RowView.ShowAll()`.', 'RowView.ShowAll'],
    ['a function where one is used', '- src/cli.ts: call `argumentOf()`', 'argumentOf'],
    ['one that is called from there', 'Call `argumentOf()` from src/cli.ts.', 'argumentOf'],
    ['an error', 'Change `ExportTableError` in src/export/csv.ts.', 'ExportTableError'],
  ])('%s: %s', async (_, plan, name) => {
    expect(await statuses(plan, 'wrong')).toEqual([]);
    expect([...(await statuses(plan, 'not-found')), ...(await statuses(plan, 'new'))]).toEqual([
      name,
    ]);
  });
});

describe('what is there is there, however it is spelled', () => {
  test.each([
    'Change `formatCell()` in src/export/cells.ts.',
    'Call `RowTable.addRow()` and `RowTable.name`.',
    'Modify `@/export/csv.ts` and `src/export/csv.js`.',
    'Modify export/csv.ts and b/src/cli.ts.',
    'Change src/export/csv.ts:3-5 and [it](src/cli.ts#L2).',
    'Call `click.echo()` in src/flask/cli.py.',
    'Reuse `flask.json.dumps` and `json.dumps()`.',
    'Reuse:\n- `toRows()` in src/export/csv.ts\n- `RowTable`, which src/export/table.ts already has',
    'Rename `formatCell` in src/export/cells.ts to `formatOne`.',
    'Extend `RowTable` in src/export/table.ts by `sortAll()`, and call `RowTable.sortAll()`.',
    '- Modify: `src/cli.ts:2-4`\n- Create: `src/export/json.ts`\n- Test: `test/export/json.test.ts`',
    'In src/cli.ts, call `toRows()` of src/export/csv.ts instead of `main()`.',
    'In `src/export/json.ts`, which is new, write `toJson()`.',
    'Import `formatCell` from src/export/cells.ts.',
    '- `src/export/cells.ts`: extend `formatCell()` by a flag, and rename `toRows()` to `toLines()` in src/export/csv.ts',
    'Use `formatCell` (from `src/export/cells.ts`) and `RowPage.first`, which `src/rows.py` already has.',
    'Call `RowFile.Size` and `RowFile.ToString()`.',
  ])('%s', async (plan) => {
    expect(await statuses(plan, 'wrong')).toEqual([]);
  });
});

test('a name is elsewhere only where the sentence itself says in which file it is', async () => {
  expect(await statuses('- `src/config.ts` is read.\n  `toRows()` sorts.', 'elsewhere')).toEqual(
    [],
  );
  expect(await statuses('Open src/config.ts. `toRows()` sorts, too.', 'elsewhere')).toEqual([]);
  expect(await statuses('Change `toRows()` in src/config.ts.', 'elsewhere')).toEqual(['toRows']);
});
