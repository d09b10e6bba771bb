// Says whether code may run here before a plan is approved, and what a person who allows it agrees to.
import { findConfinement } from '../../agents/process/find-confinement.ts';
import { findProgram } from '../../agents/process/find-program.ts';
import type { Confinement } from '../../agents/process/confinement.ts';
import { listed } from '../../model/wording.ts';
import { proposeSetUp, setUpText } from '../execution/propose-set-up.ts';
import type { Tools } from '../phase-tools.ts';
import { findDependencies } from './dependencies.ts';
import { testConfinement } from './self-test.ts';

/** The tools that code before approval needs. */
export interface ProofTools extends Pick<Tools, 'repository' | 'markPrefix'> {
  readonly folder: Pick<Tools['folder'], 'append'>;
  readonly execution: Pick<
    Tools['execution'],
    'settings' | 'environment' | 'secrets' | 'confinementFile' | 'worktrees' | 'remember'
  >;
}

/**
 * Finds out what a person has to agree to before code runs that nobody has approved, and tries the confinement. An
 * obstacle is a sentence; null if code may run. `lines` are the rule, whole.
 */
export async function proofReadiness(tools: ProofTools, signal: AbortSignal) {
  const { settings, environment } = tools.execution;
  const consent: 'given' | 'ask' = settings.codeBeforeApproval === 'on' ? 'given' : 'ask';
  const none = { confinement: null, consent, setUp: [], lines: [] };
  if (settings.codeBeforeApproval === 'off') {
    return { ...none, obstacle: 'Your settings turn code before approval off.' };
  }
  const confinement = findConfinement(environment);
  const missing = findMissing(confinement, environment);
  if (missing !== null || confinement === null) return { ...none, obstacle: missing };
  const limits = await testConfinement(tools, confinement, signal);
  const names = Object.keys(limits);
  const open = names.filter((name) => limits[name] !== true);
  if (open.length > 0) {
    const obstacle = `${confinement.name} does not hold code back on this machine (tried: ${listed(open)}), and code that nobody has read runs only where it does.`;
    return { ...none, obstacle };
  }
  const proposed = consent === 'given' ? [] : await proposedSetUp(tools, signal);
  const setUp = settings.setup.length > 0 ? settings.setup : proposed;
  const lines = consentLines(confinement.name, names, setUp);
  return { obstacle: null, confinement, consent, setUp, lines };
}

function findMissing(
  confinement: Confinement | null,
  environment: NodeJS.ProcessEnv,
): string | null {
  if (confinement === null) {
    return 'Code that nobody has read runs only in bubblewrap, which is not installed: install it (its program is bwrap).';
  }
  if (!confinement.isStrict)
    return `${confinement.name} does not confine code that nobody has read.`;
  const program = ['prlimit', 'git'].find(
    (name) => findProgram(name, environment['PATH']) === null,
  );
  return program === undefined
    ? null
    : `Code that nobody has read needs ${program} here, which is not installed: install it.`;
}

/** The set-up that the project proposes, where the user has nothing yet that it would bring. */
async function proposedSetUp(tools: ProofTools, signal: AbortSignal): Promise<readonly string[]> {
  const { root } = tools.repository;
  const { settings, environment } = tools.execution;
  if ((await findDependencies(root, { copy: null, signal })).length > 0) return [];
  const found = await proposeSetUp({ root, environment, settings });
  return found === null || found.missing !== null ? [] : found.argv;
}

function consentLines(
  name: string,
  limits: readonly string[],
  setUp: readonly string[],
): readonly string[] {
  const before = setUpText({ argv: setUp, copy: [], secrets: [] });
  return [
    `They run in ${name}, in a copy of the project: without a network but their own loopback, without your home and other projects; dependencies and caches can only be read.`,
    'Each may take 60 seconds, 2 GB of memory, 400 processes and 1 GB of new files, and all together 5 minutes; what they print is shortened and cleared of secrets before an agent reads it.',
    `This was tried on this machine, and held: ${listed(limits)}.`,
    setUp.length === 0
      ? 'No set-up runs before them.'
      : `Before them, and before any text of the author is there, the set-up "${before}" runs in the copy, with the network, as it does for tasks.`,
    'Your yes is kept for this project and counts for each session; its tests are shown to you with the plan.',
  ];
}

/** Keeps a yes, and the set-up that was shown with it, in the user’s settings. Returns the reason if it could not. */
export async function rememberConsent(
  { execution }: Pick<ProofTools, 'execution'>,
  setUp: readonly string[],
): Promise<string | null> {
  const isNew = execution.settings.setup.length === 0 && setUp.length > 0;
  const setup = isNew ? setUp : undefined;
  return await execution.remember({ code_before_approval: 'on', setup });
}
