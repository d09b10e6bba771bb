// Has other vendors examine a plan for a hook of a host, where the settings ask for it.
import { examinePlan, readCritique } from '../app/examine-plan.ts';
import { openWorkplace } from '../app/workplace.ts';
import { examinerTexts, objectionTexts } from '../faces/critique-words.ts';
import { settingsTable } from '../model/settings.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { answersOr } from '../workflow/view.ts';

/** In ms: a host waits as long. */
const longest = 180_000;

const refuse = () => Promise.reject(new Error('a critique asks nothing'));

/** The lines of an examination. */
export interface HookVerdict {
  readonly isBlocking: boolean;
  readonly lines: readonly string[];
}

/** Null where the settings want the places checked only. Rejects where nobody could examine it in time. */
export async function examineForHook({
  plan,
  cwd,
  vendor,
  environment,
}: {
  readonly plan: string;
  readonly cwd: string;
  readonly vendor: string | null;
  readonly environment: NodeJS.ProcessEnv;
}): Promise<HookVerdict | null> {
  const workplace = await openWorkplace({ cwd, environment, flags: [] });
  if (workplace.settings.read(settingsTable.critiqueHook) !== 'full') return null;
  const ended: { folder: SessionFolder | null } = { folder: null };
  const given = { text: plan, host_vendor: vendor, parts: null, revise: false, plan: false };
  const end = await examinePlan({
    ...workplace,
    task: '',
    given,
    signal: AbortSignal.timeout(longest),
    now: () => new Date(),
    view(folder) {
      ended.folder = folder;
      return { ...answersOr(refuse, {}), show: () => undefined };
    },
  });
  const critique = ended.folder === null ? null : await readCritique(ended.folder);
  if (critique === null) throw new Error(end.message);
  return {
    isBlocking: critique.verdict === 'revise',
    lines: [...objectionTexts(critique), ...examinerTexts(critique)],
  };
}
