// Defines one reading of one plan: what it is about, and where its steps and files go.
import type { ContextPackage } from '../../../model/context-package.ts';
import type { RunSettings } from '../../../model/run-settings.ts';
import type { steps } from '../../../model/steps.ts';
import type { Tools } from '../../phase-tools.ts';
import type { PlanningInput } from '../planning-input.ts';
import type { WrittenPlan } from '../generate-plan.ts';

export interface ReadingRun {
  readonly planning: PlanningInput;
  /** The plan as it is on disk. */
  readonly written: WrittenPlan;
  readonly contextPackage: ContextPackage;
  readonly mode: RunSettings['mode'];
  readonly own: ReturnType<typeof steps.reading>;
  readonly tools: Tools;
  readonly signal: AbortSignal;
  /** The folder of the reading, relative to the session folder. */
  readonly folder: string;
}
