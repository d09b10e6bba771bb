import type { CheckedClaim, ReferenceStatus, Synthesis } from '../../model/synthesis.ts';
import { counted, listed } from '../../model/wording.ts';
import { type Markup, type Part, badge, foldable, inlineCode, markup } from './markup.ts';

/** What became of a cited place when code looked it up. */
export const verdictBadge: Readonly<Record<ReferenceStatus, Markup>> = {
  failed: badge('bad', '✗', 'failed'),
  moved: badge('warn', '→', 'moved'),
  planned: badge('quiet', '○', 'planned'),
  verified: badge('good', '✓', 'verified'),
};

/** What the agents said of the code, with what they quoted; those first that did not hold. */
export function claimsText(rounds: readonly Synthesis[]): Part {
  const solutions = rounds.flatMap((round) => round.solutions);
  const made = solutions.flatMap(({ claims, stances }) => [
    ...claims,
    ...stances.flatMap(({ evidence }) => evidence),
  ]);
  if (made.length === 0) return markup`<p>No agent cited the code.</p>`;
  const groups = Object.entries(verdictBadge).flatMap(([status, verdict]) => {
    const claims = together(made.filter((claim) => claim.status === status));
    return claims.length === 0 ? [] : { status, verdict, claims };
  });
  const counts = groups.map(({ status, claims }) => `${claims.length} ${status}`);
  return markup`<p>Each place was looked up in the code as it was when the session began: ${listed(counts)}.</p>
${groups.map(({ status, verdict, claims }) =>
  foldable(markup`${verdict}: ${counted(claims.length, 'claim')}`, {
    body: claims.map(claimText),
    open: status === 'failed' || claims.length <= 8,
  }),
)}`;
}

interface SharedClaim {
  readonly claim: CheckedClaim;
  readonly agents: readonly string[];
}

/** What is said again in a later round, or by another agent, is one claim. */
function together(claims: readonly CheckedClaim[]): readonly SharedClaim[] {
  const groups = Map.groupBy(claims, ({ statement, path, line, quote }) =>
    JSON.stringify([statement, path, line, quote]),
  );
  return [...groups.values()].flatMap((same) => {
    const [claim] = same;
    const agents = [...new Set(same.map(({ agent }) => agent))];
    return claim === undefined ? [] : { claim, agents };
  });
}

function claimText({ claim, agents }: SharedClaim): Markup {
  const { statement, path, line, found_line: found, quote, note } = claim;
  const place = `${path}:${found ?? line}`;
  const moved = found !== null && found !== line ? `, cited as line ${line}` : '';
  return markup`<div class="claim"><p class="lines">${inlineCode(statement)}</p>
${quote === '' ? null : markup`<pre>${quote}</pre>`}<p class="quiet"><code>${place}</code>${moved} · ${listed(agents)}${note === '' ? null : markup` · ${inlineCode(note)}`}</p></div>\n`;
}
