import type { Agent } from '../../agents/agent.ts';
import type { Examination, Proposal } from '../../model/proposal.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import type { Receipt } from '../../model/receipt.ts';
import type { Tools } from '../tools.ts';
import { createdPaths } from './check-planned-files.ts';
import { checkClaims, checkProposal } from './check-references.ts';
import type { RoundAnswer } from './synthesize.ts';

/** An answer with all its references checked against the base. */
export interface Answered<T> {
  readonly agent: Agent;
  readonly receipt: Receipt;
  readonly value: T;
}

export async function proposalAnswer(
  { agent, receipt, value }: Answered<Proposal>,
  { repository }: Tools,
): Promise<RoundAnswer> {
  const check = { repository, agent: agent.name };
  return {
    ...whoAnswered(agent, receipt),
    checked: await Promise.all(
      value.solutions.map((solution) => checkProposal({ ...check, solution })),
    ),
    stances: [],
    questions: value.questions,
    searchTerms: [],
  };
}

/** Evidence may name files that the agent’s own revision or an earlier solution would create. */
export async function examinationAnswer(
  { agent, receipt, value }: Answered<Examination>,
  { repository }: Tools,
  previous: Synthesis,
): Promise<RoundAnswer> {
  const check = { repository, agent: agent.name };
  const plans = [value.revision, ...previous.solutions].map((one) => one?.implementation_plan);
  const planned = createdPaths(plans.flatMap((plan) => plan?.tasks ?? []));
  return {
    ...whoAnswered(agent, receipt),
    checked:
      value.revision === null ? [] : [await checkProposal({ ...check, solution: value.revision })],
    stances: await Promise.all(
      value.stances.map(async ({ solution, stance, reasons, evidence }) => ({
        label: solution,
        stance,
        reasons,
        evidence: await checkClaims({ ...check, claims: evidence, planned }),
      })),
    ),
    questions: value.questions,
    searchTerms: value.search_terms,
  };
}

function whoAnswered(
  agent: Agent,
  receipt: Receipt,
): Pick<RoundAnswer, 'agent' | 'kind' | 'vendor'> {
  return { agent: agent.name, kind: agent.kind, vendor: receipt.vendor };
}
