// Keeps messages that are too large from the server, so that one of them costs its own call alone.
import { Transform } from 'node:stream';
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import { jsonIn } from '../model/json.ts';

/** In bytes: the transport gives up on a connection that brings 10 MiB without a line end. */
const largest = 10_000_000;
/** The id stands at the beginning of a message, or at its end. */
const longestEdge = 200;
const id = /^.{0,20}"id"\s*:\s*(\d+|"[^"\\]*")|"id"\s*:\s*(\d+|"[^"\\]*")\s*\}\s*$/;

/** Passes each line on as one piece; `refuse` gets the answer to each that is too large. */
export function limitMessages(refuse: (answer: JSONRPCErrorResponse) => void): Transform {
  let line = '';
  let length = 0;
  return new Transform({
    readableObjectMode: true,
    transform(chunk: Buffer, _encoding, done) {
      // In this encoding each byte is one character.
      for (const piece of chunk.toString('latin1').split(/(?<=\n)/)) {
        line += piece;
        length += piece.length;
        if (length > largest) line = line.slice(0, longestEdge) + line.slice(-longestEdge);
        if (!piece.endsWith('\n')) continue;
        if (length <= largest) this.push(Buffer.from(line, 'latin1'));
        else refuse(refusalOf(line));
        line = '';
        length = 0;
      }
      done();
    },
  });
}

function refusalOf(edges: string): JSONRPCErrorResponse {
  const [, first, last = ''] = id.exec(edges) ?? [];
  const known = jsonIn(first ?? last);
  const message = `This message has more than ${largest / 1_000_000} MB, so it was not read. Send less.`;
  return {
    jsonrpc: '2.0',
    ...(typeof known === 'string' || typeof known === 'number' ? { id: known } : {}),
    error: { code: -32_600, message },
  };
}
