// Checks what a plan says of the code as it is: cited places, targets, names that it takes to exist.
import { type Finding, warningFinding } from '../../model/finding.ts';
import { type Stated, placeFindings, targetFindings } from './check-places.ts';
import { isClaimed, isUsed, newNames } from './new-names.ts';
import type { PlanAtBase } from './plan-base.ts';
import { type Sentence, sentencesOf, speaker } from './plan-sentences.ts';
import { namesIn } from './cited-names.ts';

/** Statements about the base that it does not bear out. None of them keeps a plan from being approved. */
export async function statementFindings(plan: PlanAtBase): Promise<readonly Finding[]> {
  const sentences = sentencesOf(plan);
  const stated = { ...plan, isNew: newNames(plan, sentences) };
  const steps = sentences.filter(({ isStep }) => isStep);
  return [
    ...(await placeFindings(steps, stated)),
    ...(await targetFindings(stated)),
    ...(await nameFindings(steps, stated)),
  ];
}

/** Names that stand nowhere in the repository, and that nothing in the plan makes. */
async function nameFindings(
  sentences: readonly Sentence[],
  { base, isNew }: Stated,
): Promise<readonly Finding[]> {
  const said = sentences.flatMap((sentence) =>
    namesIn(sentence.text).flatMap((name) => {
      const kind = isClaimed(name) ? 'claim' : 'use';
      const counts = kind === 'claim' || isUsed(name);
      return counts && !isNew(name.leaf, kind) ? [{ sentence, name, kind }] : [];
    }),
  );
  const absent = await base.absent(new Set(said.map(({ name }) => name.leaf)));
  const once = Map.groupBy(
    said.filter(({ name }) => absent.has(name.leaf)),
    ({ sentence, name }) => `${sentence.file} ${name.leaf}`,
  );
  // A claim says more than a use of the same name.
  const worst = [...once.values()].flatMap(
    (found) => found.find(({ kind }) => kind === 'claim') ?? found.slice(0, 1),
  );
  return worst.map(({ sentence, name, kind }) => {
    const verb = kind === 'claim' ? `takes ${name.name} to exist` : `uses ${name.name}`;
    const message = `${speaker(sentence)} ${verb}, but that name is nowhere in the repository and no task adds it; use a name that exists, or say where it comes from.`;
    const { file, pointer } = sentence;
    const rule = kind === 'claim' ? 'name-missing' : 'name-unknown';
    return warningFinding({ rule, file, pointer, message });
  });
}
