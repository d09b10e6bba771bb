// Shows each remark of examiners on the chosen solution with the answers to it, and what became of it.
import type { PackagedRemark } from '../../model/context-package.ts';
import type { PlanFiles } from '../../model/plan.ts';
import { listed } from '../../model/wording.ts';
import { outcomeTexts, replyClauses } from '../../phases/remark-words.ts';
import { type Markup, type Part, bulletList, inlineCode, markup } from './markup.ts';

const kindTexts: Readonly<Record<PackagedRemark['kind'], string>> = {
  objection: 'objection of',
  note: 'note of',
  change: 'change asked for by',
  adopted: 'part to take over, for',
};

/** The remarks with their places, the answers of others, and the tasks and decisions that answer them. */
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
