// Has a finished plan read once by other vendors, and has its author fix or refuse what they find.
import { z } from 'zod';
import { PlanReading } from '../../../model/plan-reading.ts';
import { steps } from '../../../model/steps.ts';
import { hasFoundEvidence } from '../../../model/found-evidence.ts';
import { type Tools, recordStep } from '../../tools.ts';
import {
  WrittenPlan,
  announceNewVersion,
  announcePlan,
  keepCurrent,
  keepLateEdits,
} from '../generate-plan.ts';
import { readingFile } from '../reading-file.ts';
import { writePlan } from '../write-plan.ts';
import { askReaders, checkAnswers } from './ask-readers.ts';
import { chooseReaders } from './choose-readers.ts';
import type { ReadingRun } from './reading-run.ts';
import { type Settled, askAuthor, settle } from './settle-findings.ts';

interface ReadingInput extends Pick<ReadingRun, 'planning' | 'written' | 'mode'> {
  /** The agents that may read it, in order. */
  readonly candidates: readonly string[];
}

/**
 * Phase between planning and the review. Returns the plan as it is afterwards: where its author
 * fixed something, a new version. A plan by rules is not read, as nobody could answer for it. No
 * failure of a reader or of the author ends the session.
 */
export async function readPlan(
  input: ReadingInput,
  tools: Tools,
  signal: AbortSignal,
): Promise<WrittenPlan> {
  const { planning, written, candidates } = input;
  if (written.source === 'derived') return written;
  const own = steps.reading(planning.number);
  const { receipts } = planning.synthesis;
  const choice = { author: written.source, candidates, receipts };
  const readers = await chooseReaders(choice, { tools, signal, own });
  if (readers.names.length === 0 && readers.unread === '') return written;
  const folder = `planning/${planning.number}`;
  const before = await keepCurrent(
    { tools, signal, step: own.before },
    `${folder}/version-${written.version}`,
  );
  // Whoever reviews it is told why it cannot be read.
  if (before === null) return written;
  const { contextPackage, ...current } = before;
  const run = { ...input, own, tools, signal, folder, contextPackage };
  return await readCurrent({ ...run, written: { ...written, ...current } }, readers);
}

async function readCurrent(
  run: ReadingRun,
  readers: Awaited<ReturnType<typeof chooseReaders>>,
): Promise<WrittenPlan> {
  const { own, tools, signal, written } = run;
  if (readers.names.length > 0) tools.emit({ type: 'plan.shown', readers: readers.names });
  const answers = await askReaders(run, readers);
  const step = { tools, signal };
  const { reading: found, asksAuthor } = await recordStep(
    { ...step, step: own.found, shape: Found },
    async () => {
      const checked = await checkAnswers(run, answers);
      return forAuthor(
        run,
        readers.unread === '' ? checked : { ...checked, unread: readers.unread },
      );
    },
  );
  const reply = asksAuthor ? await askAuthor(run, found) : null;
  const end = { ...step, step: own.end, shape: ReadPlan };
  const { reading, revised } = await recordStep(end, () => keepReading(run, found, reply));
  announceReading({ written, reading, revised }, tools);
  return revised ?? written;
}

const Found = z.object({ reading: PlanReading, asksAuthor: z.boolean() });

/** An unfounded finding alone is not worth another call of the author. */
function forAuthor({ own, tools, written }: ReadingRun, reading: PlanReading) {
  if (!reading.findings.some(hasFoundEvidence)) return { reading, asksAuthor: false };
  if (tools.budget.fits(own.reply.path, 1)) return { reading, asksAuthor: true };
  const note = `${written.source} was not asked for a reply, as the budget has no room for it`;
  return { reading: { ...reading, notes: [...reading.notes, note] }, asksAuthor: false };
}

/** The recorded end of a reading; `revised` is null where the plan stays as it is. */
export const ReadPlan = z.object({ reading: PlanReading, revised: WrittenPlan.nullable() });
type ReadPlan = z.infer<typeof ReadPlan>;

/** Writes what the readers found and what became of it, and the new version where there is one. */
async function keepReading(
  { tools, written, folder, contextPackage }: ReadingRun,
  found: PlanReading,
  reply: Settled | null,
): Promise<ReadPlan> {
  const reading = settle(found, reply);
  const plan = reply?.revised ?? null;
  await tools.folder.writeJson(readingFile, reading);
  const { plan: current, tasks } = written;
  const known = [written, ...(plan === null ? [] : [plan])];
  await keepLateEdits(tools, `${folder}/version-${written.version}-edited`, known);
  const next = plan ?? written;
  const files = { plan: next.plan, tasks: next.tasks, findings: next.findings };
  const ofAnswer = plan === null ? {} : { ofAnswer: plan.ofAnswer };
  await writePlan({ ...files, ...ofAnswer, contextPackage, folder: tools.folder });
  if (plan === null) return { reading, revised: null };
  const before = { plan: current, tasks };
  const { ofAnswer: _, ...kept } = plan;
  const revised = { ...kept, source: written.source, version: reading.version, before };
  return { reading, revised };
}

function announceReading(
  { written, reading, revised }: ReadPlan & { readonly written: WrittenPlan },
  tools: Tools,
): void {
  const { readers, unread, notes, findings } = reading;
  tools.emit({
    type: 'plan.read',
    readers: readers.map(({ agent, tokens, cost_usd }) => ({ agent, tokens, cost_usd })),
    unread,
    notes,
    findings: findings.map(({ severity, fate, agent, problem, reply }) => {
      return { severity, fate, agent, problem, reply };
    }),
  });
  if (revised === null) return;
  announcePlan(revised, tools);
  announceNewVersion(written, revised, tools);
}
