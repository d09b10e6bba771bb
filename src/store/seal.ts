// Seals the records of a journal with its user’s key: each record together with all before it.
import { hash } from 'node:crypto';

/** Makes the seal of the next record from its bytes: 64 hexadecimal digits. */
export type Seal = (body: Buffer) => string;

/** The bytes of a record without its seal; the seal is null if it has none. */
export interface SealedBytes {
  readonly seal: string | null;
  readonly body: Buffer;
}

/** `own`: the last record has the seal that this key gives to all of them, or there are no records yet. */
export type Origin = 'own' | 'foreign';

/** A journal that has been read and can be continued. Without a key nothing is sealed. */
export interface SealedJournal {
  readonly origin: Origin;
  readonly seal: Seal | null;
}

/** The key of the seals, which include the session so that the records of another one do not fit. */
interface SealKey {
  readonly key: Buffer | null;
  readonly session: string;
}

/** Goes through the records of a journal, to tell whose they are and to seal the next. */
export function readSeals(
  records: Iterable<SealedBytes>,
  { key, session }: SealKey,
): SealedJournal {
  // No seal looks like this text before the first record, and no record starts like its end.
  const next = key === null ? null : sealer(key, `conclave session ${session}`);
  // A journal without records is nobody's yet.
  let isOwn = true;
  for (const { seal, body } of records) isOwn = next !== null && next(body) === seal;
  return { origin: isOwn ? 'own' : 'foreign', seal: next };
}

/** Makes a function that seals one record after the other. */
function sealer(key: Buffer, before: string): Seal {
  const pads = padsOf(key);
  let last = before;
  return (body) => {
    last = hmac(pads, last, body);
    return last;
  };
}

/** The block length of SHA-256, in bytes. */
const block = 64;

interface Pads {
  readonly inner: Buffer;
  readonly outer: Buffer;
}

function padsOf(key: Buffer): Pads {
  const short = key.length > block ? Buffer.from(hash('sha256', key), 'hex') : key;
  const whole = Buffer.concat([short, Buffer.alloc(block - short.length)]);
  const padWith = (pad: number) => Buffer.from(whole.map((byte) => byte ^ pad));
  return { inner: padWith(0x36), outer: padWith(0x5c) };
}

/** Computes an HMAC-SHA256 by RFC 2104. `createHmac` takes seven times as long for a record. */
function hmac({ inner, outer }: Pads, before: string, body: Buffer): string {
  const message = Buffer.concat([inner, Buffer.from(before), body]);
  return hash('sha256', Buffer.concat([outer, hash('sha256', message, 'buffer')]));
}
