// Asks the person at the host whether a plan is carried out, and whether checks of it run unconfined.
import type { ServerContext } from '@modelcontextprotocol/server';
import { wrongUsage } from '../model/failure.ts';
import { oneLine, quoteForShell } from '../model/wording.ts';
import { askPerson } from './consent.ts';

/** Null where it may begin. A check runs unconfined only where a person agrees, whatever the settings allow. */
export function askToExecute(
  ctx: ServerContext,
  {
    session,
    unconfined,
    ...asking
  }: {
    readonly session: string;
    readonly unconfined: readonly string[];
    readonly isAllowed: boolean;
    readonly canAsk: boolean;
  },
): ReturnType<typeof askPerson> {
  const [check] = unconfined;
  if (check !== undefined && !asking.canAsk) {
    const command = `conclave execute ${session} --unconfined ${quoteForShell(check)}`;
    throw wrongUsage(
      `Only a person lets a check run unconfined, and this host cannot ask one. In a terminal: ${command}`,
    );
  }
  const freed = unconfined.map(
    (one) => ` Unconfined, so that it may read and write wherever you may: ${oneLine(one)}`,
  );
  return askPerson(ctx, {
    question: `Carry the plan of ${session} out now? Agents edit files in work trees of their own.${freed.join('')}`,
    setting: 'may_execute',
    isAllowed: asking.isAllowed && check === undefined,
    canAsk: asking.canAsk,
  });
}
