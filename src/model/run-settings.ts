// Defines the settings that shape the path of a session.
import { z } from 'zod';
import { shapeOf } from './setting-shape.ts';
import { settingsTable } from './settings.ts';

/** How the seats of a round are asked: all at once, or one after the other. */
export const RunMode = shapeOf(settingsTable.workflow.mode);

/**
 * The settings of a run that shape its path; recorded when the session starts. Each has the name
 * that it has in the table `[workflow]`, from where it is read.
 */
export const RunSettings = z.object({
  tools: shapeOf(settingsTable.workflow.tools),
  fallback_chain: shapeOf(settingsTable.workflow.fallbackChain),
  mode: RunMode,
  max_rounds: shapeOf(settingsTable.workflow.maxRounds),
  constraints: shapeOf(settingsTable.workflow.constraints),
  require_convergence: shapeOf(settingsTable.workflow.requireConvergence),
});
export type RunSettings = z.infer<typeof RunSettings>;
