import { answersFrom, missingAnswers } from '../../faces/answers.ts';
import type { Choice } from '../../faces/tui/state.ts';
import { claimSession, openSessionFolder } from '../../store/session-folder.ts';
import { reopenReview } from '../../workflow/review-start.ts';
import type { View } from '../../workflow/view.ts';
import type { ResumeFlags } from '../flags.ts';
import { taskText } from '../plan.ts';
import { goOn, isStale } from '../resume.ts';
import { openReview, runReview } from '../review.ts';
import { givenAnswers } from './given-answers.ts';
import type { PlanGround, ResumeGround } from './ground.ts';
import { checkNamedAgents } from './named-agents.ts';
import { runInSession, type Face } from './run-in-session.ts';
import type { Ground, OpenRepository } from './terminal-ports.ts';

/** What a person sits before: the terminal UI, or plain lines. */
export interface Attended {
  readonly view: View;
  /** What they begin with; null where they leave at once. */
  chosen(): Promise<Choice | null>;
  /** Shows how the session ended for as long as they look at it. */
  showEnd(): Promise<void>;
  /** Gives the terminal back as it was; nothing happens the second time. */
  close(): Promise<void>;
}

interface AtTerminal {
  readonly face: Attended;
  readonly repository: OpenRepository;
}

/** A new session before a person. Returns the exit code; 0 where the person leaves at once. */
export async function planAt(
  open: AtTerminal & { readonly words: readonly string[]; readonly ground: PlanGround },
): Promise<number> {
  const { words, ground, face } = open;
  const isGiven = words.length > 0 || ground.flags.taskFile !== undefined;
  if (isGiven) return await planTask(open, await taskText(words, ground.flags));
  const choice = await face.chosen();
  if (choice === null) return 0;
  if (choice.kind === 'session') return await resumeSession(open, choice.id);
  return await planTask(open, await taskText([choice.task], ground.flags));
}

/** A saved session before a person. Returns the exit code; 0 where the person leaves at once. */
export async function resumeAt(
  open: AtTerminal & { readonly id: string | undefined; readonly ground: ResumeGround },
): Promise<number> {
  const id = open.id ?? (await pickedIn(open.face));
  return id === null ? 0 : await resumeSession(open, id);
}

/** The plan of a session before a person. Returns the exit code; 0 where the person leaves. */
export async function reviewAt(
  open: AtTerminal & { readonly id: string | undefined; readonly ground: Ground },
): Promise<number> {
  const id = open.id ?? (await pickedIn(open.face));
  if (id === null) return 0;
  const reviewing = await openReview(id, open.ground.root);
  open.repository.current = reviewing.repository;
  return await runReview(reviewing, faceOf(open, {}));
}

async function planTask(
  open: AtTerminal & { readonly ground: PlanGround },
  task: string,
): Promise<number> {
  const { flags, root, settings } = open.ground;
  await checkNamedAgents({ flags, settings, root, environment: process.env });
  const folder = await claimSession({ root, task, now: new Date() });
  const face = faceOf(open, answeredBy(open.ground, folder.id));
  return await runInSession({ folder, root, settings, face, task });
}

async function resumeSession(
  open: AtTerminal & { readonly ground: ResumeGround },
  id: string,
): Promise<number> {
  const { flags, root, settings } = open.ground;
  const folder = await openSessionFolder(root, id);
  await checkNamedAgents({ flags, settings, root, environment: process.env });
  const face = faceOf(open, answeredBy(open.ground, id));
  // A person is shown what they would have to approve anew.
  const prepare = (await isStale({ folder, root, settings })) ? reopenReview : goOn;
  return await runInSession({ folder, root, settings, face, task: null, prepare });
}

async function pickedIn(face: Attended): Promise<string | null> {
  const choice = await face.chosen();
  return choice?.kind === 'session' ? choice.id : null;
}

/** What the flags answer in place of the person, if they answer everything. */
function answeredBy(
  { flags, settings }: Ground & { readonly flags: ResumeFlags },
  session: string,
): Partial<View> {
  const answers = givenAnswers(flags, settings);
  return missingAnswers(answers) === null ? answersFrom(answers, session) : {};
}

function faceOf({ face, repository }: AtTerminal, answered: Partial<View>): Face {
  return {
    view: { ...face.view, ...answered },
    opened(base) {
      repository.current = base;
    },
    async ended(deserted) {
      await Promise.race([face.showEnd(), deserted]);
      await face.close();
    },
  };
}
