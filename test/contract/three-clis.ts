import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Event } from '../../src/model/event.ts';
import type { ProposedSolution } from '../../src/model/proposal.ts';
import { planAnswer } from '../faults/three-rounds.ts';
import type { Rig } from '../helpers/rig.ts';
import { formatterSolution, listSolution, stances } from '../helpers/vendors.ts';
import { clis } from './install.ts';
import type { Dialect, ModelRequest, Reply } from './model-server/reply.ts';
import type { LoggedRequest } from './model-server/server.ts';
import { type CliName, realClis } from './real-clis.ts';

/** Who plans together where whole sessions are run. */
export const seated = ['claude', 'codex', 'gemini'] as const;

/** The seats of a session in which this CLI takes part: the others plan beside claude alone. */
export function seatsWith(name: CliName): readonly CliName[] {
  return seated.some((one) => one === name) ? seated : ['claude', name];
}

/** The first line of a question, as an agent reads it. */
const Head = z.object({
  session: z.string(),
  phase: z.enum(['propose', 'compare', 'examine', 'plan', 'plan-review', 'plan-reply']),
  round: z.int(),
  repair: z.boolean(),
});

export function headOf({ prompt }: Pick<ModelRequest, 'prompt'>): z.infer<typeof Head> {
  // In a session that is gone on with, earlier questions stand before.
  const heads = [...prompt.matchAll(/^conclave question: (\{.*\})$/gm)];
  const [, json = ''] = heads.at(-1) ?? [];
  return Head.parse(JSON.parse(json));
}

/**
 * Configures the real CLIs as the seats of a rig, each with its usual login and the model server
 * as its provider; the analysts stand in. `more` adds lines to the section of an agent, `programs`
 * puts another program in its place.
 */
export function configureClis(
  rig: Rig,
  {
    url,
    names = seated,
    more = {},
    programs = {},
  }: {
    readonly url: string;
    readonly names?: readonly CliName[];
    readonly more?: Readonly<Partial<Record<CliName, string>>>;
    readonly programs?: Readonly<Partial<Record<CliName, string>>>;
  },
): void {
  const sections = names.map((name) => cliSection(rig, { name, url, more, programs }));
  const chain = JSON.stringify([...names, 'local']);
  rig.config(`[workflow]\nfallback_chain = ${chain}\n${sections.join('\n')}\n`);
}

/** The section of one real CLI, with its usual login put into the home. */
export function cliSection(
  rig: Rig,
  {
    name,
    url,
    more = {},
    programs = {},
  }: {
    readonly name: CliName;
    readonly url: string;
    readonly more?: Readonly<Partial<Record<CliName, string>>>;
    readonly programs?: Readonly<Partial<Record<CliName, string>>>;
  },
): string {
  writeAtHome(rig, realClis[name].login);
  return [
    `[agents.${name}]`,
    `path = ${JSON.stringify(programs[name] ?? join(clis, name))}`,
    providerOf(name, url),
    more[name] ?? '',
  ].join('\n');
}

/** Writes the files of a user’s home, by path; a rig keeps settings elsewhere than in `.config`. */
export function writeAtHome(rig: Rig, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(rig.home, name.replace(/^\.config\//, 'config/'));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function providerOf(name: CliName, url: string): string {
  const cli = realClis[name];
  const { args = [], env = {} } = cli.settings(url);
  const variables = Object.entries({ ...cli.environment(url), ...env });
  const table = variables.map(([variable, value]) => `${variable} = ${JSON.stringify(value)}`);
  return `args = ${JSON.stringify(args)}
env = { ${table.join(', ')} }`;
}

/** What each provider’s model proposes, so that a second round is about something. */
const proposals: Readonly<Partial<Record<Dialect['name'], ProposedSolution>>> = {
  anthropic: listSolution({ name: 'Branch where the todos are listed' }),
  'openai-responses': formatterSolution(),
  gemini: listSolution({ name: 'Print JSON in the list command', risk: 'medium' }),
  copilot: formatterSolution(),
  opencode: formatterSolution(),
  droid: listSolution({ name: 'Branch where the todos are listed' }),
  qwen: formatterSolution(),
  api: listSolution({ name: 'Branch where the todos are listed' }),
};

/** A usable answer to whatever was asked. */
export function goodAnswer(asked: Pick<LoggedRequest, 'prompt' | 'dialect'>): Reply {
  const { session, phase, round } = headOf(asked);
  const value = { session, round };
  switch (phase) {
    case 'propose': {
      const own = proposals[asked.dialect];
      return structured({ ...value, recommended: own?.name, solutions: [own], questions: [] });
    }
    case 'compare':
      return structured({ ...value, pairs: comparisonIn(asked) });
    case 'examine': {
      const [preferred = null, other] = labelsIn(asked);
      const part = 'A test of each format.';
      const adopt = other === undefined ? [] : [{ solution: other, part, evidence: [] }];
      return structured({ ...value, ...stances(opinionsOn(asked), { preferred, adopt }) });
    }
    case 'plan':
      return structured({ session, ...planAnswer, plan: planFor(asked) });
    case 'plan-review':
      return structured({ session, ...nothingFound });
    case 'plan-reply':
      return structured({ session, phase, replies: [], plan: null, tasks: [] });
  }
}

/** Its overview answers every remark that the request shows. */
function planFor({ prompt }: Pick<ModelRequest, 'prompt'>) {
  const answers = [...new Set(prompt.match(/(?<="id":\s?")O\d+(?=")/g))];
  const decision = 'The parts that others adopt come along.';
  return {
    ...planAnswer.plan,
    design_decisions: [{ decision, rationale: 'They cost nothing.', answers }],
  };
}

/** Found the same where the approach is the same, which the prompt shows. */
export function comparisonIn({ prompt }: Pick<ModelRequest, 'prompt'>) {
  const shown = prompt.matchAll(/Solution ([A-Z])\n(?:.*\n){2}Approach: (.*)$/gm);
  const approach = new Map(Array.from(shown, ([, label, text]) => [label, text]));
  const pairs = prompt.matchAll(/\b([A-Z]) and ([A-Z])(?=;|$)/gm);
  return Array.from(pairs, ([, first, second]) => {
    const relation = approach.get(first) === approach.get(second) ? 'same' : 'different';
    return { first, second, relation, difference: '' };
  });
}

/** The answer of a reader that has nothing to say against a plan. */
export const nothingFound = {
  phase: 'plan-review',
  findings: [],
  summary: 'Nothing is missing.',
} as const;

const structured = (value: object): Reply => ({ kind: 'structured', value });

function opinionsOn(
  asked: Pick<LoggedRequest, 'prompt' | 'dialect'>,
): Record<string, 'support' | 'unsure'> {
  return Object.fromEntries(
    labelsIn(asked).map((label, index) => [label, index === 0 ? 'support' : 'unsure']),
  );
}

/** The neutral labels under which solutions are shown. */
export function labelsIn({ prompt }: Pick<ModelRequest, 'prompt'>): readonly string[] {
  const labels = prompt.matchAll(/\bSolution ([A-Z])\b/g);
  return [...new Set(Array.from(labels, ([, label = '']) => label))].toSorted();
}

/** What `--json` told, line by line. */
export function eventsTold(stdout: string): readonly Event[] {
  const lines = stdout.trim().split('\n');
  return lines.map((line) => Event.parse(JSON.parse(line)));
}
