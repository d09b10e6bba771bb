// Makes the event with which a session starts or resumes.
import type { SessionEvent } from '../model/event.ts';
import type { foldFinishedSteps } from '../store/recorded-steps.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { version } from '../version.ts';
import { findTask } from '../workflow/recorded.ts';
import { poolToAsk } from './make-pool.ts';
import { usualUse } from './saved-session.ts';
import type { ResumedSettings } from './settings/session-settings.ts';
import type { Workplace } from './workplace.ts';

type Finished = ReturnType<typeof foldFinishedSteps>;

interface StartedSession extends Workplace {
  readonly folder: SessionFolder;
  /** The task; null for a resumed session. */
  readonly task: string | null;
  readonly resumed: ResumedSettings | null;
}

/** Reports who plans, what may be spent, and for a new session what such a session usually uses. */
export async function startEvent(
  opening: StartedSession,
  finished: Finished,
): Promise<SessionEvent> {
  const { folder, task, resumed, settings, root } = opening;
  const { planner } = settings;
  const pool = poolToAsk(opening);
  const { budget } = settings;
  const hasBudget = Object.values(budget).some((limit) => limit !== undefined);
  const common = {
    session: folder.id,
    folder: folder.relative,
    ...(hasBudget ? { budget } : {}),
    ...(planner === null
      ? {}
      : { agent: pool.get(planner)?.traits.label ?? planner, model: pool.modelOf(planner) }),
  };
  const known = findTask(finished);
  if (known !== null) {
    return {
      type: 'session.resumed',
      ...common,
      task: known.task,
      finished_steps: finished.size,
      kept: [...(resumed?.kept ?? [])],
      changed: [...(resumed?.changed ?? [])],
    };
  }
  const forecast = await usualUse(root);
  const started = { type: 'session.started', ...common, task: task ?? '', version } as const;
  return forecast === null ? started : { ...started, forecast };
}
