// Says who is for a solution and who against it, why, and what the check did not find in it.
import type { Opinion } from '../model/option.ts';
import {
  type CheckedClaim,
  type ComparedPair,
  type HeldStance,
  type MissingAnswer,
  type Remark,
  type Solution,
  type Synthesis,
  referenceWords,
} from '../model/synthesis.ts';
import { clause, listed, verbFor } from '../model/wording.ts';
import { whyNoVote } from './discussion/votes.ts';
import { remarkStateText, replyClauses } from './remark-words.ts';

type Discussed = Pick<Synthesis, 'round' | 'receipts' | 'remarks'>;

/** The opinions on a solution: first those for it, then those against it, then the wishes. */
export function opinionsOn(solution: Solution, synthesis: Discussed): readonly Opinion[] {
  const remarks = synthesis.remarks.filter((remark) => remark.solution === solution.id);
  const held = solution.stances.map((one) => heldOpinion(one, { solution, synthesis, remarks }));
  const isSaid = (remark: Remark) =>
    solution.stances.some(
      (one) => one.reasons.includes(remark.text) && remark.agents.includes(one.agent),
    );
  const others = remarks.filter((one) => one.kind !== 'note' && !isSaid(one)).map(saidOpinion);
  const all = [...recommendations(solution, synthesis), ...held, ...others];
  return kinds.flatMap((kind) => all.filter((one) => one.kind === kind));
}

const kinds: readonly Opinion['kind'][] = ['for', 'against', 'unsure', 'change', 'adopted'];

/** The agents that would build the solution and said no more. */
function recommendations(solution: Solution, synthesis: Discussed): readonly Opinion[] {
  const { preferred_by: wanting = [], stances } = solution;
  const does = synthesis.round === 1 ? 'recommends it' : 'would build it';
  return wanting
    .filter((agent) => !stances.some((held) => held.agent === agent))
    .map((agent) => {
      const no_vote = whyNoVote(agent, solution, synthesis);
      return { kind: 'for', agents: [agent], does, reasons: [], no_vote, ...noRemark };
    });
}

const noRemark = { remark: null, state: null, said_in: null, replies: [] };
const stanceKinds = { support: 'for', oppose: 'against', unsure: 'unsure' } as const;

function heldOpinion(
  held: HeldStance,
  {
    solution,
    synthesis,
    remarks,
  }: { solution: Solution; synthesis: Discussed; remarks: readonly Remark[] },
): Opinion {
  const { agent, stance, reasons } = held;
  const isWanted = solution.preferred_by?.includes(agent) === true;
  const does = {
    support: isWanted ? 'would build it' : 'supports it',
    oppose: 'opposes it',
    unsure: 'is unsure of it',
  }[stance];
  const own = remarks.filter(
    (one) => one.agents.includes(agent) && reasons.includes(one.text) && one.kind !== 'change',
  );
  const objections = own.filter(({ kind }) => kind === 'objection');
  const [objection] = objections;
  return {
    kind: stanceKinds[stance],
    agents: [agent],
    does,
    reasons: reasonTexts(held, own),
    no_vote: stance === 'unsure' ? null : whyNoVote(agent, solution, synthesis),
    remark: objection?.id ?? null,
    state: objection?.state ?? null,
    said_in: null,
    replies: objections.flatMap((one) => replyClauses(one, one === objection ? 'it' : one.id)),
  };
}

/** Adds its evidence to each reason, and from the second objection on its id and state. */
function reasonTexts({ reasons, evidence }: HeldStance, remarks: readonly Remark[]): string[] {
  const texts = reasons.length === 0 && evidence.length > 0 ? ['it cites'] : reasons;
  const [, ...others] = remarks.filter(({ kind }) => kind === 'objection');
  return texts.map((text, at) => {
    const known = remarks.find((one) => one.text === text);
    const own = at === 0 && remarks.length === 0 ? evidence : [];
    const isOther = known !== undefined && others.includes(known);
    const head = isOther ? `(${known.id}, ${remarkStateText(known.state)}) ` : '';
    return `${head}${withPlaces(text, known?.evidence ?? own)}`;
  });
}

/**
 * Turns a remark that no present stance repeats into an opinion: an earlier objection, a change, or an adopted
 * part.
 */
function saidOpinion(remark: Remark): Opinion {
  const { id, kind, text, agents, evidence, state, round } = remark;
  const said = {
    objection: { kind: 'against', does: 'objected' },
    change: { kind: 'change', does: `${verbFor(agents, 'ask')} for a change` },
    adopted: { kind: 'adopted', does: 'would adopt a part of it' },
    note: { kind: 'unsure', does: 'noted' },
  } as const;
  return {
    ...said[kind],
    agents,
    reasons: [withPlaces(text, evidence)],
    no_vote: null,
    remark: id,
    state,
    said_in: round,
    replies: [...replyClauses(remark)],
  };
}

/** Adds the places of the evidence, unless the text names them itself. */
function withPlaces(text: string, evidence: readonly CheckedClaim[]): string {
  const places = new Set(
    evidence.map(({ path, line, found_line: found, status }) => {
      const word = status === 'failed' ? 'not found' : referenceWords[status];
      const place = `${path}:${found ?? line}`;
      return text.includes(place) ? word : `${place} ${word}`;
    }),
  );
  return `${clause(text)}${places.size === 0 ? '' : ` (${[...places].join(', ')})`}`;
}

/** Names the agents for and against a solution in a few words; empty if there are none. */
export function tallyOf(
  opinions: readonly Opinion[],
): readonly { readonly kind: Opinion['kind'] | 'no-vote'; readonly text: string }[] {
  const of = (kind: Opinion['kind']) =>
    distinct(
      opinions.filter((one) => one.kind === kind && one.no_vote === null && one.said_in === null),
    );
  const uncounted = distinct(opinions.filter((one) => one.no_vote !== null));
  const parts = [
    { kind: 'for', text: 'for', names: of('for') },
    { kind: 'against', text: 'against', names: of('against') },
    { kind: 'unsure', text: 'unsure', names: of('unsure') },
    { kind: 'no-vote', text: 'no vote', names: uncounted },
  ] as const;
  return parts.flatMap(({ kind, text, names }) =>
    names.length === 0 ? [] : { kind, text: `${text}: ${names.join(', ')}` },
  );
}

/** The agents that support a solution now: those whose support counts, and those whose support is no vote. */
export function supportersOf(
  solution: Solution,
  synthesis: Discussed,
): { readonly voters: readonly string[]; readonly others: readonly string[] } {
  const opinions = opinionsOn(solution, synthesis).filter(
    ({ kind, said_in }) => kind === 'for' && said_in === null,
  );
  return {
    voters: distinct(opinions.filter(({ no_vote }) => no_vote === null)),
    others: distinct(opinions.filter(({ no_vote }) => no_vote !== null)),
  };
}

function distinct(opinions: readonly Opinion[]): readonly string[] {
  return [...new Set(opinions.flatMap(({ agents }) => agents))];
}

/**
 * Puts an opinion into one sentence without its full stop, followed by the replies to it; `most` limits the
 * reasons.
 */
export function opinionText(
  { kind, agents, does, reasons, no_vote, remark, state, said_in: round, replies }: Opinion,
  most = Infinity,
): string {
  const shown = reasons.slice(0, most);
  const id = remark === null ? '' : ` (${[remark, remarkStateText(state)].join(', ')})`;
  const why = no_vote === null ? '' : `, which is no vote, as ${no_vote}`;
  const said = shown.length === 0 ? '' : `: ${shown.join('; ')}`;
  const when = kind === 'against' && round !== null ? ` in round ${round}` : '';
  const answers = most === Infinity ? replies.map((reply) => `. ${reply}`).join('') : '';
  return `${listed(agents)} ${does}${when}${id}${why}${said}${answers}`;
}

/** References of a solution that the check did not find, each with the reason. */
export function faultyReferences({ affected_files: files, claims }: Solution): readonly string[] {
  return [
    ...claims
      .filter(({ status }) => status === 'failed')
      .map(
        ({ path, line, statement, agent, note }) =>
          `${path}:${line}, “${clause(statement)}” (${agent})${because(note)}`,
      ),
    ...files
      .filter(({ status }) => status === 'failed')
      .map(({ file, action, note }) => `${file}, to ${action}${because(note)}`),
  ];
}

function because(note: string): string {
  return note === '' ? '' : `: ${clause(note)}`;
}

/** The differences from the other solutions, as the comparison of round 1 describes them. */
export function differencesOf(
  solution: Solution,
  { compared, solutions }: Pick<Synthesis, 'compared' | 'solutions'>,
): readonly string[] {
  const others = solutions.filter((one) => one !== solution);
  return others.flatMap((theirs) => {
    const pair = comparisonOf(solution, theirs, compared);
    if (pair === null || pair.difference === '') return [];
    const { relation, difference } = pair;
    const how = relation === 'variant' ? 'A variant of' : 'Not the same as';
    return [`${how} “${clause(theirs.name)}”: ${clause(difference)}`];
  });
}

/** The comparison of two solutions; null if they were not compared, or if one of them was revised since. */
export function comparisonOf(
  one: Solution,
  other: Solution,
  compared: readonly ComparedPair[],
): ComparedPair | null {
  const pair = compared.find(
    ({ agents: [a, b], names: [first, second] }) =>
      (isStill(one, a, first) && isStill(other, b, second)) ||
      (isStill(other, a, first) && isStill(one, b, second)),
  );
  return pair ?? null;
}

/** True if this solution is the one that the agent submitted under this name and its text has not changed. */
function isStill({ source_cli, name, revised_in }: Solution, agent: string, named: string) {
  return source_cli.includes(agent) && name === named && revised_in === undefined;
}

/** Describes a solution in the words of its other authors, if several solutions were found to be the same. */
export function versionTexts({
  name: shown,
  summary: text,
  versions = [],
}: Pick<Solution, 'name' | 'summary' | 'versions'>): readonly string[] {
  return versions
    .filter(({ name, summary }) => name !== shown || summary !== text)
    .map(
      ({ name, summary, source_cli: authors }) =>
        `As ${listed(authors)} wrote it: ${clause(name)}. ${clause(summary)}`,
    );
}

/**
 * Names the agents that did not answer in a round, with the reasons; null if all answered. `you` is the word
 * for the person.
 */
export function missingText(
  { receipts, unanswered, absent }: Pick<Synthesis, 'receipts' | 'unanswered' | 'absent'>,
  you = 'you',
): string | null {
  const missing = unanswered.filter(wasAsked).map((one) => silence(one, you));
  const before = absent.filter(wasAsked).map((one) => `${silence(one, you)} (round ${one.round})`);
  const count = missing.length + before.length;
  if (count === 0) return null;
  const answered = receipts.filter(({ failure }) => failure === null);
  const own = answered.filter(({ agent, seat }) => agent === seat);
  const standIns = answered.filter(({ agent, seat }) => agent !== seat);
  return [
    `${own.length} of ${own.length + count} answered`,
    ...missing,
    ...before,
    ...standIns.map(({ agent, seat }) => `${agent} replaced ${seat}`),
  ].join('; ');
}

function wasAsked({ category }: MissingAnswer): boolean {
  return category !== 'not-asked';
}

/** Says why an agent did not answer. Only a person can end a single agent’s run, so a cancelled one was skipped. */
function silence({ agent, category, reason }: MissingAnswer, you: string): string {
  return category === 'cancelled'
    ? `${you} skipped ${agent}`
    : `${agent} did not: ${clause(reason)}`;
}
