// Chooses who reads a finished plan: the cheapest ready agents of other vendors than its author’s.
import { z } from 'zod';
import { Flag, Text, Texts } from '../../../model/plain-shapes.ts';
import { choiceFor, chosenFirst } from '../../../model/phase-choice.ts';
import type { PlanReading } from '../../../model/plan-reading.ts';
import type { RequestPhase } from '../../../model/steps.ts';
import type { Synthesis } from '../../../model/synthesis.ts';
import { listed } from '../../../model/wording.ts';
import { findReadyModels } from '../../asking/ask-seat.ts';
import { recordStep, type Tools, vendorFor } from '../../phase-tools.ts';
import { readingFile } from '../reading-file.ts';
import type { ReadingRun } from './reading-run.ts';

/** The readers of a plan, and their stand-ins in order. */
const Readers = z.object({
  names: Texts,
  standIns: Texts,
  unread: Text.describe('Why nobody reads it although somebody should; else empty.'),
  along: Flag.describe('Whether they read it while a person does; else they are waited for.'),
});
export type Readers = z.infer<typeof Readers>;

export interface ReaderChoice {
  /** The agent that wrote the plan. */
  readonly author: string;
  /** The version of the plan. */
  readonly version: number;
  /** True if a person sees the findings as they come in. */
  readonly along: boolean;
  /** The agents that proposed the solution; others are asked first, because authors overlook their own faults. */
  readonly proposers: readonly string[];
  /** The agents that may be asked, in order. */
  readonly candidates: readonly string[];
  /** The agents that did not answer in the last round; they are asked last, because they may fail again. */
  readonly silent: readonly string[];
  /** Receipts of the last round, which show what a call of an agent costs. */
  readonly receipts: Synthesis['receipts'];
}

/** Chooses the readers, as a recorded step, because it depends on the settings and on who is ready. */
export function chooseReaders(
  choice: ReaderChoice,
  { tools, signal, own }: Pick<ReadingRun, 'tools' | 'signal' | 'own'>,
): Promise<Readers> {
  const { readers: step } = own;
  const input = { author: choice.author };
  return recordStep({ tools, signal, step, input, shape: Readers }, async () => {
    const readers = { ...(await readersNow(choice, { tools, signal })), along: choice.along };
    // A person who approves the plan before they have read it is told so.
    if (isAlong(readers)) {
      await tools.folder.writeJson(readingFile, unfinishedReading(readers.names, choice.version));
    }
    return readers;
  });
}

/** True if a person sees the findings as they come in. */
export function isAlong({ along, names }: Pick<Readers, 'along' | 'names'>): boolean {
  return along && names.length > 0;
}

/** A reading without any answers yet. */
export function unfinishedReading(names: readonly string[], version: number): PlanReading {
  return { version, readers: [], unread: unfinishedText(names), notes: [], findings: [] };
}

/** A clause, not a sentence, that names readers that were not waited for and had more to read. */
export function unfinishedText(names: readonly string[]): string {
  return `${listed(names)} had not finished reading it`;
}

async function readersNow(
  choice: ReaderChoice,
  { tools, signal }: Pick<ReadingRun, 'tools' | 'signal'>,
): Promise<Omit<Readers, 'along'>> {
  if (tools.planReaders === 0) return { names: [], standIns: [], unread: '' };
  const names = chosenFirst(tools.phases, 'plan-reading', choice.candidates).filter(
    (name) =>
      answerIn(choice, name) !== undefined || tools.agents.loginOf(name).state !== 'logged-out',
  );
  const ready = await findReadyModels(names, tools.agents, signal);
  const readers = readersAmong(ready, choice, tools);
  // A plan can do without readers if the budget has no room for them.
  const most = readers.names.findLastIndex((_, at) => tools.budget.fits(at + 1)) + 1;
  if (most > 0 || readers.unread !== '') return { ...readers, names: readers.names.slice(0, most) };
  return { ...readers, names: [], unread: 'the budget has no room for another call' };
}

/** The agent’s receipt of the last round: an agent that answered is logged in, whatever its files say. */
function answerIn({ receipts }: Pick<ReaderChoice, 'receipts'>, name: string) {
  return receipts.find(({ agent, failure }) => agent === name && failure === null);
}

/** Picks the readers: one agent of each other known vendor, after the agent that the user chose. */
function readersAmong(
  ready: readonly string[],
  { author, proposers, silent, receipts }: ReaderChoice,
  tools: Tools,
): Omit<Readers, 'along'> {
  const { agent: chosen } = choiceFor(tools.phases, 'plan-reading');
  const vendorOf = (name: string, call: RequestPhase) => vendorFor(tools, { name, call, receipts });
  const rank = (name: string) => (silent.includes(name) ? 2 : proposers.includes(name) ? 1 : 0);
  const own = vendorOf(author, 'plan');
  const others = ready
    .filter((name) => name !== chosen && name !== author)
    .map((name) => ({ name, vendor: vendorOf(name, 'plan-review') }))
    .filter(({ vendor }) => own !== null && vendor !== null && vendor !== own)
    .toSorted((a, b) => priceOf(a.name, receipts) - priceOf(b.name, receipts))
    .toSorted((a, b) => rank(a.name) - rank(b.name));
  const firsts = [...Map.groupBy(others, ({ vendor }) => vendor).values()].flatMap(
    ([first]) => first?.name ?? [],
  );
  const all = chosen !== null && ready.includes(chosen) ? [chosen, ...firsts] : firsts;
  const names = all.slice(0, tools.planReaders);
  const standIns = others.map(({ name }) => name).filter((name) => !names.includes(name));
  const unread = names.length > 0 ? '' : `no agent of another vendor than ${author} is ready`;
  return { names, standIns, unread };
}

/** The price of a token in US dollars if an agent reports only tokens: an average price. */
const usualPrice = 3e-6;

/** The price of the last call of an agent; an agent that was not called comes last. */
function priceOf(name: string, receipts: Synthesis['receipts']): number {
  const receipt = receipts.find(({ agent }) => agent === name);
  if (receipt === undefined) return Number.MAX_VALUE;
  const { cost_usd, tokens } = receipt;
  return cost_usd ?? (tokens === null ? 1 : (tokens.input + tokens.output) * usualPrice);
}
