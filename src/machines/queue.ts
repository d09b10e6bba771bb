// The port to the queue through which machines pull runs, on Postgres by pg-boss.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { oneLine } from '../model/wording.ts';
import { LostMachine } from './run-facts.ts';

/** The queue: what an owner sends there, and what a worker takes. Every text is signed with the key. */
export interface Queue {
  /** Sends a run; false if one with this id is there already. The account’s runs at once are limited. */
  send(run: QueuedRun): Promise<boolean>;
  cancel(run: Pick<QueuedRun, 'id' | 'agent'>): Promise<void>;
  /** The first answer to a run; null while there is none. Throws `LostMachine` where none will come. */
  result(run: Pick<QueuedRun, 'id' | 'agent'>): Promise<string | null>;
  /** Removes an answer with its bundle. */
  forget(id: string): Promise<void>;
  /** Runs what is sent for these agents, so many at once, until the queue is closed. */
  work(agents: readonly string[], slots: number, run: RunQueued): Promise<void>;
  /** Keeps a bundle; the commit that it needs is in `needs`, or null for none. */
  put(bundle: KeptBundle, pieces: AsyncIterable<Buffer>): Promise<void>;
  find(id: string): Promise<KeptBundle | null>;
  pieces(id: string): AsyncIterable<Buffer>;
  /** Says which agents a worker has; it counts for half a minute. */
  announce(worker: string, text: string): Promise<void>;
  workers(): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface QueuedRun {
  /** A UUID made from the attempt, so that sending it again is no second run. */
  readonly id: string;
  readonly agent: string;
  /** The most runs of this agent at once, by all owners with this account. */
  readonly atOnce: number;
  readonly text: string;
}

/** Runs a text that was sent, and returns the text of the answer. */
type RunQueued = (id: string, text: string, signal: AbortSignal) => Promise<string>;

const KeptBundle = z.object({
  id: z.string(),
  sha256: z.string(),
  bytes: z.coerce.number(),
  needs: z.string().nullable(),
});
type KeptBundle = z.infer<typeof KeptBundle>;

/** The most that travels in one bundle through the database, in bytes. */
export const mostQueuedBytes = 100_000_000;

const keptHours = 24;
/** The shortest heartbeat that pg-boss takes, in seconds: a lost worker is noticed in at most 25. */
const heartbeatSeconds = 10;
/** Groups have one limit each for every number of runs that an owner may ask for. */
const tiers = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [String(at + 1), at + 1]));
const unlimited = 1_000;

const tables = `
CREATE TABLE IF NOT EXISTS conclave.bundle (id text PRIMARY KEY, sha256 text NOT NULL, bytes bigint NOT NULL, needs text, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS conclave.piece (id text REFERENCES conclave.bundle ON DELETE CASCADE, number int, data bytea NOT NULL, PRIMARY KEY (id, number));
CREATE TABLE IF NOT EXISTS conclave.answer (id text PRIMARY KEY, text text NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS conclave.machine (name text PRIMARY KEY, text text NOT NULL, at timestamptz NOT NULL DEFAULT now());
DELETE FROM conclave.bundle WHERE at < now() - interval '${keptHours} hours';
DELETE FROM conclave.answer WHERE at < now() - interval '${keptHours} hours';`;

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
    await db.executeSql(tables);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw safe(error);
  }
  const known = new Set<string>();
  async function queueFor(agent: string): Promise<string> {
    const name = `run-${agent.replaceAll(/[^\w.-]/g, '-')}`;
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

  return {
    async send({ id, agent, atOnce, text }) {
      const name = await queueFor(agent).catch((error: unknown) => Promise.reject(safe(error)));
      const group = { id: agent, tier: String(Math.min(atOnce, unlimited)) };
      const data = seal(id, text, key);
      const send = () => boss.send(name, data, { id, group });
      try {
        if ((await send()) !== null) return true;
        const [job] = await boss.findJobs(name, { id });
        if (job?.state !== 'failed' && job?.state !== 'cancelled') return false;
        await boss.deleteJob(name, id);
        return (await send()) !== null;
      } catch (error) {
        throw safe(error);
      }
    },
    async cancel({ id, agent }) {
      await boss.cancel(await queueFor(agent), id).catch(() => undefined);
    },
    async result({ id, agent }) {
      const [row] = await rows('SELECT text FROM conclave.answer WHERE id = $1', [id]);
      if (row !== undefined)
        return unseal(id, SealedText.parse(JSON.parse(TextRow.parse(row).text)), key);
      const [job] = await boss
        .findJobs(await queueFor(agent), { id })
        .catch((error: unknown) => Promise.reject(safe(error)));
      if (job === undefined || job.state === 'failed' || job.state === 'cancelled')
        throw new LostMachine(`the run was lost in the queue: ${tellOutput(job?.output)}`);
      return null;
    },
    async forget(id) {
      await rows('DELETE FROM conclave.answer WHERE id = $1', [id]);
      await rows('DELETE FROM conclave.bundle WHERE id = $1', [`result-${id}`]);
    },
    async work(agents, slots, run) {
      const options = {
        batchSize: 1,
        localConcurrency: slots,
        pollingIntervalSeconds: 0.5,
        groupConcurrency: { default: unlimited, tiers },
        heartbeatRefreshSeconds: 3,
      };
      for (const agent of agents) {
        await boss.work(await queueFor(agent), options, async ([job]) => {
          if (job === undefined) return;
          const text = unseal(job.id, SealedText.parse(job.data), key);
          const signal = AbortSignal.any([job.signal, closed.signal]);
          const answer = await run(job.id, text, signal);
          signal.throwIfAborted();
          // The first answer counts, whoever holds the lease of the run meanwhile.
          await rows(
            'INSERT INTO conclave.answer (id, text) VALUES ($1, $2) ON CONFLICT DO NOTHING',
            [job.id, JSON.stringify(seal(job.id, answer, key))],
          );
        });
      }
    },
    async put({ id, sha256, bytes, needs }, pieces) {
      const insert =
        'INSERT INTO conclave.bundle (id, sha256, bytes, needs) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO UPDATE SET sha256 = $2, bytes = $3, needs = $4, at = now()';
      await rows(insert, [id, sha256, bytes, needs]);
      await rows('DELETE FROM conclave.piece WHERE id = $1', [id]);
      let number = 0;
      for await (const data of pieces) {
        await rows('INSERT INTO conclave.piece (id, number, data) VALUES ($1, $2, $3)', [
          id,
          (number += 1),
          data,
        ]);
      }
    },
    async find(id) {
      const [row] = await rows(
        'SELECT id, sha256, bytes, needs FROM conclave.bundle WHERE id = $1',
        [id],
      );
      return row === undefined ? null : KeptBundle.parse(row);
    },
    async *pieces(id) {
      for (let number = 1; ; number += 1) {
        const where = 'WHERE id = $1 AND number = $2';
        const [row] = await rows(`SELECT data FROM conclave.piece ${where}`, [id, number]);
        if (row === undefined) return;
        yield DataRow.parse(row).data;
      }
    },
    async announce(worker, text) {
      const insert =
        'INSERT INTO conclave.machine (name, text) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET text = $2, at = now()';
      await rows(insert, [worker, text]);
    },
    async workers() {
      const since = "SELECT text FROM conclave.machine WHERE at > now() - interval '30 seconds'";
      return (await rows(since)).map((row) => TextRow.parse(row).text);
    },
    async close() {
      closed.abort();
      await boss.stop({ graceful: true, timeout: 4_000 }).catch(() => undefined);
    },
  };
}

const TextRow = z.object({ text: z.string() });
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
