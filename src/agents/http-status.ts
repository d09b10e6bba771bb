import type { FailureCategory } from '../model/agent-failure.ts';

/** What the HTTP status of a provider’s refusal means; null where none is known. */
export function causeOf(status: number | null): FailureCategory {
  switch (status) {
    case null:
      return 'unknown';
    case 401:
    case 403:
      return 'not-logged-in';
    case 429:
    case 529:
      return 'rate-limited';
    default:
      return status >= 500 || status === 408 ? 'network' : 'request-refused';
  }
}
