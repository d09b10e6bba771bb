import { type Solution, isDraft } from '../../model/synthesis.ts';
import { counted, listed } from '../../model/wording.ts';
import { verdictBadge } from './claims.ts';
import {
  type Markup,
  type Part,
  badge,
  bulletList,
  foldable,
  inlineCode,
  markup,
  paragraphs,
} from './markup.ts';

/** Solutions side by side, best first. */
export function optionsText(solutions: readonly Solution[], chosen: string | null): Part {
  const cards = solutions.map((solution, at) =>
    card(solution, { number: at + 1, isChosen: solution.name === chosen }),
  );
  return markup`<div class="options">${cards}</div>`;
}

/** Seven parts, so that those of one kind stand in one row. */
function card(
  solution: Solution,
  { number, isChosen }: { readonly number: number; readonly isChosen: boolean },
): Markup {
  const { name, summary, pros, cons, source_cli: authors } = solution;
  const mark = isChosen ? markup`${badge('good', '✓', 'chosen')} · ` : null;
  return markup`<article class="option${isChosen ? ' chosen' : ''}"><h3>${number}. ${inlineCode(name)}</h3>
<p class="quiet">${mark}from ${listed(authors)}</p>
<div>${paragraphs(summary)}</div>
${ratings(solution)}
<div>${signed('for', pros)}${signed('against', [...cons, ...solution.technical_concerns])}</div>
<p>${supportText(solution)}</p>
<div>${details(solution)}</div></article>\n`;
}

function ratings(solution: Solution): Markup {
  if (isDraft(solution)) return markup`<p>A draft by rules, which nobody rated.</p>`;
  const { feasibility, effort, risk } = solution;
  return markup`<dl class="facts"><dt>Feasibility</dt><dd>${feasibility.toFixed(2)}</dd><dt>Effort</dt><dd>${effort}</dd><dt>Risk</dt><dd>${risk}</dd></dl>`;
}

function signed(look: 'for' | 'against', texts: readonly string[]): Part {
  if (texts.length === 0) return null;
  return markup`<ul class="${look}">${texts.map((text) => markup`<li>${inlineCode(text)}</li>`)}</ul>`;
}

function supportText({ stances, preferred_by: preferred = [] }: Solution): string {
  const holding = (kind: string) =>
    listed(stances.flatMap(({ agent, stance }) => (stance === kind ? agent : [])));
  const facts = [
    ['Supported by', holding('support')],
    ['Opposed by', holding('oppose')],
    ['Preferred by', listed(preferred)],
  ];
  const said = facts.flatMap(([what, who]) => (who === '' ? [] : `${what} ${who}.`));
  return said.length === 0 ? 'Nobody took a stance.' : said.join(' ');
}

function details({ implementation_plan: plan, affected_files: files }: Solution): Part {
  const steps = plan.tasks.map(({ name, key_point: point }) =>
    point === null ? name : `${name}: ${point}`,
  );
  const places = files.map(({ file, line, action, status, note }) => {
    const place = line === null ? file : `${file}:${line}`;
    const why = note === '' ? null : markup` <span class="quiet">${inlineCode(note)}</span>`;
    return markup`<li>${action} <code>${place}</code> ${verdictBadge[status]}${why}</li>`;
  });
  return [
    foldable(counted(steps.length, 'step'), {
      body: [paragraphs(plan.approach), bulletList(steps)],
    }),
    places.length === 0
      ? null
      : foldable(counted(places.length, 'file'), { body: markup`<ul>${places}</ul>` }),
  ];
}
