// Shows what others said about the plan and its solution: readers' findings and examiners' remarks.
import type { PackagedRemark } from '../../model/context-package.ts';
import { isFound } from '../../model/found-evidence.ts';
import type { PlanFiles } from '../../model/plan.ts';
import type { PlanReading, ReadFinding } from '../../model/plan-reading.ts';
import { readingText } from '../../model/reading-summary.ts';
import { listed } from '../../model/wording.ts';
import { outcomeTexts, replyClauses } from '../../phases/remark-words.ts';
import { severityBadges } from './execution-section.ts';
import { type Markup, type Part, bulletList, inlineCode, markup } from './markup.ts';

/** The readers of the plan, what they found, and how its author responded. */
export function readingPart({ readers, unread, findings, notes }: PlanReading): Part {
  if (readers.length === 0) return markup`<p>Not yet read by others: ${unread}.</p>`;
  const who = listed(readers.map(({ agent }) => agent));
  return markup`<p>${who}: ${readingText(findings)}.</p>${bulletList([...notes])}${findings.map(findingText)}`;
}

function findingText(finding: ReadFinding): Markup {
  const { severity, task, agent, problem, suggestion, fate, reply } = finding;
  return markup`<div class="claim"><p>${severityBadges[severity]} ${task ?? 'the plan'}, by ${agent}: ${fate}</p>
<p class="lines">${inlineCode(problem)}</p>${evidenceList(finding.evidence)}
<p class="lines">Suggestion: ${inlineCode(suggestion)}</p>${reply === '' ? null : markup`<p class="lines">Reply: ${inlineCode(reply)}</p>`}${evidenceList(finding.reply_evidence)}</div>\n`;
}

function evidenceList(claims: ReadFinding['evidence']): Part {
  return bulletList(
    claims.map((claim) => {
      const { path, line, found_line: found, quote } = claim;
      const missing = isFound(claim) ? '' : ' (not found there)';
      return markup`<code>${path}:${found ?? line}</code> <code>${quote}</code>${missing}`;
    }),
  );
}

const kindTexts: Readonly<Record<PackagedRemark['kind'], string>> = {
  objection: 'objection by',
  note: 'note by',
  change: 'change asked for by',
  adopted: 'part to take over, for',
};

/** The remarks with their places, the answers of others, and the tasks and decisions that address them. */
export function remarksPart(remarks: readonly PackagedRemark[], files: PlanFiles): Part {
  return remarks.map((remark) => remarkText(remark, files));
}

function remarkText(remark: PackagedRemark, files: PlanFiles): Markup {
  const { id, kind, agents, text, evidence } = remark;
  const places = evidence
    .filter(({ status }) => status !== 'failed')
    .map(({ path, line }) => markup`<code>${path}:${line}</code>`);
  const outcome = outcomeTexts(remark, files).join(' ');
  return markup`<div class="claim"><p>${id}, ${kindTexts[kind]} ${listed(agents)}</p>
<p class="lines">${inlineCode(text)}</p>${bulletList(places)}${bulletList(replyClauses(remark))}
<p class="lines">${inlineCode(outcome)}</p></div>\n`;
}
