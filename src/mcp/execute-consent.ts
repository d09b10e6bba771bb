// Asks the person at the host whether a plan is carried out, and whether checks of it run unconfined.
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Agreement } from '../model/agreement.ts';
import { wrongUsage } from '../model/failure.ts';
import { quoteForShell } from '../model/wording.ts';
import { askPerson } from './consent.ts';
import type { ToolHost } from './tool-host.ts';

/** Null where it may begin. A check runs unconfined only where a person agrees, whatever the settings allow. */
export async function askToExecute(
  {
    session,
    unconfined,
    isAllowed,
    agreement,
  }: {
    readonly session: string;
    readonly unconfined: readonly string[];
    readonly isAllowed: boolean;
    readonly agreement: Agreement;
  },
  host: ToolHost,
  ctx: ServerContext,
): ReturnType<typeof askPerson> {
  const [check] = unconfined;
  if (check !== undefined && !host.canAsk(ctx)) {
    const command = `conclave execute ${session} --unconfined ${quoteForShell(check)}`;
    throw wrongUsage(
      `Only a person lets a check run unconfined, and this host cannot ask one. In a terminal: ${command}`,
    );
  }
  const freed = check === undefined ? '' : ', with checks that may read and write wherever you may';
  const consent = {
    asks: `Carry the plan of ${session} out now, by agents in work trees of their own${freed}`,
    agreement: { ...agreement, unconfined },
    setting: 'may_execute',
    isAllowed: isAllowed && check === undefined,
  };
  return await askPerson(consent, host, ctx);
}
