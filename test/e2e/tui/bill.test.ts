import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Bill } from '../../../src/model/bill.ts';
import {
  approvedRig,
  checkedEdits,
  checkedPlan,
  checkedReview,
  workBy,
} from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { inTerminal, walk } from '../../helpers/terminal.ts';

const given = { plan: checkedPlan, usd: 0.07 };
const amounts = String.raw`(\d+) (?:agent )?runs?(?:,| ·) (\d+k?) tokens(?:,| ·) \$([\d.]+)`;
const time = String.raw` · (\d[\w ]+?(?: \(you [\d:]+\))?)(?: ──|\n|<|$)`;

/** The figures of a bill as a face shows them: runs, tokens, money, and the time. */
function billIn(text: string): readonly string[] {
  const line = text.replaceAll(/\ntime +/gi, ' · ');
  const found = new RegExp(amounts + time).exec(line);
  if (found === null) throw new Error(`there is no bill in ${text}`);
  return found.slice(1);
}

const Row = z.tuple([z.string(), z.string(), z.string()]).rest(z.string());
const number = (text: string | undefined) => Number((text ?? '0').replaceAll(/[^\d.]/g, '') || '0');

/** The sums of the table of the report: runs, tokens, money. */
function tableIn(html: string): readonly number[] {
  const table = html.slice(html.indexOf('id="cost-and-time"'));
  const rows = [...table.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].slice(1).map(([, row = '']) => {
    const cells = [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell]) => cell);
    return Row.parse(cells);
  });
  const sum = (...columns: readonly number[]) =>
    rows.flatMap((row) => columns.map((at) => number(row[at]))).reduce((all, one) => all + one, 0);
  return [sum(2), sum(4, 5), sum(6)];
}

const Receipt = z.object({
  tokens: z.object({ input: z.number(), output: z.number() }).nullable(),
  cost_usd: z.number().nullable(),
});

const add = (all: number, one: number) => all + one;

/** The sums of the receipts in the session folder: runs, tokens, money. */
function receiptsIn(rig: Rig): readonly number[] {
  const files = Object.entries(rig.contents('.workflow/.multi-cli-plan'));
  const receipts = files
    .filter(([path]) => /receipt[\w-]*\.json$/.test(path))
    .map(([, text]) => Receipt.parse(JSON.parse(text)));
  const tokens = receipts.map((one) => (one.tokens?.input ?? 0) + (one.tokens?.output ?? 0));
  const usd = receipts.map((one) => one.cost_usd ?? 0).reduce(add, 0);
  return [receipts.length, tokens.reduce(add, 0), usd];
}

const Ended = z.object({ type: z.literal('session.finished'), spent: Bill });

test('every face shows one bill, after a resumed session with a failed execution and a review', async () => {
  const failing = { ...checkedEdits, 'TASK-002': { edits: { 'test/list.test.js': '' } } };
  const rig = await approvedRig(failing, given);
  const id = basename(rig.session());
  const failed = await rig.conclave('execute', id, '--review', 'agent', '--json');
  expect(failed.code).toBe(7);

  workBy(rig, { ...checkedEdits, 'code-review': { answer: checkedReview } }, given);
  const again = ['execute', id, '--review', 'agent', '--retry', 'TASK-002'];
  const terminal = inTerminal(rig, again, { columns: 120, rows: 40 });
  await terminal.shows('enter leave it');
  await walk(terminal, ['1', 'enter do it']);
  terminal.press('enter');
  const headers: number[] = [];
  headers.push(number(billIn(await terminal.shows('Execution · '))[0]));
  await terminal.shows('enter apply it');
  headers.push(number(billIn(terminal.screen())[0]));
  terminal.press('enter');
  const end = await terminal.shows('enter close');
  const [header = '', spent = ''] = [/^.*──$/m.exec(end)?.[0], /Spent[^]*/.exec(end)?.[0]];
  const bill = billIn(header);
  headers.push(number(bill[0]));
  expect(headers).toEqual(headers.toSorted((a, b) => a - b));
  expect(billIn(spent)).toEqual(bill);
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);

  expect(billIn((await rig.conclave('sessions', 'show', id)).stdout)).toEqual(bill);
  await rig.conclave('report', id);
  const html = readFileSync(join(rig.session(), 'report.html'), 'utf8');
  expect(billIn(html)).toEqual(bill);
  const state = z.object({ spent: Bill }).parse(rig.json('session-state.json'));
  const [runs, used, usd] = receiptsIn(rig);
  const { input_tokens: input, output_tokens: output, ...counted } = state.spent;
  expect([counted.agent_runs, input + output]).toEqual([runs, used]);
  expect(usd).toBeCloseTo(counted.cost_usd);
  const [tableRuns, tableUsed, tableUsd] = tableIn(html);
  expect([tableRuns, tableUsed]).toEqual([runs, used]);
  expect(tableUsd).toBeCloseTo(counted.cost_usd);

  const lines = await rig.conclave('resume', id);
  expect(billIn(lines.stdout).slice(0, 3)).toEqual(bill.slice(0, 3));
  const { stdout } = await rig.conclave('resume', id, '--json');
  const last = Ended.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  expect(last.spent).toMatchObject({
    agent_runs: runs,
    input_tokens: input,
    output_tokens: output,
    agents_ms: counted.agents_ms,
  });
});
