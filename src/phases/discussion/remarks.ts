// Keeps what examinations say about solutions, by id, and what agents assume.
import { kindOf } from '../../context/file-kinds.ts';
import { pathsIn } from '../../context/cited-places.ts';
import { nameOfPath } from '../../git/paths.ts';
import { isFound } from '../../model/found-evidence.ts';
import type {
  CheckedClaim,
  HeldAssumption,
  HeldStance,
  Remark,
  Solution,
} from '../../model/synthesis.ts';
import { distinct } from '../../model/wording.ts';
import { saySame } from '../topic-words.ts';
import { isBareVerdict } from './reasons.ts';
import type { RoundAnswer } from './votes.ts';

interface RemarkInput {
  readonly round: number;
  readonly before: readonly Remark[];
  /** The answers of the round, in the order of the agents’ names. */
  readonly answers: readonly RoundAnswer[];
  /** The id of the solution that a label in this round’s question refers to. */
  readonly idOf: (label: string) => string | undefined;
  /** Replaces the labels of solutions with their names. */
  readonly inNames: (text: string) => string;
  /** The solutions after the round. */
  readonly solutions: readonly (Pick<Solution, 'stances' | 'revised_in'> & {
    readonly id: string | null;
  })[];
}

/**
 * All remarks of a session after a round: the earlier ones with their new state, then the new ones. Of two
 * remarks on a solution of which one has each sentence of the other, the longer one stays; a remark that names
 * the id of an earlier one joins it, too. Merging similar words would join different remarks.
 */
export function collectRemarks(input: RemarkInput): Remark[] {
  const { round, before, answers, solutions } = input;
  const said = answers.flatMap((answer) => remarksIn(answer, input));
  const remarks = before.map((remark) => updateRemark(remark, said, input));
  for (const one of said.filter((text) => !before.some((remark) => isCitation(text, remark)))) {
    const known = remarks.findIndex(
      (remark) =>
        isSameRemark(remark, one) || (remark.kind === 'adopted' && isAtSamePlace(remark, one)),
    );
    const former = remarks[known];
    if (former !== undefined) remarks[known] = joinRemark(former, one);
    else remarks.push({ id: `O${remarks.length + 1}`, round, state: 'open', ...one });
  }
  const revised = solutions.filter((one) => one.revised_in === round).map(({ id }) => id);
  return remarks.map((remark) =>
    remark.state === 'open' && revised.includes(remark.solution)
      ? { ...remark, state: 'revised' }
      : remark,
  );
}

type SaidRemark = Pick<Remark, 'kind' | 'solution' | 'text' | 'agents' | 'evidence'>;

function remarksIn(
  { agent, stances, adopted }: RoundAnswer,
  { idOf, inNames }: RemarkInput,
): readonly SaidRemark[] {
  const on = (label: string, remarks: readonly Pick<Remark, 'kind' | 'text' | 'evidence'>[]) => {
    const solution = idOf(label);
    if (solution === undefined) return [];
    return remarks.map((one) => ({
      ...one,
      text: inNames(one.text),
      solution,
      agents: [agent],
    }));
  };
  return [
    ...stances.flatMap(({ label, stance, reasons, changes = [], evidence }) => {
      const kind = stance === 'oppose' ? 'objection' : 'note';
      const texts = [
        ...changes.map((text) => ({ kind: 'change' as const, text })),
        ...reasons.map((text) => ({ kind, text }) as const),
      ];
      const isKept = ({ kind: of, text, evidence: own }: (typeof owned)[number]) =>
        of !== 'note' || own.some(({ status }) => status !== 'failed') || !isBareVerdict(text);
      const owned = withEvidence(texts, evidence);
      return on(label, owned.filter(isKept));
    }),
    ...adopted.flatMap(({ label, part, evidence }) =>
      on(label, [{ kind: 'adopted', text: part, evidence: [...evidence] }]),
    ),
  ];
}

/**
 * Gives the evidence to the texts that cite its line, otherwise to those that name its file, otherwise to the
 * first reason; a wish for a change is not something it can show.
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

/** True if a text names the line, e.g. as `Gson.java:663` or `src/Gson.java:660-670`. */
function cites(text: string, path: string, line: number): boolean {
  return pathsIn(text).some(
    ({ path: named, first, line: last }) =>
      nameOfPath(named) === nameOfPath(path) &&
      first !== null &&
      first <= line &&
      line <= (last ?? first),
  );
}

/**
 * Reads the remarks that a text names at its start, and the text after them: "O3 and O4 still stand: the queue
 * has no bound" gives these two ids and "the queue has no bound".
 */
function citationIn(text: string): { readonly ids: readonly string[]; readonly rest: string } {
  const [, list = '', rest = text] =
    /^\W*(O\d+(?:(?:,|\/|&|\s|and\b)+O\d+)*)\b(?:[\s:.,;*_`)\]–—-]|\b(?:still|stands?|holds?)\b)*(.*)$/s.exec(
      text,
    ) ?? [];
  return { ids: list.match(/O\d+/g) ?? [], rest: rest.trim() };
}

/** True for an opposition that names a remark on its solution by id, which counts as a reason as well. */
export function citesRemark(
  { stance, reasons }: Pick<HeldStance, 'stance' | 'reasons'>,
  solution: string,
  remarks: readonly Remark[],
): boolean {
  const ids = new Set(reasons.flatMap((reason) => citationIn(reason).ids));
  return stance === 'oppose' && remarks.some((one) => one.solution === solution && ids.has(one.id));
}

/** True if the text requests something by the id of a remark on the same solution. */
function isCitation(one: SaidRemark, remark: Remark): boolean {
  return (
    isWish(one) && one.solution === remark.solution && citationIn(one.text).ids.includes(remark.id)
  );
}

function isWish({ kind }: Pick<Remark, 'kind'>): boolean {
  return kind === 'objection' || kind === 'change';
}

/**
 * Updates a remark after a round with the last answer of each agent to it. An agent that repeats it by its id
 * says that it holds and becomes one of its authors.
 */
function updateRemark(remark: Remark, said: readonly SaidRemark[], input: RemarkInput): Remark {
  const { answers, inNames } = input;
  const citing = said.filter((one) => isCitation(one, remark));
  const now = answers.flatMap(({ agent, verdicts }) => {
    const own = verdicts.findLast(({ id }) => id === remark.id);
    const again = citing.find(({ agents }) => agents.includes(agent));
    if (own !== undefined && (own.why !== '' || again === undefined)) {
      return { agent, verdict: own.verdict, why: inNames(own.why) };
    }
    const holds = { agent, verdict: 'holds', why: citationIn(again?.text ?? '').rest } as const;
    return again === undefined ? [] : holds;
  });
  const isOver = ({ agent }: { readonly agent: string }) => now.some((one) => one.agent === agent);
  const replies = [...(remark.replies ?? []).filter((one) => !isOver(one)), ...now];
  return {
    ...remark,
    agents: distinct([...remark.agents, ...citing.flatMap(({ agents }) => agents)]),
    evidence: citing.reduce((all, one) => joinEvidence(all, one.evidence), remark.evidence),
    ...(replies.length !== 0 && { replies }),
    state: citing.length > 0 ? 'open' : stateAfter(remark, { now, said }, input),
  };
}

/** The state according to the remark’s authors: what they say about it now, or what they do now. */
function stateAfter(
  remark: Remark,
  {
    now,
    said,
  }: { readonly now: NonNullable<Remark['replies']>; readonly said: readonly SaidRemark[] },
  { round, solutions }: RemarkInput,
): Remark['state'] {
  const { state, agents, kind, solution } = remark;
  const isOwn = (one: SaidRemark) => one.agents.some((agent) => agents.includes(agent));
  const isRaisedAgain = (one: SaidRemark) =>
    isSameRemark(remark, one) || (isWish(remark) && isOwn(one) && isAtSamePlace(remark, one));
  if (said.some(isRaisedAgain)) return 'open';
  const verdicts = now.filter(({ agent }) => agents.includes(agent)).map(({ verdict }) => verdict);
  if (verdicts.includes('holds')) return 'open';
  if (verdicts.length === agents.length) {
    return verdicts.every((verdict) => verdict === 'wrong') ? 'withdrawn' : 'met';
  }
  if (state !== 'open' || kind !== 'objection') return state;
  const stances = solutions.find((one) => one.id === solution)?.stances ?? [];
  const supporting = stances.filter(
    (held) =>
      held.round === round &&
      held.stance === 'support' &&
      held.reason === null &&
      agents.includes(held.agent),
  );
  // An author that still asks for something may mean the same in other words.
  const isAsking = said.some((one) => one.solution === solution && isWish(one) && isOwn(one));
  return supporting.length === agents.length && !isAsking ? 'withdrawn' : state;
}

function isSameRemark(one: SaidRemark, other: SaidRemark): boolean {
  return (
    one.kind === other.kind &&
    one.solution === other.solution &&
    (saysAllOf(one, other) || saysAllOf(other, one))
  );
}

/** True if a remark has each sentence of another one, whatever places stand beside them. */
function saysAllOf({ text }: Pick<Remark, 'text'>, other: Pick<Remark, 'text'>): boolean {
  const [said, part] = [new Set(sentencesIn(text)), sentencesIn(other.text)];
  return part.length > 0 && part.every((sentence) => said.has(sentence));
}

function sentencesIn(text: string): readonly string[] {
  return text
    .replaceAll(/\s\([^()\s]+:\d+[^()]*\)/g, '')
    .toLowerCase()
    .split(/[.;!?]+(?:\s|$)|\n/)
    .map((part) => part.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim())
    .filter((part) => part !== '');
}

function isAtSamePlace(one: SaidRemark, other: SaidRemark): boolean {
  const places = new Set(one.evidence.filter(isFound).map(placeOf));
  return (
    one.kind === other.kind &&
    one.solution === other.solution &&
    other.evidence.some((claim) => isFound(claim) && places.has(placeOf(claim)))
  );
}

/** Joins two remarks without losing a word of either. */
function joinRemark(remark: Remark, other: SaidRemark): Remark {
  const [whole] = [remark, other].filter((one) =>
    [remark, other].every((of) => saysAllOf(one, of)),
  );
  return {
    ...remark,
    text: whole?.text ?? `${remark.text} (Also put so: ${other.text})`,
    agents: distinct([...remark.agents, ...other.agents]),
    evidence: joinEvidence(remark.evidence, other.evidence),
  };
}

function joinEvidence(evidence: readonly CheckedClaim[], more: readonly CheckedClaim[]) {
  const places = new Set(evidence.map(placeOf));
  return [...evidence, ...more.filter((claim) => !places.has(placeOf(claim)))];
}

function placeOf({ path, line, quote }: CheckedClaim): string {
  return JSON.stringify([path, line, quote]);
}

type Tied = Pick<Solution, 'name' | 'source_cli' | 'implementation_plan'> & {
  readonly id: string | null;
};

/**
 * Adds changes to the solution that a rule chose: the open changes that were requested for the other solutions
 * of the tie, and their tests.
 */
export function bringAlong(
  remarks: readonly Remark[],
  { chosen, over }: { readonly chosen: Tied; readonly over: readonly Tied[] },
  round: number,
): Remark[] {
  const all = [...remarks];
  for (const other of over) {
    const wishes = remarks
      .filter(({ kind, solution, state }) => {
        return kind === 'change' && solution === other.id && state === 'open';
      })
      .map(({ text, agents, evidence }) => ({
        text: `As asked of ${quoteName(other)}: ${text}`,
        agents,
        evidence,
      }));
    const known = testsOf(chosen);
    const tests = testsOf(other)
      .filter((test) => !known.includes(test))
      .map((test) => {
        return {
          text: `Test what ${quoteName(other)} tests: ${test}`,
          agents: other.source_cli,
          evidence: [],
        };
      });
    for (const one of [...wishes, ...tests]) {
      const said = { ...one, kind: 'change' as const, solution: chosen.id ?? '' };
      if (all.some((remark) => isSameRemark(remark, said) && saysAllOf(remark, said))) continue;
      const from = other.id ?? '';
      all.push({ id: `O${all.length + 1}`, round, state: 'open', from, ...said });
    }
  }
  return all;
}

function quoteName({ name }: Tied): string {
  return `“${name}”`;
}

/** The tasks of a solution that touch tests, each with the test files. */
function testsOf({ implementation_plan: { tasks } }: Tied): readonly string[] {
  return tasks.flatMap(({ name, key_point: point, files }) => {
    const tests = files.map(({ file }) => file).filter((file) => kindOf(file) === 'test');
    const what = point === null ? name : `${name}: ${point}`;
    return tests.length === 0 ? [] : `${what} (${distinct(tests).join(', ')})`;
  });
}

/**
 * All assumptions of a session after a round, each pair of question and assumption once. An agent’s later
 * assumption replaces its earlier one.
 */
export function collectAssumptions(
  before: readonly HeldAssumption[],
  answers: readonly Pick<RoundAnswer, 'agent' | 'assumptions'>[],
): HeldAssumption[] {
  let all = [...before];
  for (const { agent, assumptions } of answers) {
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
      else all[known] = { ...held, agents: distinct([...held.agents, agent]) };
    }
  }
  return all;
}
