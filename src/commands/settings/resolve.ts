import type { z } from 'zod';
import { Config } from '../../model/config.ts';
import type { RunSettings } from '../../model/session.ts';
import { agentSettings } from './agent-settings.ts';
import { checkAgents } from './check-agents.ts';
import { contextSettings } from './context-settings.ts';
import { type Leaves, configOf } from './leaf.ts';
import { type Roster, expanded, rosterOf } from './roster.ts';
import type { Settings, Sourced } from './load-settings.ts';
import { withoutEffect } from './without-effect.ts';

// With the defaults merged in, these are always there.
const Complete = Config.extend({
  workflow: Config.shape.workflow.unwrap().required({
    mode: true,
    max_rounds: true,
    require_convergence: true,
    auto_yes: true,
    timeout: true,
    first_output_timeout: true,
    idle_timeout: true,
    kill_grace: true,
  }),
  context: Config.shape.context
    .unwrap()
    .required({ providers: true, max_files: true, timeout: true, rerank: true }),
});

/** What the merged settings come to. Throws, blaming the source, for an agent nobody knows. */
export function resolveSettings(leaves: Leaves): Omit<Settings, 'files'> {
  const config = Complete.parse(configOf(leaves), { jitless: true });
  const roster = rosterOf(config);
  checkAgents(leaves, roster);
  const { agents, warnings } = agentSettings(config);
  const { workflow, context } = config;
  const run = runSettings(workflow, roster);
  return {
    run,
    autoYes: workflow.auto_yes,
    planner: config.agent?.cli ?? null,
    limits: {
      firstOutputMs: workflow.first_output_timeout * 1000,
      idleMs: workflow.idle_timeout * 1000,
      totalMs: workflow.timeout * 1000,
      graceMs: workflow.kill_grace * 1000,
    },
    agents,
    context: contextSettings(context, leaves),
    schemas: schemasOf(config),
    phases: phasesOf(config),
    warnings: [...warnings, ...withoutEffect(leaves)],
    sources: sourcesOf(leaves, run),
  };
}

function runSettings(workflow: z.infer<typeof Complete>['workflow'], roster: Roster): RunSettings {
  return {
    tools: [...expanded(workflow.tools ?? roster.seats)],
    fallback_chain: [...expanded(workflow.fallback_chain ?? roster.chain)],
    mode: workflow.mode,
    max_rounds: workflow.max_rounds,
    constraints: constraintsOf(workflow.constraints ?? []),
    require_convergence: workflow.require_convergence,
  };
}

function constraintsOf(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}

function schemasOf({ schemas }: Config): Settings['schemas'] {
  return {
    ...(schemas?.plan === undefined ? {} : { plan: schemas.plan }),
    ...(schemas?.task === undefined ? {} : { task: schemas.task }),
  };
}

function phasesOf(config: Config): Settings['phases'] {
  return Object.fromEntries(
    Object.entries(config.phases ?? {}).map(([name, phase]) => [
      name,
      { isDestructive: phase.is_destructive === true },
    ]),
  );
}

function sourcesOf(leaves: Leaves, run: RunSettings): readonly Sourced[] {
  const derived = { 'workflow.tools': run.tools, 'workflow.fallback_chain': run.fallback_chain };
  const said = [...leaves].map(([key, { value, source }]) => ({ key, value, source }));
  const unsaid = Object.entries(derived)
    .filter(([key]) => !leaves.has(key))
    .map(([key, value]) => ({ key, value, source: 'default' }));
  return [...said, ...unsaid].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
