// Asks the person at the host before something that only a person decides.
import {
  acceptedContent,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { wrongUsage } from '../model/failure.ts';

const Answer = z.object({ agree: z.boolean().describe('Yes to go on') });

/**
 * Null where the person agreed, or the user’s settings allow it without a person; else the question
 * for the host. Throws `usage` where the person declined, or the host can ask nobody.
 */
export function askPerson(
  ctx: ServerContext,
  {
    question,
    setting,
    isAllowed,
    canAsk,
  }: {
    readonly question: string;
    /** E.g. `may_decide`. */
    readonly setting: string;
    readonly isAllowed: boolean;
    readonly canAsk: boolean;
  },
): InputRequiredResult | null {
  if (isAllowed) return null;
  const remedy = `A person decides this. Ask them in your host, or let them set [mcp] ${setting} = true in ~/.config/conclave/config.toml.`;
  if (!canAsk) throw wrongUsage(`This host cannot ask a person. ${remedy}`);
  const { inputResponses: responses } = ctx.mcpReq;
  if (acceptedContent(responses, 'consent', Answer)?.agree === true) return null;
  if (responses?.['consent'] !== undefined) throw wrongUsage(`The person did not agree. ${remedy}`);
  return inputRequired({
    inputRequests: {
      consent: inputRequired.elicit({ message: question, requestedSchema: Answer }),
    },
  });
}
