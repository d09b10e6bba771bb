// Keeps what examinations say of solutions, by id: objections, notes, changes and adopted parts.
import { nameOfPath } from '../../git/paths.ts';
import { isFound } from '../../model/found-evidence.ts';
import type { CheckedClaim, HeldAssumption, Remark, Solution } from '../../model/synthesis.ts';
import { compareTexts } from '../../model/wording.ts';
import { saySame } from '../topic-words.ts';
import { citationIn } from './cited-remarks.ts';
import { hasFoundClaim, isBareVerdict, saysSomething } from './reasons.ts';
import { distinct, type RoundAnswer } from './support.ts';

/** A solution after a round, as far as remarks depend on it. */
type RemarkedSolution = Pick<Solution, 'id' | 'stances' | 'revised_in'>;

interface RemarkInput {
  readonly round: number;
  readonly before: readonly Remark[];
  readonly answers: readonly RoundAnswer[];
  /** The id of the solution that a label of this round’s question means. */
  readonly idOf: (label: string) => string | undefined;
  /** Puts the names of solutions in place of their labels. */
  readonly inNames: (text: string) => string;
  readonly solutions: readonly RemarkedSolution[];
}

/**
 * All remarks of a session after a round: those of before with their new state, then the new ones.
 * Remarks in the same words on one solution are one, and so is what names the id of an earlier one;
 * likeness would join different ones. The order of the answers makes no difference.
 */
export function collectRemarks(input: RemarkInput): Remark[] {
  const { round, before, answers, idOf, inNames, solutions } = input;
  const said = answers
    .toSorted((a, b) => compareTexts(a.agent, b.agent))
    .flatMap((answer) => remarksIn(answer, idOf))
    .map((one) => ({ ...one, text: inNames(one.text) }));
  const remarks: Remark[] = before
    .map((remark) => withCitations(withReplies(remark, input), said))
    .map((remark) => ({ ...remark, state: stateAfter(remark, said, input) }));
  for (const one of said.filter((text) => !before.some((remark) => isCitation(text, remark)))) {
    const known = remarks.findIndex(
      (remark) => isSameRemark(remark, one) || isSamePart(remark, one),
    );
    const former = remarks[known];
    if (former !== undefined) remarks[known] = joinRemark(former, one);
    else remarks.push({ id: `O${remarks.length + 1}`, round, state: 'open', ...one });
  }
  return remarks.map((remark) => {
    const isRevised = solutions.some(
      ({ id, revised_in }) => id === remark.solution && revised_in === round,
    );
    return remark.state === 'open' && isRevised ? { ...remark, state: 'revised' } : remark;
  });
}

type SaidRemark = Pick<Remark, 'kind' | 'solution' | 'text' | 'agents' | 'evidence'>;

function remarksIn(
  { agent, stances, adopted }: RoundAnswer,
  idOf: (label: string) => string | undefined,
): readonly SaidRemark[] {
  const on = (label: string, remarks: readonly Omit<SaidRemark, 'solution' | 'agents'>[]) => {
    const solution = idOf(label);
    return solution === undefined
      ? []
      : remarks.map((remark) => ({ ...remark, solution, agents: [agent] }));
  };
  return [
    ...stances.flatMap(({ label, stance, reasons, changes = [], evidence }) => {
      const kind = stance === 'oppose' ? 'objection' : 'note';
      const texts = [
        ...changes.map((text) => ({ kind: 'change' as const, text })),
        ...reasons.map((text) => ({ kind, text }) as const),
      ];
      return on(label, withEvidence(texts, evidence).filter(isSubstantial));
    }),
    ...adopted.flatMap(({ label, part, evidence }) =>
      on(label, [{ kind: 'adopted', text: part, evidence: [...evidence] }]),
    ),
  ];
}

/**
 * Evidence belongs to the texts that cite its line, else to those that name its file, else to the
 * first reason: a wish for a change is not what it shows.
 */
function withEvidence<T extends Pick<Remark, 'text' | 'kind'>>(
  texts: readonly T[],
  evidence: readonly CheckedClaim[],
): readonly (T & { evidence: CheckedClaim[] })[] {
  const first = texts.find(({ kind }) => kind !== 'change') ?? texts[0];
  const owned = evidence.map((claim) => {
    const { path, line, found_line: found } = claim;
    const lines = found === null ? [line] : [line, found];
    const owners = [
      texts.filter(({ text }) => lines.some((at) => cites(text, path, at))),
      texts.filter(({ text }) => text.includes(path)),
      texts.filter(({ text }) => text.includes(nameOfPath(path))),
    ].find((named) => named.length > 0);
    return { claim, owners: owners ?? [first] };
  });
  return texts.map((one) => ({
    ...one,
    evidence: owned.flatMap(({ claim, owners }) => (owners.includes(one) ? [claim] : [])),
  }));
}

/** True where a text names the line, e.g. as `Gson.java:663` or `src/Gson.java:660-670`. */
function cites(text: string, path: string, line: number): boolean {
  const name = nameOfPath(path).replace(/\W/g, '\\$&');
  const places = text.matchAll(new RegExp(`(?<![\\w.-])${name}:(\\d+)(?:[-–](\\d+))?`, 'g'));
  return [...places].some(
    ([, first, last = first]) => Number(first) <= line && line <= Number(last),
  );
}

/** A wish is never empty talk; of the reasons those count that say more than yes or no. */
function isSubstantial({ kind, text, evidence }: Pick<Remark, 'kind' | 'text' | 'evidence'>) {
  if (kind === 'change' || hasFoundClaim(evidence)) return true;
  return kind === 'objection' ? !isBareVerdict(text) : saysSomething(text);
}

/** A remark with what was answered to it in this round; the last answer of each agent stays. */
function withReplies(remark: Remark, { answers, inNames }: RemarkInput): Remark {
  const now = answers
    .toSorted((a, b) => compareTexts(a.agent, b.agent))
    .flatMap(({ agent, verdicts }) => {
      const own = verdicts.findLast(({ id }) => id === remark.id);
      return own === undefined ? [] : { agent, verdict: own.verdict, why: inNames(own.why) };
    });
  if (now.length === 0) return remark;
  const earlier = (remark.replies ?? []).filter(
    (reply) => !now.some(({ agent }) => agent === reply.agent),
  );
  return { ...remark, replies: [...earlier, ...now] };
}

/** True of what asks for something by the id of a remark on the same solution. */
function isCitation({ kind, text, solution }: SaidRemark, remark: Remark): boolean {
  return (
    (kind === 'objection' || kind === 'change') &&
    solution === remark.solution &&
    citationIn(text)?.ids.includes(remark.id) === true
  );
}

/** A remark with who says it again by its id, which means that it holds, unless that agent answered it with a reason. */
function withCitations(remark: Remark, said: readonly SaidRemark[]): Remark {
  return said
    .filter((one) => isCitation(one, remark))
    .reduce<Remark>((joined, { agents: [agent = ''], text, evidence }) => {
      const { replies = [] } = joined;
      const reply = { agent, verdict: 'holds' as const, why: citationIn(text)?.rest ?? '' };
      const isAnswered = replies.some((one) => one.agent === agent && one.why !== '');
      return {
        ...joined,
        agents: [...distinct([...joined.agents, agent])],
        replies: isAnswered ? replies : [...replies, reply],
        evidence: joinEvidence(joined.evidence, evidence),
      };
    }, remark);
}

/** By those who made the remark: what they say of it now, else what they do now. */
function stateAfter(
  remark: Remark,
  said: readonly SaidRemark[],
  { round, solutions, answers }: RemarkInput,
): Remark['state'] {
  const { id, state, agents, kind } = remark;
  const isSaidAgain = (one: SaidRemark) =>
    isSameRemark(remark, one) || isRaisedAgain(remark, one) || isCitation(one, remark);
  if (said.some(isSaidAgain)) return 'open';
  const verdicts = answers
    .filter(({ agent }) => agents.includes(agent))
    .flatMap((answer) => answer.verdicts.findLast((one) => one.id === id) ?? []);
  if (verdicts.some(({ verdict }) => verdict === 'holds')) return 'open';
  if (verdicts.length === agents.length) {
    return verdicts.every(({ verdict }) => verdict === 'wrong') ? 'withdrawn' : 'met';
  }
  if (state !== 'open') return state;
  const stances = solutions.find((one) => one.id === remark.solution)?.stances ?? [];
  const now = stances.filter((held) => held.round === round && agents.includes(held.agent));
  const isOver =
    now.length > 0 && now.every(({ stance, counts }) => stance === 'support' && counts);
  // An agent that still asks for something may mean the same in other words.
  const isAsking = said.some(
    (one) =>
      one.solution === remark.solution &&
      (one.kind === 'objection' || one.kind === 'change') &&
      one.agents.some((agent) => agents.includes(agent)),
  );
  // It rests only where each of them has moved, and only an objection stands against support.
  const isWithdrawn = isOver && !isAsking && kind === 'objection' && now.length === agents.length;
  return isWithdrawn ? 'withdrawn' : state;
}

function isSameRemark(one: SaidRemark, other: SaidRemark): boolean {
  return (
    one.kind === other.kind &&
    one.solution === other.solution &&
    foldText(one.text) === foldText(other.text)
  );
}

/** True of what asks for something, at the same place, by somebody who asked for it before. */
function isRaisedAgain(one: Remark, other: SaidRemark): boolean {
  const isWish = one.kind === 'objection' || one.kind === 'change';
  const isOwn = other.agents.some((agent) => one.agents.includes(agent));
  return isWish && isOwn && isAtSamePlace(one, other);
}

function isAtSamePlace(one: SaidRemark, other: SaidRemark): boolean {
  const places = new Set(one.evidence.filter(isFound).map(placeOf));
  return (
    one.kind === other.kind &&
    one.solution === other.solution &&
    other.evidence.some((claim) => isFound(claim) && places.has(placeOf(claim)))
  );
}

/** Two that adopt a part with the same evidence mean the same part, whatever they call it. */
function isSamePart(one: SaidRemark, other: SaidRemark): boolean {
  return one.kind === 'adopted' && isAtSamePlace(one, other);
}

function foldText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function joinRemark(remark: Remark, other: SaidRemark): Remark {
  return {
    ...remark,
    text: foldText(remark.text) === foldText(other.text) ? remark.text : bothTexts(remark, other),
    agents: [...distinct([...remark.agents, ...other.agents])],
    evidence: joinEvidence(remark.evidence, other.evidence),
  };
}

function joinEvidence(evidence: readonly CheckedClaim[], more: readonly CheckedClaim[]) {
  const places = new Set(evidence.map(placeOf));
  return [...evidence, ...more.filter((claim) => !places.has(placeOf(claim)))];
}

/** No word of either is lost. */
function bothTexts({ text }: Remark, other: SaidRemark): string {
  return text.includes(other.text) ? text : `${text} (Also put so: ${other.text})`;
}

function placeOf({ path, line, quote }: CheckedClaim): string {
  return JSON.stringify([path, line, quote]);
}

/**
 * All assumptions of a session after a round, each question with each assumption once. The later
 * one of an agent takes the place of its earlier one.
 */
export function collectAssumptions(
  before: readonly HeldAssumption[],
  answers: readonly Pick<RoundAnswer, 'agent' | 'assumptions'>[],
): HeldAssumption[] {
  let all = [...before];
  for (const { agent, assumptions } of answers.toSorted((a, b) => compareTexts(a.agent, b.agent))) {
    for (const one of assumptions) {
      const isSame = (held: HeldAssumption) => saySame(held.assumption, one.assumption);
      all = all.flatMap((held) => {
        if (!saySame(held.question, one.question) || isSame(held)) return [held];
        const agents = held.agents.filter((name) => name !== agent);
        return agents.length === 0 ? [] : [{ ...held, agents }];
      });
      const known = all.findIndex((held) => saySame(held.question, one.question) && isSame(held));
      const held = all[known];
      if (held === undefined) all.push({ ...one, agents: [agent] });
      else all[known] = { ...held, agents: [...distinct([...held.agents, agent])] };
    }
  }
  return all;
}
