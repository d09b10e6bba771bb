// The port to the queue through which machines pull runs, on Postgres by pg-boss.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { unescape } from 'node:querystring';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { jsonIn } from '../model/json.ts';
import { oneLine, wordsOfError } from '../model/wording.ts';
import { Undone } from './run-facts.ts';

/** The queue: what an owner sends there, and what a worker takes. Every order and answer is signed with the key. */
export type Queue = Awaited<ReturnType<typeof openQueue>>;

const keptHours = 24;
/** The shortest heartbeat that pg-boss takes, in seconds: a lost worker is noticed in at most 25. */
const heartbeatSeconds = 10;
/** Groups have one limit each for every number of runs that an owner may ask for. */
const tiers = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [at + 1, at + 1]));
const unlimited = 1_000;
/** The time between two looks for a turn, in ms. */
const turnMs = 200;

const table = `
CREATE TABLE IF NOT EXISTS conclave.kept (id text PRIMARY KEY, data bytea NOT NULL, at timestamptz NOT NULL DEFAULT now());
DELETE FROM conclave.kept WHERE at < now() - interval '${keptHours} hours';`;

/** Whether a job may begin: two workers that fetch at once do not see what the other one fetches. */
const beginning = (id: string) => `
SELECT pg_advisory_xact_lock(hashtext('conclave turns'));
DELETE FROM conclave.kept WHERE id = 'turn-${id}';
INSERT INTO conclave.kept (id, data) SELECT 'turn-${id}', '' FROM conclave.job own WHERE own.id = '${id}' AND (
  SELECT count(*) FROM conclave.job other JOIN conclave.kept turn ON turn.id = 'turn-' || other.id
  WHERE other.state = 'active' AND other.group_id = own.group_id
) < COALESCE(own.group_tier::int, ${unlimited}) RETURNING id`;

/** Opens the queue. Throws `Undone` with a sentence that never holds the address. */
export async function openQueue({ url, key }: { readonly url: string; readonly key: string }) {
  const { PgBoss } = await import('pg-boss').catch(() => {
    throw new Undone(
      'the queue needs the package pg-boss, which is not installed: npm install pg-boss',
    );
  });
  const boss = new PgBoss({
    connectionString: url,
    schema: 'conclave',
    application_name: 'conclave',
    // It looks for heartbeats that stopped as often as the longer of the two.
    monitorIntervalSeconds: 5,
    superviseIntervalSeconds: 5,
    instanceHeartbeatSeconds: 30,
    maintenanceIntervalSeconds: 60,
    max: 4,
  });
  // What is lost is told by the call that meets it.
  boss.on('error', () => undefined);
  const db = boss.getDb();
  const safely = async <T>(act: () => Promise<T>): Promise<T> =>
    await act().catch((error: unknown) => {
      throw new Undone(`the queue cannot be used: ${wordsOf(error, url)}`);
    });
  /** The rows of the last of these statements. */
  const rows = async <T>(
    shape: z.ZodType<T>,
    text: string,
    ...values: readonly unknown[]
  ): Promise<readonly T[]> => {
    const said = await safely(() => db.executeSql(text, [...values]));
    return z.array(shape).parse([said].flat().at(-1)?.rows ?? []);
  };
  try {
    await safely(() => boss.start());
    const { default: made } = await import('pg-boss/package.json', { with: { type: 'json' } });
    if (Number(await boss.schemaVersion()) > made.pgboss.schema)
      throw new Undone('the queue has tables of a newer pg-boss: install that here, too');
    await rows(Row, table);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
  const opened = async (name: string): Promise<string> => {
    await boss.createQueue(name, {
      heartbeatSeconds,
      retryLimit: 1,
      expireInSeconds: 23 * 3_600,
      deleteAfterSeconds: keptHours * 3_600,
    });
    return name;
  };
  const closed = new AbortController();
  const kept = async (id: string) => {
    const [row] = await rows(DataRow, 'SELECT data FROM conclave.kept WHERE id = $1', id);
    return row?.data ?? null;
  };
  const keep = async (id: string, data: Buffer | string) => {
    const update = `${insert} (id) DO UPDATE SET data = $2, at = now()`;
    await rows(Row, update, id, Buffer.from(data));
  };
  const insert = 'INSERT INTO conclave.kept (id, data) VALUES ($1, $2) ON CONFLICT';

  const jobOf = async (id: string) => {
    const asked = 'SELECT name, state, output FROM conclave.job WHERE id = $1';
    return (await rows(JobRow, asked, id))[0] ?? null;
  };

  return {
    /**
     * Sends an order to the list from which its workers take it, unless it is on its way already; returns the list
     * on which it is. Its id is the attempt, so that sending it again is no second run. So many of a group are under
     * way at once, by all owners and lists.
     */
    async send({
      id,
      text,
      most,
      list,
      group,
    }: Readonly<Record<'id' | 'list' | 'group' | 'text', string>> & {
      readonly most: number;
    }): Promise<string> {
      const job = await jobOf(id);
      if (job !== null && !isOver(job)) return job.name;
      if (job !== null) await safely(() => boss.deleteJob(job.name, id));
      const options = { id, group: { id: group, tier: String(Math.min(most, unlimited)) } };
      const sealed = seal(id, text, key);
      await safely(async () => boss.send(await opened(list), sealed, options));
      return list;
    },
    async cancel(list: string, id: string): Promise<void> {
      await boss.cancel(list, id).catch(() => undefined);
    },
    /** The first answer to an order; null while there is none. Throws `Undone` where none will come. */
    async result(id: string): Promise<string | null> {
      const answer = await kept(answerId(id));
      if (answer !== null) return unseal(id, jsonIn(answer.toString()), key);
      const job = await jobOf(id);
      if (job !== null && !isOver(job)) return null;
      const why = oneLine(job?.output?.message ?? 'no worker ended it').slice(0, 200);
      throw new Undone(`the run was lost in the queue: ${why}`);
    },
    /** Obeys what is sent to these lists, so much of each at once, until the queue is closed, and sends the answers. */
    async work(
      { lists, slots }: { readonly lists: readonly string[]; readonly slots: number },
      obey: (text: string, signal: AbortSignal) => Promise<string>,
    ): Promise<void> {
      const options = {
        batchSize: 1,
        localConcurrency: slots,
        pollingIntervalSeconds: 0.5,
        groupConcurrency: { default: unlimited, tiers },
        heartbeatRefreshSeconds: 3,
      };
      for (const list of lists) {
        await boss.work(await opened(list), options, async ([job]) => {
          if (job === undefined) return;
          const { id } = job;
          const text = unseal(id, job.data, key);
          // Its worker may have been killed after it had answered.
          if ((await kept(answerId(id))) !== null) return;
          const signal = AbortSignal.any([job.signal, closed.signal]);
          while ((await rows(Row, beginning(id))).length === 0)
            await sleep(turnMs, null, { signal });
          const answer = JSON.stringify(seal(id, await obey(text, signal), key));
          signal.throwIfAborted();
          // The first answer counts, whoever holds the lease of the run meanwhile.
          await rows(Row, `${insert} DO NOTHING`, answerId(id), Buffer.from(answer));
        });
      }
    },
    /** Keeps data for a day. */
    keep,
    kept,
    async keepPieces(id: string, pieces: AsyncIterable<Buffer>): Promise<void> {
      let at = 0;
      for await (const piece of pieces) await keep(`${id}/${at++}`, piece);
    },
    /** The pieces of a bundle, up to the first that is missing; git knows if they are whole. */
    async *pieces(id: string): AsyncGenerator<Buffer> {
      for (let at = 0; ; at += 1) {
        const piece = await kept(`${id}/${at}`);
        if (piece === null) return;
        yield piece;
      }
    },
    /** Removes an answer with its bundle. */
    async forget(id: string): Promise<void> {
      const gone = 'DELETE FROM conclave.kept WHERE id = $1 OR id = $2 OR id LIKE $3';
      await rows(Row, gone, answerId(id), `turn-${id}`, `${id}/%`);
    },
    /** The entries of the workers that are alive. */
    async workers(): Promise<readonly string[]> {
      const since = "id LIKE 'worker-%' AND at > now() - interval '15 seconds'";
      const found = await rows(DataRow, `SELECT data FROM conclave.kept WHERE ${since}`);
      return found.map(({ data }) => data.toString());
    },
    async close(): Promise<void> {
      closed.abort();
      await boss.stop({ graceful: true, timeout: 4_000 }).catch(() => undefined);
    },
  };
}

const answerId = (id: string) => `answer-${id}`;
const Row = z.unknown();
const DataRow = z.object({ data: z.instanceof(Buffer) });
const JobRow = z.object({
  name: z.string(),
  state: z.string(),
  output: z.object({ message: z.string() }).nullable().catch(null),
});
const isOver = ({ state }: z.infer<typeof JobRow>) => state === 'failed' || state === 'cancelled';
const SealedText = z.object({ text: z.string(), seal: z.string() });

/** A text with the proof that somebody who has the key wrote it for this run. */
function seal(id: string, text: string, key: string): z.infer<typeof SealedText> {
  return { text, seal: createHmac('sha256', key).update(`${id}\0${text}`).digest('hex') };
}

/** The text. Throws where it was not sealed for this run with the key. */
function unseal(id: string, sealed: unknown, key: string): string {
  const { text, seal: theirs } = SealedText.parse(sealed);
  const [own, other] = [Buffer.from(seal(id, text, key).seal), Buffer.from(theirs)];
  if (own.length === other.length && timingSafeEqual(own, other)) return text;
  throw new Undone('what came by the queue was signed with another key, or for another run');
}

/** The words of an error without the address, in which a password may stand. */
function wordsOf(error: unknown, url: string): string {
  const password = URL.parse(url)?.password ?? '';
  const hidden = [url, password, unescape(password)].filter((one) => one !== '');
  // The error has no words if several addresses refuse.
  const words = oneLine(wordsOfError(error)) || 'nothing answers there';
  return hidden.reduce((text, one) => text.replaceAll(one, '…'), words).slice(0, 200);
}
