// The port to the queue through which machines pull runs, on Postgres by pg-boss.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { jsonIn } from '../model/json.ts';
import { oneLine } from '../model/wording.ts';
import { LostMachine } from './run-facts.ts';

/** The queue: what an owner sends there, and what a worker takes. Every order and answer is signed with the key. */
export interface Queue {
  /** Sends an order; false if one with this id is there already. The account’s runs at once are limited. */
  send(order: QueuedOrder): Promise<boolean>;
  cancel(order: Pick<QueuedOrder, 'id' | 'list'>): Promise<void>;
  /** The first answer to an order; null while there is none. Throws `LostMachine` where none will come. */
  result(order: Pick<QueuedOrder, 'id' | 'list'>): Promise<string | null>;
  /** Does what is sent to these lists, so much of each at once, until the queue is closed. */
  work(
    from: { readonly lists: readonly string[]; readonly slots: number },
    obey: Obey,
  ): Promise<void>;
  /** Keeps data for a day. */
  keep(id: string, data: Buffer | string): Promise<void>;
  kept(id: string): Promise<Buffer | null>;
  /** Removes an answer with its bundle. */
  forget(id: string): Promise<void>;
  /** Says which agents a worker has; it counts for half a minute. */
  announce(worker: string, text: string): Promise<void>;
  workers(): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface QueuedOrder {
  /** A UUID made from the attempt, so that sending it again is no second run. */
  readonly id: string;
  /** The agent that is to run; empty for checks. */
  readonly list: string;
  /** The most of the list at once, by all owners with this account; null for no limit. */
  readonly atOnce: number | null;
  readonly text: string;
}

/** Obeys an order that was sent, and returns the text of the answer. */
type Obey = (id: string, text: string, signal: AbortSignal) => Promise<string>;

/** The most that travels in one bundle through the database, in bytes. */
export const mostQueuedBytes = 100_000_000;

const keptHours = 24;
/** The shortest heartbeat that pg-boss takes, in seconds: a lost worker is noticed in at most 25. */
const heartbeatSeconds = 10;
/** Groups have one limit each for every number of runs that an owner may ask for. */
const tiers = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [String(at + 1), at + 1]));
const unlimited = 1_000;

const table = `
CREATE TABLE IF NOT EXISTS conclave.kept (id text PRIMARY KEY, data bytea NOT NULL, at timestamptz NOT NULL DEFAULT now());
DELETE FROM conclave.kept WHERE at < now() - interval '${keptHours} hours';`;

/** Opens the queue. Throws `LostMachine` with a sentence that never holds the address. */
export async function openQueue({
  url,
  key,
}: {
  readonly url: string;
  readonly key: string;
}): Promise<Queue> {
  const { PgBoss } = await import('pg-boss').catch(() => {
    throw new LostMachine(
      'the queue needs the package pg-boss, which is not installed: npm install pg-boss',
    );
  });
  const safe = (error: unknown) =>
    new LostMachine(`the queue cannot be used: ${wordsOf(error, url)}`);
  const seconds = { instanceHeartbeatSeconds: 30, maintenanceIntervalSeconds: 60 };
  const boss = new PgBoss({
    connectionString: url,
    schema: 'conclave',
    application_name: 'conclave',
    // It looks for heartbeats that stopped this often.
    monitorIntervalSeconds: 5,
    ...seconds,
    max: 4,
  });
  // What is lost is told by the call that meets it.
  boss.on('error', () => undefined);
  const db = boss.getDb();
  async function rows(text: string, values: unknown[] = []): Promise<readonly unknown[]> {
    try {
      return (await db.executeSql(text, values)).rows;
    } catch (error) {
      throw safe(error);
    }
  }
  try {
    await boss.start();
    await db.executeSql(table);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw safe(error);
  }
  const known = new Set<string>();
  async function queueFor(list: string): Promise<string> {
    const name = list === '' ? 'checks' : `run-${list.replaceAll(/[^\w.-]/g, '-')}`;
    if (known.has(name)) return name;
    await boss.createQueue(name, {
      heartbeatSeconds,
      retryLimit: 1,
      expireInSeconds: 23 * 3_600,
      deleteAfterSeconds: keptHours * 3_600,
    });
    known.add(name);
    return name;
  }
  const closed = new AbortController();
  const read = async (id: string) => {
    const [row] = await rows('SELECT data FROM conclave.kept WHERE id = $1', [id]);
    return row === undefined ? null : DataRow.parse(row).data;
  };
  const insert = 'INSERT INTO conclave.kept (id, data) VALUES ($1, $2) ON CONFLICT';
  const keep = async (id: string, data: Buffer | string) =>
    void (await rows(`${insert} (id) DO UPDATE SET data = $2, at = now()`, [
      id,
      Buffer.from(data),
    ]));

  return {
    async send({ id, list, atOnce, text }) {
      try {
        const name = await queueFor(list);
        const group = { id: list, tier: String(Math.min(atOnce ?? unlimited, unlimited)) };
        const send = () =>
          boss.send(name, seal(id, text, key), { id, ...(list === '' ? {} : { group }) });
        if ((await send()) !== null) return true;
        const [job] = await boss.findJobs(name, { id });
        if (job?.state !== 'failed' && job?.state !== 'cancelled') return false;
        await boss.deleteJob(name, id);
        return (await send()) !== null;
      } catch (error) {
        throw safe(error);
      }
    },
    async cancel({ id, list }) {
      await boss.cancel(await queueFor(list), id).catch(() => undefined);
    },
    async result({ id, list }) {
      const answer = await read(answerId(id));
      if (answer !== null) return unseal(id, SealedText.parse(jsonIn(answer.toString())), key);
      const [job] = await boss
        .findJobs(await queueFor(list), { id })
        .catch((error: unknown) => Promise.reject(safe(error)));
      if (job === undefined || job.state === 'failed' || job.state === 'cancelled')
        throw new LostMachine(`the run was lost in the queue: ${tellOutput(job?.output)}`);
      return null;
    },
    async work({ lists, slots }, obey) {
      const options = {
        batchSize: 1,
        localConcurrency: slots,
        pollingIntervalSeconds: 0.5,
        groupConcurrency: { default: unlimited, tiers },
        heartbeatRefreshSeconds: 3,
      };
      for (const list of lists) {
        await boss.work(await queueFor(list), options, async ([job]) => {
          if (job === undefined) return;
          const text = unseal(job.id, SealedText.parse(job.data), key);
          const signal = AbortSignal.any([job.signal, closed.signal]);
          const answer = JSON.stringify(seal(job.id, await obey(job.id, text, signal), key));
          signal.throwIfAborted();
          // The first answer counts, whoever holds the lease of the run meanwhile.
          await rows(`${insert} DO NOTHING`, [answerId(job.id), Buffer.from(answer)]);
        });
      }
    },
    keep,
    kept: read,
    async forget(id) {
      await rows('DELETE FROM conclave.kept WHERE id = $1 OR id LIKE $2', [
        answerId(id),
        `${id}/%`,
      ]);
    },
    announce: (worker, text) => keep(`worker-${worker}`, text),
    async workers() {
      const since = "id LIKE 'worker-%' AND at > now() - interval '30 seconds'";
      const found = await rows(`SELECT data FROM conclave.kept WHERE ${since}`);
      return found.map((row) => DataRow.parse(row).data.toString());
    },
    async close() {
      closed.abort();
      await boss.stop({ graceful: true, timeout: 4_000 }).catch(() => undefined);
    },
  };
}

const answerId = (id: string) => `answer-${id}`;
const DataRow = z.object({ data: z.instanceof(Buffer) });
const SealedText = z.object({ text: z.string(), seal: z.string() });

/** A text with the proof that somebody who has the key wrote it for this run. */
function seal(id: string, text: string, key: string): z.infer<typeof SealedText> {
  return { text, seal: createHmac('sha256', key).update(`${id}\0${text}`).digest('hex') };
}

/** The text. Throws where it was not sealed for this run with the key. */
function unseal(
  id: string,
  { text, seal: theirs }: z.infer<typeof SealedText>,
  key: string,
): string {
  const [own, other] = [Buffer.from(seal(id, text, key).seal), Buffer.from(theirs)];
  if (own.length === other.length && timingSafeEqual(own, other)) return text;
  throw new LostMachine('what came by the queue was signed with another key, or for another run');
}

function tellOutput(output: unknown): string {
  const told = z.object({ message: z.string() }).safeParse(output);
  return told.success ? oneLine(told.data.message).slice(0, 200) : 'no worker ended it';
}

/** The words of an error without the address, in which a password may stand. */
function wordsOf(error: unknown, url: string): string {
  const words = error instanceof Error ? error.message || error.name : String(error);
  const { password } = URL.parse(url) ?? { password: '' };
  const hidden = [url, password, decodeURIComponent(password)].filter((one) => one !== '');
  return hidden.reduce((text, one) => text.replaceAll(one, '…'), oneLine(words)).slice(0, 200);
}
