// Asks a model’s address, and names answers that come from something else than a model.
import { NoModelAnswer } from './model-errors.ts';

/**
 * `fetch` that refuses a web page in place of an answer, and follows no redirect with the key; `source`
 * is where the address stands.
 */
export function guardedFetch(address: string, source: string): typeof fetch {
  return async (url, init) => {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const { status, headers } = response;
    const target = headers.get('location');
    if (status >= 300 && status < 400) {
      throw new NoModelAnswer(
        `${address} leads elsewhere (${target ?? `status ${status}`}); put that address into ${source}`,
      );
    }
    if (response.ok && /\btext\/html\b/i.test(headers.get('content-type') ?? '')) {
      throw new NoModelAnswer(
        `${address} answered with a web page, not with an answer of a model; check ${source}`,
      );
    }
    return response;
  };
}
