// Sets up a session of a command: its project, its settings, the saved session, and who answers.
import { wouldRun, wouldRunLines } from '../../app/adoption.ts';
import {
  answersFrom,
  answersWith,
  type GivenAnswers,
  missingAnswers,
} from '../../app/flag-answers.ts';
import { latestFor, loadSession, type LoadedSession, type Way } from '../../app/load-session.ts';
import { analystNames } from '../../model/agent-settings.ts';
import { wholeSessionId } from '../../app/session-names.ts';
import { adoptSession } from '../../app/trust.ts';
import { openWorkplace, type Workplace } from '../../app/workplace.ts';
import { settingsTable } from '../../model/settings.ts';
import { type SessionFlags, sessionFlags } from '../flags.ts';
import type { NamedTeam } from '../../workflow/recorded-team.ts';
import type { Answers, ChoiceQuestion } from '../../workflow/view-port.ts';
import type { Face } from './choose-face.ts';
import { interruptible } from './interruptions.ts';
import { reachable } from '../../faces/elsewhere.ts';
import type { Reach } from '../../app/reach-user.ts';

/** The arguments of a command that runs a session. */
export interface SessionCall {
  /** The values as commander gives them. */
  readonly values: object;
  readonly face: Face;
  readonly environment: NodeJS.ProcessEnv;
}

/** The project, the face and the flags, before it is known which session runs. */
export interface SessionSetup extends Workplace {
  readonly face: Face;
  readonly flags: SessionFlags;
}

/** Reads the flags, unless others are given; finds the project and loads its settings. */
export async function setUpSession(
  call: SessionCall | Pick<SessionSetup, 'flags' | 'face' | 'environment'>,
): Promise<SessionSetup> {
  const { face, environment } = call;
  const flags = 'flags' in call ? call.flags : await sessionFlags(call.values);
  const workplace = await openWorkplace({ cwd: flags.cwd, environment, flags: flags.settings });
  face.worksAt(workplace);
  return { ...workplace, proves: flags.proves ?? true, face, flags };
}

/** A saved session with which a command continues. */
export interface ChosenSession extends SessionSetup, LoadedSession {}

/**
 * The session that is named or that a person picks; without a person, the latest session for the first of the
 * given ways that fits any. Null if the person leaves. Throws `usage` if there is none.
 */
export async function selectSession(
  wanted: string | undefined,
  setup: SessionSetup,
  ways: readonly [Way, ...Way[]],
): Promise<ChosenSession | null> {
  const { face, root } = setup;
  if (wanted !== undefined) return await sessionOf(await wholeSessionId(root, wanted), setup);
  if (face.person === null) return await sessionOf(await latestFor(setup, ...ways), setup);
  const choice = await face.person.chosen();
  return choice?.kind === 'session' ? await sessionOf(choice.id, setup) : null;
}

/**
 * Loads one session by its id. A person is first asked to adopt a session that is not known to be theirs; null
 * if they decline.
 */
export async function sessionOf(id: string, setup: SessionSetup): Promise<ChosenSession | null> {
  const load = async () => ({ ...setup, ...(await loadSession(id, setup, setup.flags.settings)) });
  const session = await load();
  const { foreign, face, folder } = session;
  if (foreign === null || face.person === null) return session;
  const agreed = await isAgreed(face.person.view, {
    session: id,
    name: 'Adopt',
    asks: `Session ${id} is not known to be yours: ${foreign}. Adopt it?`,
    lines: wouldRunLines(await wouldRun(session)),
    yes: { name: 'Adopt', means: 'continue it as your own session', does: 'adopt it' },
    no: { name: 'Leave', means: 'it runs nothing', does: 'leave it' },
  });
  if (!agreed) return null;
  await adoptSession(folder, setup, new Date());
  return await load();
}

type Consent = Omit<ChoiceQuestion, 'choices' | 'usual'> &
  Readonly<Record<'yes' | 'no', Omit<ChoiceQuestion['usual'], 'word'>>>;

/** Asks a person for a yes before anything of a session is opened. */
export async function isAgreed(
  { choose }: Pick<Answers, 'choose'>,
  { yes, no, ...consent }: Consent,
): Promise<boolean> {
  const answers = { choices: [{ ...yes, word: 'yes' }], usual: { ...no, word: 'no' } };
  const word = await interruptible(({ signal }) => choose({ ...consent, ...answers }, signal));
  return word === 'yes';
}

/** The flags that are missing if no person is present, as one text; null if none is. */
export function missingFlags(setup: SessionSetup): string | null {
  const { person, input } = setup.face;
  return person === null && input === undefined ? missingAnswers(givenAnswers(setup)) : null;
}

/** The agents that flags name to execute the plan and to review it. */
export function teamOf({ flags }: Pick<SessionSetup, 'flags'>): NamedTeam {
  return { execution: flags.execution ?? null, review: flags.review ?? null };
}

/** Answers the questions of a session: from the flags if they answer all, otherwise by the person or program. */
export function answersIn(setup: SessionSetup): (reach: Reach) => Answers {
  const given = givenAnswers(setup);
  const { person, input } = setup.face;
  const other = person?.view ?? input;
  const asksOther = other !== undefined && missingAnswers(given) !== null;
  return (reach) =>
    asksOther ? answersWith(given, reachable(other, reach)) : answersFrom(given, reach.session);
}

/** The answers from the flags, and from a trusted `auto_yes`, instead of a person. */
function givenAnswers({ flags, settings }: SessionSetup): GivenAnswers {
  return {
    autoYes: settings.autoYes,
    approvesDrafts: settings.run.tools.every((name) => analystNames.includes(name)),
    solution: flags.solution ?? null,
    ...teamOf({ flags }),
    constraints: flags.constraint,
    feedback: flags.feedback ?? null,
    execute: settings.read(settingsTable.execution.auto),
    force: false,
    apply: 'no',
  };
}
