// Tells the tests that were written before the plan: what each says today, its code, and what they leave open.
import type { ContextPackage } from '../../model/context-package.ts';
import { type Block, code, fold, item, list, prose, section } from '../../model/document.ts';
import type { Plan } from '../../model/plan.ts';
import { proofCounts, proofLine, proofTexts } from '../../model/wording.ts';

/** The proofs of a plan, each with its code if that is known; null without any. */
export function proofSection(
  plan: Plan,
  { proofs: packed = [] }: Pick<ContextPackage, 'proofs'> = {},
): Block | null {
  const { proofs = [] } = plan;
  const items = proofs.map((proof) => {
    const { id, path, argv, folder, hash, why, for: reason } = proof;
    const { content = '' } = packed.find((one) => one.hash === hash) ?? {};
    const run = [{ code: `proof/tests/${path}.txt` }, ', run by ', { code: argv.join(' ') }];
    const below = [
      [...run, folder === '.' ? '' : ` in ${folder}`],
      `For: ${reason}`,
      ...(why === '' ? [] : [`Shown: ${why}`]),
    ];
    return item(proofLine(proof), [list(below), fold('code', 'Code', [code(content)])], id);
  });
  const author = proofs[0]?.author;
  return section('proofs', 'Proofs', [
    prose(author === undefined ? '' : `${proofCounts(proofs)}; written by ${author}.`),
    list([...items, ...proofTexts({ ...plan, proofs: [] })]),
  ]);
}

/** The proof that a line of the plan belongs to. */
export function proofAt(plan: Pick<Plan, 'proofs'> | null, anchor: string) {
  const names = anchor.split('.');
  return plan?.proofs?.find(({ id }) => names.includes(id));
}
