// Tells a discussion as documents: its options side by side, its agreement, its rounds and its claims.
import {
  type Badge,
  type Block,
  type Line,
  type Piece,
  type Tone,
  code,
  columns,
  fold,
  item,
  list,
  prose,
  section,
  table,
} from '../../model/document.ts';
import type { Opinion } from '../../model/option.ts';
import {
  type AffectedFile,
  type CheckedClaim,
  type HeldStance,
  ReferenceStatus,
  type Solution,
  type Synthesis,
  isDraft,
  referenceWords,
  unratedText,
} from '../../model/synthesis.ts';
import { agreementText, counted, listed, sentence } from '../../model/wording.ts';
import { noModelText } from '../discussion/seats.ts';
import { whyNoVote } from '../discussion/votes.ts';
import {
  differencesOf,
  faultyReferences,
  missingText,
  opinionText,
  opinionsOn,
  tallyOf,
  versionTexts,
} from '../opinions.ts';
import { assumptionText, replyTexts } from '../present-options.ts';

const referenceLooks: Readonly<Record<ReferenceStatus, readonly [mark: string, tone: Tone]>> = {
  verified: ['✓', 'good'],
  moved: ['→', 'warn'],
  planned: ['○', 'accent'],
  failed: ['✗', 'bad'],
};

/** What the check found at a cited place. */
function referenceBadge(status: ReferenceStatus, text = referenceWords[status]): Badge {
  const [mark, tone] = referenceLooks[status];
  return { badge: text, mark, tone };
}

/** What each mark of a place means. */
export const markLegend: readonly Piece[] = ReferenceStatus.options.flatMap((status) => [
  referenceBadge(status),
  '   ',
]);

/** What a person sees before the decision. */
interface Offered {
  readonly synthesis: Synthesis;
  readonly uncertainty?: string | null;
  readonly questions?: readonly string[];
  readonly asked?: string | null;
  readonly canDiscuss?: boolean;
  /** The name of the solution that was chosen. */
  readonly chosen?: string | null;
  readonly you?: string;
}

/** Tells where the discussion stands, and the options side by side. */
export function optionsBlocks(offered: Offered): readonly (Block | null)[] {
  const {
    synthesis,
    uncertainty = null,
    questions = [],
    asked = null,
    canDiscuss = true,
  } = offered;
  const { solutions, convergence } = synthesis;
  const missing = missingText(synthesis, offered.you);
  const isDrafted = solutions.length > 0 && solutions.every(isDraft);
  return [
    prose(isDrafted ? [quiet('Draft · no model answered')] : agreementLine(synthesis), 'agreement'),
    prose(warning(uncertainty ?? convergence.chosen_by_rule?.why ?? ''), 'uncertainty'),
    prose(warning(missing ?? ''), 'missing'),
    asked === null ? null : askedSection(asked, synthesis),
    list(
      questions.map((text) =>
        item(
          [{ badge: `still open: ${text}`, mark: '?', tone: 'warn' }],
          [prose(assumptionText(text, synthesis))],
        ),
      ),
    ),
    canDiscuss ? null : prose([quiet(noModelText)], 'no-model'),
    columns(
      solutions.map((solution, at) =>
        optionSection({ solution, synthesis, number: at + 1, chosen: offered.chosen }),
      ),
    ),
  ];
}

const quiet = (text: string): Piece => ({ text, tone: 'quiet' });
const warning = (text: string): Line => (text === '' ? '' : [{ text, tone: 'warn' }]);

function agreementLine({ round, cross_verification: found, convergence }: Synthesis): Line {
  const { agreements, disagreements } = found;
  const isAgreed = convergence.recommendation === 'converged';
  return [
    quiet(`Round ${round}: `),
    { text: scoreBar(convergence.score), tone: isAgreed ? 'good' : 'warn' },
    quiet(` ${agreementText(convergence)} · ${agreements.length} agreed`),
    { text: ` · ${disagreements.length} open`, tone: disagreements.length > 0 ? 'warn' : 'quiet' },
  ];
}

/** A bar of ten cells and the number: `███████░░░ 0.72`. */
function scoreBar(share: number): string {
  const full = Math.round(Math.max(0, Math.min(1, share)) * 10);
  return `${'█'.repeat(full)}${'░'.repeat(10 - full)} ${share.toFixed(2)}`;
}

/** The user’s question, and the agents’ answers. */
function askedSection(asked: string, synthesis: Synthesis): Block | null {
  const replies = replyTexts(synthesis);
  const none = ['No agent answered in words; what they think of each option is below.'];
  return section('asked', `You asked: ${asked}`, [list(replies.length === 0 ? none : replies)]);
}

interface ShownSolution {
  readonly solution: Solution;
  readonly synthesis: Synthesis;
  readonly number: number;
  readonly chosen?: string | null | undefined;
  /** True for a card: it tells in short what stands in the parts that it leaves out. */
  readonly isCard?: boolean;
}

/** An option in short; what is folded tells the rest. */
export function optionSection({
  solution,
  synthesis,
  number,
  chosen,
  isCard = false,
}: ShownSolution): Block | null {
  const { name, summary, source_cli: authors, pros, cons, technical_concerns: concerns } = solution;
  const { implementation_plan: plan, affected_files: files } = solution;
  const { feasibility, effort, risk } = solution;
  const opinions = opinionsOn(solution, synthesis);
  // The tally names supporters who gave no reason.
  const told = opinions.filter(({ reasons, no_vote }) => reasons.length > 0 || no_vote !== null);
  const failed = faultyReferences(solution).map((text) => [referenceBadge('failed', text)]);
  const rating =
    unratedText(solution, isDraft(solution)) ??
    `feasible ${feasibility.toFixed(2)} · effort ${effort} · risk ${risk}`;
  const others = [...differencesOf(solution, synthesis), ...versionTexts(solution)];
  return section(name, `${number}. ${name}`, [
    name === chosen ? prose([{ badge: 'chosen', mark: '✓', tone: 'good' }], 'chosen') : null,
    prose([quiet(`from ${authors.join(', ')}`)], 'from'),
    prose([quiet(rating)], 'rating'),
    ...tallyOf(opinions).map(({ kind, text }) => prose([{ text, tone: opinionTones[kind] }])),
    failed.length === 0
      ? null
      : prose([
          referenceBadge('failed', `${counted(failed.length, 'reference')} failed the check`),
        ]),
    prose(summary, 'summary'),
    list([
      ...pros.map((text): Line => [{ badge: '', mark: '+', tone: 'good' }, ` ${text}`]),
      ...cons.map((text): Line => [{ badge: '', mark: '-', tone: 'warn' }, ` ${text}`]),
    ]),
    isCard ? list(told.map((one) => [{ text: opinionText(one, 1), tone: toneOf(one) }])) : null,
    list(failed),
    isCard ? list(files.filter(({ status }) => status !== 'failed').map(placePieces)) : null,
    fold('opinions', 'What the agents say', [list(opinions.map((one) => opinionText(one)))]),
    fold('versions', 'Other versions', [list(others)]),
    fold('approach', 'Approach', [prose(plan.approach)]),
    fold('tasks', 'Tasks', [
      list(
        plan.tasks.map(({ id, name: task, key_point: point, depends_on: needs }) => {
          const after = needs.length === 0 ? '' : ` (after ${needs.join(', ')})`;
          return `${id} ${task}${point === null ? '' : `: ${point}`}${after}`;
        }),
      ),
    ]),
    fold('concerns', 'Concerns', [list(concerns)]),
    fold('references', 'Code references', [
      list([...files.map(placePieces), ...solution.claims.map(claimItem)]),
    ]),
  ]);
}

const opinionTones: Readonly<Record<Opinion['kind'] | 'no-vote', Tone>> = {
  for: 'good',
  against: 'bad',
  unsure: 'warn',
  change: 'warn',
  adopted: 'accent',
  'no-vote': 'quiet',
};

function toneOf({ kind, no_vote: noVote, state }: Opinion): Tone {
  const counts = noVote === null && state !== 'met' && state !== 'withdrawn';
  return counts ? opinionTones[kind] : 'quiet';
}

/** A file in short form: the mark says what the check found. */
function placePieces({ file, line, action, status }: AffectedFile): readonly Piece[] {
  const found = quiet(` ${action}, ${referenceWords[status]}`);
  return [referenceBadge(status, ''), { path: file, line }, found];
}

function claimItem(claim: CheckedClaim): Block {
  const { path, line, found_line: found, agent, status, inside, note, statement } = claim;
  const where = `${agent}, ${referenceWords[status]}${inside === undefined ? '' : ` in ${inside}`}`;
  return item(
    [referenceBadge(status, ''), { path, line: found ?? line }, quiet(` ${where}`)],
    [prose([quiet(`${statement}${note === '' ? '' : ` (${note})`}`)])],
  );
}

/** The agents’ agreements and disagreements, with the parts of the score. */
export function agreementBlocks(synthesis: Synthesis): readonly (Block | null)[] {
  const { agreements, disagreements, resolution } = synthesis.cross_verification;
  const { score, reasons } = synthesis.convergence;
  return [
    section('score', `Convergence ${scoreBar(score)}`, [list(reasons)]),
    section('agreed', 'Agreed', [list(agreements)]),
    section('disagreed', 'Not agreed', [list(disagreements)]),
    section('resolution', 'Resolution', [prose(resolution)]),
    section('missing', 'Did not answer', [prose(missingText(synthesis) ?? '')]),
    section('notes', 'Notes', [list(synthesis.notes)]),
  ];
}

/** What agents said of a topic without a plan: their positions, and how far they agree. */
export function discussionBlocks(synthesis: Synthesis): readonly (Block | null)[] {
  const { cross_verification: verified, convergence, solutions } = synthesis;
  const missing = missingText(synthesis, 'the user');
  const { resolution } = verified;
  const others = convergence.reasons.filter((text) => !resolution.includes(text));
  const none = prose('None.');
  const positions = solutions.map((solution) =>
    section('', `${solution.name} (${solution.source_cli.join(', ')})`, [
      prose(solution.summary),
      list(opinionsOn(solution, synthesis).map((one) => opinionText(one))),
    ]),
  );
  return [
    missing === null ? null : prose(`${missing}.`, 'missing'),
    section('positions', 'Positions', solutions.length === 0 ? [none] : positions),
    section('agreements', 'Agreements', [list(verified.agreements) ?? none]),
    section('disagreements', 'Disagreements', [list(verified.disagreements) ?? none]),
    section('summary', 'Summary', [prose([resolution, ...others].join('\n\n')) ?? none]),
  ];
}

const stances: Readonly<Record<HeldStance['stance'], { readonly verb: string; badge: Badge }>> = {
  support: { verb: 'supports', badge: { badge: 'supports', mark: '+', tone: 'good' } },
  oppose: { verb: 'opposes', badge: { badge: 'opposes', mark: '−', tone: 'bad' } },
  unsure: { verb: 'is unsure of', badge: { badge: 'unsure', mark: '?', tone: 'warn' } },
};

/** The stance of each agent on each solution in a round, and why. */
export function roundSection(round: Synthesis): Block | null {
  const { convergence, cross_verification: cross, notes } = round;
  const missing = missingText(round, 'the user');
  const result = `${agreementText(convergence)}, score ${convergence.score.toFixed(2)}`;
  const reasons = round.solutions.flatMap(({ name, stances: held }) =>
    held.flatMap(({ agent, stance, reasons: why }) => {
      const text = why.map(sentence).join(' ');
      return text === '' ? [] : `${agent} ${stances[stance].verb} “${name}”: ${text}`;
    }),
  );
  return section(String(round.round), `Round ${round.round}: ${result}`, [
    stanceTable(round),
    under('Who answered', answerers(round)),
    under('Reasons', reasons),
    under('Agreement', cross.agreements),
    under('Disagreement', cross.disagreements),
    under('How the score came about', convergence.reasons),
    under('Did not answer', missing === null ? [] : [missing]),
    under('Answers to the user', replyTexts(round)),
    under('Notes', notes),
  ]);
}

function under(title: string, texts: readonly string[]): Block | null {
  return section('', title, [list(texts)]);
}

/** Each agent with how it was reached, its model and the model’s vendor. */
function answerers({ receipts }: Synthesis): readonly string[] {
  return receipts
    .filter(({ failure }) => failure === null)
    .map(({ agent, transport, model, vendor, machine }) => {
      const where = machine === undefined ? undefined : `on ${machine}`;
      const known = [transport?.replaceAll('-', ' '), model, vendor, where].filter(
        (fact) => typeof fact === 'string',
      );
      return known.length === 0 ? agent : `${agent}: ${known.join(', ')}`;
    });
}

/** A table with solutions as rows and agents as columns. */
function stanceTable(synthesis: Synthesis): Block | null {
  const { solutions, receipts } = synthesis;
  const agents = new Set([
    ...solutions.flatMap(({ source_cli: authors }) => authors),
    ...solutions.flatMap(({ stances: held }) => held.map(({ agent }) => agent)),
    ...receipts.flatMap(({ agent, failure }) => (failure === null ? agent : [])),
  ]);
  const names = [...agents].toSorted();
  const rows = solutions.map((solution) => [
    solution.name,
    ...names.map((name) => stancePieces(solution, name, synthesis)),
  ]);
  return table(['Solution', ...names], rows);
}

function stancePieces(
  solution: Solution,
  agent: string,
  synthesis: Pick<Synthesis, 'round' | 'receipts'>,
): Line {
  const { stances: all, source_cli: authors, preferred_by: preferred = [] } = solution;
  const held = all.find((stance) => stance.agent === agent);
  const noVote =
    held === undefined || held.stance === 'unsure' ? null : whyNoVote(agent, solution, synthesis);
  const pieces: readonly Piece[] = [
    ...(held === undefined ? [] : [stances[held.stance].badge]),
    ...(noVote === null ? [] : [`no vote: ${noVote}`]),
    ...(preferred.includes(agent) ? [{ badge: 'prefers', mark: '★', tone: 'good' } as const] : []),
    ...(authors.includes(agent) ? [{ badge: 'proposed', mark: '✎', tone: 'quiet' } as const] : []),
  ];
  if (pieces.length === 0) return 'no stance';
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [', ', piece]));
}

/** The agents’ claims about the code with their quotes; those that did not hold come first. */
export function claimsBlocks(rounds: readonly Synthesis[]): readonly (Block | null)[] {
  const solutions = rounds.flatMap((round) => round.solutions);
  const made = solutions.flatMap(({ claims, stances: held }) => [
    ...claims,
    ...held.flatMap(({ evidence }) => evidence),
  ]);
  if (made.length === 0) return [prose('No agent cited the code.')];
  // Repeated in a later round, or by another agent, it counts as one claim.
  const shared = [
    ...Map.groupBy(made, ({ statement, path, line, quote }) =>
      JSON.stringify([statement, path, line, quote]),
    ).values(),
  ];
  const order: readonly ReferenceStatus[] = ['failed', 'moved', 'planned', 'verified'];
  return [
    prose('Each place was looked up in the code as it was when the session began.', 'lead'),
    ...order.map((status) => {
      const same = shared.filter(([claim]) => claim?.status === status);
      const title = [referenceBadge(status), ': ', counted(same.length, 'claim')];
      return fold(status, title, [list(same.flatMap(sharedClaim))]);
    }),
  ];
}

function sharedClaim(same: readonly CheckedClaim[]): readonly Block[] {
  const [claim] = same;
  if (claim === undefined) return [];
  const { statement, path, line, found_line: found, quote, note } = claim;
  const agents = listed([...new Set(same.map(({ agent }) => agent))]);
  const moved = found !== null && found !== line ? `, cited as line ${line}` : '';
  const where = [
    { path, line: found ?? line },
    quiet(`${moved} · ${agents}${note === '' ? '' : ` · ${note}`}`),
  ];
  return [item(statement, [prose(where), code(quote)])];
}
