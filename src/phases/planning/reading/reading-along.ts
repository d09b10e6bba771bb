// Has a plan read while a person reads it: findings come in one by one, and the verdict ends the reading.
import { Stopped, failureText } from '../../../model/failure.ts';
import type { PlanReading } from '../../../model/plan-reading.ts';
import type { Steps } from '../../../store/steps-port.ts';
import { isRecorded } from '../../phase-tools.ts';
import { type Answered, askReaders, checkAnswers } from './ask-readers.ts';
import { type Readers, unfinishedReading, unfinishedText } from './choose-readers.ts';
import { type Found, announceReaders, announceReading, recordFound } from './read-by-others.ts';
import type { ReadingRun } from './reading-run.ts';

/** Everything that is known about a reading so far. */
export interface ReadingNews {
  readonly reading: PlanReading;
  /** The readers that have not answered yet. */
  readonly waitsFor: readonly string[];
  /** True if the author can be asked to answer the findings. */
  readonly asksAuthor: boolean;
}

/** A reading that goes on while a plan is reviewed. */
export interface ReadingAlong {
  /** The agent that wrote the plan. */
  readonly author: string;
  /**
   * Starts the reading if it has not started. Reports what is known at once, and again whenever there is more;
   * resolves with all of it. Rejects if the review is interrupted.
   */
  follow(tell?: (news: ReadingNews) => void): Promise<ReadingNews>;
}

interface OpenedReading {
  readonly along: ReadingAlong;
  /** Stops what still runs. Returns all findings; null if the reading was not finished. */
  end(): Promise<Found | null>;
}

/** Opens the reading without starting it. `keep` stores what is known next to the plan. */
export function openReadingAlong(
  run: ReadingRun,
  readers: Readers,
  keep: (reading: PlanReading) => Promise<void>,
): OpenedReading {
  const { written, tools } = run;
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  const listeners: ((news: ReadingNews) => void)[] = [];
  const answers = new Map<string, Answered>();
  let work: Promise<Found | null> | null = null;
  let news: ReadingNews = newsOf(unfinishedReading(readers.names, written.version), readers.names);

  function tellAll(next: ReadingNews): void {
    news = next;
    for (const tell of listeners) tell(news);
  }

  async function hear(name: string, answer: Answered): Promise<void> {
    answers.set(name, answer);
    const waitsFor = readers.names.filter((one) => !answers.has(one));
    if (waitsFor.length === 0) return;
    const heard = [...answers.values()];
    const reading = await checkAnswers(run, heard);
    if (answers.size > heard.length) return;
    const unread = reading.readers.length === 0 ? unfinishedText(waitsFor) : '';
    const notes = [...reading.notes, unfinishedText(waitsFor)];
    const partial = { ...reading, unread, notes };
    await keep(partial);
    tellAll(newsOf(partial, waitsFor));
  }

  async function readNow(): Promise<Found | null> {
    announceReaders(run, readers);
    try {
      const heard = await askReaders({ ...run, signal }, readers, hear);
      const found = await recordFound(run, { readers, answers: heard }, keep);
      announceReading(found.reading, tools);
      tellAll({ ...found, waitsFor: [] });
      return found;
    } catch (error) {
      if (signal.aborted || !(error instanceof Stopped)) throw error;
      // A plan can do without: the budget may have been used up by then.
      const unread = failureText(error.failure);
      const reading = { ...unfinishedReading([], written.version), unread };
      await keep(reading);
      announceReading(reading, tools);
      tellAll(newsOf(reading, []));
      return null;
    }
  }

  return {
    along: {
      author: written.source,
      async follow(tell) {
        if (tell !== undefined) {
          listeners.push(tell);
          tell(news);
        }
        work ??= readNow();
        await work;
        return news;
      },
    },
    async end() {
      if (work === null) return await readAsRecorded(run, readers);
      stop.abort(new Error('you decided about the plan before they had read it'));
      return await work.catch((error: unknown) => {
        if (signal.aborted) return null;
        throw error;
      });
    },
  };
}

function newsOf(reading: PlanReading, waitsFor: readonly string[]): ReadingNews {
  return { reading, waitsFor, asksAuthor: false };
}

/** Replays the records of a finished reading, and starts nothing. */
async function readAsRecorded(run: ReadingRun, readers: Readers): Promise<Found | null> {
  const recorded = { ...run, tools: { ...run.tools, steps: recordedOnly(run) } };
  try {
    const answers = await askReaders(recorded, readers);
    const found = await recordFound(recorded, { readers, answers });
    announceReading(found.reading, run.tools, true);
    return found;
  } catch (error) {
    if (error instanceof NotRecorded) return null;
    throw error;
  }
}

class NotRecorded extends Error {}

function recordedOnly({ tools, signal }: ReadingRun): Steps {
  const { steps } = tools;
  return {
    get replaying() {
      return steps.replaying;
    },
    run(request, work) {
      if (!isRecorded(tools, request)) return Promise.reject(new NotRecorded());
      // Applies even if another reader was not recorded to the end: all records are requested.
      return steps.run({ ...request, signal }, work);
    },
  };
}
