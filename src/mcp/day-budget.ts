// Adds up the tokens that the jobs of a project used today, and refuses more than the user allows.
import { projectRoot } from '../app/folders.ts';
import { wrongUsage } from '../model/failure.ts';
import { isObject } from '../model/json.ts';
import type { JobState } from './job-request.ts';
import { listJobs } from './job-store.ts';
import { loadParts } from './tool-host.ts';

/** The tokens of a project’s jobs of today, in and out, and the most that they may be. */
export interface DayBudget {
  readonly tokens_today: number;
  readonly budget_tokens: number;
}

/** Null where the user has set no budget. Of a session all its tokens count, also those of earlier days. */
export async function budgetToday(
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<DayBudget | null> {
  const { openWorkplace } = await loadParts();
  const { root, settings } = await openWorkplace({ cwd: folder, environment, flags: [] });
  const { budgetTokens } = settings.mcp;
  if (budgetTokens === undefined) return null;
  return { tokens_today: await tokensToday(root, environment), budget_tokens: budgetTokens };
}

/** Throws `usage` where nothing is left for another job. */
export function refuseBeyond(budget: DayBudget | null): void {
  if (budget === null || budget.tokens_today < budget.budget_tokens) return;
  const { tokens_today: used, budget_tokens: most } = budget;
  throw wrongUsage(
    `The jobs of this project have used ${used} of ${most} tokens today, so no other one is started. A person can raise [mcp] budget_tokens in ~/.config/conclave/config.toml.`,
  );
}

async function tokensToday(root: string, environment: NodeJS.ProcessEnv): Promise<number> {
  const sessions = new Set<string>();
  let tokens = 0;
  for (const { request, state } of await listJobs(environment)) {
    if (!isOfToday(state)) continue;
    if ((await projectRoot(request.folder)) !== root) continue;
    if (request.kind === 'work' || request.kind === 'consult') tokens += tokensOfTurn(state);
    else if (state.session !== null) sessions.add(state.session);
  }
  for (const session of sessions) tokens += await tokensOfSession(root, session);
  return tokens;
}

function isOfToday({ started_at: at }: JobState): boolean {
  return new Date(at).toDateString() === new Date().toDateString();
}

function tokensOfTurn({ result }: JobState): number {
  const tokens = result?.['tokens'];
  if (!isObject(tokens)) return 0;
  const { input, output } = tokens;
  return [input, output].reduce<number>((sum, n) => sum + (typeof n === 'number' ? n : 0), 0);
}

async function tokensOfSession(root: string, session: string): Promise<number> {
  const { readSession } = await loadParts();
  const spent = (await readSession(root, session)).state?.spent;
  return (spent?.input_tokens ?? 0) + (spent?.output_tokens ?? 0);
}
