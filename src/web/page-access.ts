// Lets pages in: a link opens one page, which keeps its access until the server ends.
import { randomBytes } from 'node:crypto';
import { sha256Of } from '../store/digest.ts';
import { Refused } from './page-server.ts';

/** The tokens of links, each good for one page, and the bearers of the pages that were opened. */
export interface PageAccess {
  /** Makes the token of a new link; an older link that nobody opened becomes worthless. */
  newToken(): string;
  /** Swaps a token for a bearer; refuses one that is unknown or was used. */
  redeem(token: string): string;
  admits(bearer: string): boolean;
}

/** Keeps only digests, so that how long a comparison takes tells nothing about a secret. */
export function pageAccess(): PageAccess {
  let open: string | null = null;
  const bearers = new Set<string>();
  return {
    newToken() {
      const token = randomBytes(16).toString('base64url');
      open = sha256Of(token);
      return token;
    },
    redeem(token) {
      if (open === null || sha256Of(token) !== open)
        throw new Refused(
          403,
          'This link was used, or is an old one; the terminal makes a new one.',
        );
      open = null;
      const bearer = randomBytes(32).toString('base64url');
      bearers.add(sha256Of(bearer));
      return bearer;
    },
    admits: (bearer) => bearers.has(sha256Of(bearer)),
  };
}
