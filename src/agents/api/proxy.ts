// Sends a request through the proxy that the environment names.
import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as SafeAgent, request as safeRequest } from 'node:https';

/**
 * Sends a request through HTTP_PROXY or HTTPS_PROXY, except to the hosts in NO_PROXY. Node’s own
 * `fetch` could do so only for the whole process, which may be another program that uses this
 * library.
 */
export async function sendThroughProxy(
  url: URL,
  { method, headers, body, signal }: RequestInit,
  proxyEnv: NodeJS.ProcessEnv,
): Promise<Response> {
  const isEncrypted = url.protocol === 'https:';
  const agent = isEncrypted ? new SafeAgent({ proxyEnv }) : new PlainAgent({ proxyEnv });
  const options = { method, headers: Object.fromEntries(new Headers(headers)), agent };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = (isEncrypted ? safeRequest : plainRequest)(
      url,
      { ...options, ...(signal ? { signal } : {}) },
      resolve,
    );
    sent.on('error', reject).end(body);
  });
  const told = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const { statusCode: status = 502, statusMessage: statusText = '' } = answer;
  return new Response(streamOf(answer), { status, statusText, headers: told });
}

/** A stream as the web defines it, which reads on only when it is read. */
function streamOf(answer: IncomingMessage): ReadableStream {
  const chunks = answer[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(stream) {
      const { done, value } = await chunks.next();
      if (done === true) stream.close();
      else stream.enqueue(value);
    },
    cancel: () => void answer.destroy(),
  });
}
