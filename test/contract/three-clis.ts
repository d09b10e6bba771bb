import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { planAnswer } from '../faults/three-rounds.ts';
import type { Rig } from '../helpers/rig.ts';
import { formatterSolution, listSolution, stances } from '../helpers/vendors.ts';
import { stubProvider } from './codex-room.ts';
import { clis } from './install.ts';
import type { Dialect, ModelRequest, Reply } from './model-server/reply.ts';
import type { LoggedRequest } from './model-server/server.ts';

export const cliNames = ['claude', 'codex', 'gemini'] as const;
export type CliName = (typeof cliNames)[number];

/** How the model server knows who asks. */
export const dialectOf: Readonly<Record<CliName, Dialect['name']>> = {
  claude: 'anthropic',
  codex: 'openai-responses',
  gemini: 'gemini',
};

/** The first line of a question, as an agent reads it. */
const Head = z.object({
  session: z.string(),
  phase: z.enum(['propose', 'examine', 'plan']),
  round: z.int(),
  repair: z.boolean(),
});

export function headOf({ prompt }: Pick<ModelRequest, 'prompt'>): z.infer<typeof Head> {
  const [, json = ''] = /^conclave question: (\{.*\})$/m.exec(prompt) ?? [];
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
    more = {},
    programs = {},
  }: {
    readonly url: string;
    readonly more?: Readonly<Partial<Record<CliName, string>>>;
    readonly programs?: Readonly<Partial<Record<CliName, string>>>;
  },
): void {
  mkdirSync(join(rig.home, '.gemini'));
  writeFileSync(
    join(rig.home, '.gemini/settings.json'),
    '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }',
  );
  const sections = cliNames.map((name) =>
    [
      `[agents.${name}]`,
      `path = ${JSON.stringify(programs[name] ?? join(clis, name))}`,
      providerOf(name, url),
      more[name] ?? '',
    ].join('\n'),
  );
  const chain = JSON.stringify([...cliNames, 'local']);
  rig.config(`[workflow]\nfallback_chain = ${chain}\n${sections.join('\n')}\n`);
}

function providerOf(name: CliName, url: string): string {
  switch (name) {
    case 'claude':
      return `env = { ANTHROPIC_BASE_URL = "${url}", ANTHROPIC_API_KEY = "test-key" }`;
    case 'codex': {
      const { args, env } = stubProvider(`${url}/v1`);
      return `args = ${JSON.stringify(args)}\nenv = { STUB_KEY = ${JSON.stringify(env?.['STUB_KEY'])} }`;
    }
    case 'gemini':
      return `env = { GOOGLE_GEMINI_BASE_URL = "${url}", GEMINI_API_KEY = "test-key" }`;
  }
}

/** What each provider’s model proposes, so that a second round is about something. */
const proposals: Readonly<Partial<Record<Dialect['name'], unknown>>> = {
  anthropic: listSolution({ name: 'Branch where the todos are listed' }),
  'openai-responses': formatterSolution(),
  gemini: listSolution({ name: 'Print JSON in the list command', risk: 'medium' }),
};

/** A usable answer to whatever was asked. */
export function goodAnswer(asked: LoggedRequest): Reply {
  const { session, phase, round } = headOf(asked);
  const value = { session, round };
  switch (phase) {
    case 'propose':
      return structured({ ...value, solutions: [proposals[asked.dialect]], questions: [] });
    case 'examine':
      return structured({ ...value, ...stances(opinionsOn(asked.prompt)) });
    case 'plan':
      return structured({ session, ...planAnswer });
  }
}

const structured = (value: object): Reply => ({ kind: 'structured', value });

function opinionsOn(prompt: string): Record<string, 'support' | 'unsure'> {
  const labels = new Set(
    Array.from(prompt.matchAll(/\bSolution ([A-Z])\b/g), ([, label = '']) => label),
  );
  return Object.fromEntries(
    [...labels]
      .toSorted()
      .map((label, index) => [label, index === 0 ? ('support' as const) : ('unsure' as const)]),
  );
}
