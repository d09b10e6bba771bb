import { answersFrom, missingAnswers } from '../../faces/answers.ts';
import type { Tui } from '../../faces/tui/open.tsx';
import { claimSession } from '../../store/session-folder.ts';
import { taskText } from '../plan.ts';
import { givenAnswers } from './given-answers.ts';
import type { PlanGround } from './ground.ts';
import { checkNamedAgents } from './named-agents.ts';
import { type Face, runInSession } from './run-in-session.ts';

/** A new session in the terminal UI. Returns the exit code; 0 where the person leaves at once. */
export async function planAt({
  tui,
  words,
  ground,
}: {
  readonly tui: Tui;
  readonly words: readonly string[];
  readonly ground: PlanGround;
}): Promise<number> {
  const { flags, root, settings } = ground;
  const isGiven = words.length > 0 || flags.taskFile !== undefined;
  const task = isGiven ? await taskText(words, flags) : await tui.askTask();
  if (task === null) return 0;
  await checkNamedAgents({ flags, settings, root, environment: process.env });
  const folder = await claimSession({ root, task, now: new Date() });
  const answers = givenAnswers(flags, settings);
  const answered = missingAnswers(answers) === null ? answersFrom(answers, folder.id) : {};
  const face = faceOf(tui, answered);
  return await runInSession({ folder, root, settings, face, task });
}

function faceOf(tui: Tui, answered: Partial<Face['view']>): Face {
  return {
    view: { ...tui.view, ...answered },
    async ended() {
      await tui.showEnd();
      await tui.close();
    },
  };
}
