// Writes the section of `plan.md` about the tests that were written before the plan.
import type { Plan } from '../../model/plan.ts';
import { proofCounts, proofLine, proofTexts } from '../../model/wording.ts';
import { code, dashLines, inline, writeSection } from '../markdown.ts';

/** The tests written before the plan, what each says today, and what they leave open. */
export function proofSection(plan: Plan): string {
  const { proofs = [] } = plan;
  const details = new Map(
    proofs.map((proof) => [
      proofLine(proof),
      [
        `  - ${code(`proof/tests/${proof.path}`)}, run by ${code(proof.argv.join(' '))} in ${code(proof.folder)}`,
        `  - For: ${inline(proof.for)}`,
        ...(proof.why === '' ? [] : [`  - Shown: ${inline(proof.why)}`]),
      ],
    ]),
  );
  const lines = proofTexts(plan).flatMap((text) => [
    ...dashLines([inline(text)]),
    ...(details.get(text) ?? []),
  ]);
  const author = proofs[0]?.author;
  const lead = author === undefined ? '' : `${proofCounts(proofs)}; written by ${inline(author)}.`;
  return writeSection('## Proofs', lines, lead);
}
