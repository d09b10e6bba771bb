// Keeps the proofs of a session in `proof/`: what they showed, and the code of each as a file.
import type { ContextPackage } from '../../model/context-package.ts';
import { jsonIn } from '../../model/json.ts';
import type { Plan } from '../../model/plan.ts';
import { type PackagedProof, PlannedProof, type Proof, ProofSet } from '../../model/proof.ts';
import { digestOf } from '../../store/digest.ts';
import type { SessionFolder } from '../../store/session-folder.ts';

const setFile = 'proof/proof.json';
const testsFolder = 'proof/tests';

/** The rule about a proof whose code is not what ran at the base. */
export const editRule = 'proof-edited';

/**
 * The file with the code of a proof, relative to the session folder; a person may edit it. By its ending no runner
 * of the project takes it for a test, as some look into every folder.
 */
export function proofFile({ path }: Pick<Proof, 'path'>): string {
  return `${testsFolder}/${path}.txt`;
}

/** sha256 in hex over the code of a proof and how it runs: what a person approves. */
export function proofHash({
  path,
  content,
  argv,
  folder,
  needs,
}: Pick<Proof, 'path' | 'content' | 'argv' | 'folder' | 'needs'>): string {
  return digestOf({ path, content, argv, folder, needs });
}

/** Writes the proofs of a session; the code of those that are not `made` now may be edited, and stays. */
export async function writeProofs(
  folder: SessionFolder,
  set: ProofSet,
  made: readonly PackagedProof[] = set.proofs,
): Promise<void> {
  for (const proof of made) await folder.write(proofFile(proof), proof.content);
  await folder.writeJson(setFile, set);
}

/** Removes the proofs of an earlier decision; what their author said stays. */
export async function removeProofs(folder: SessionFolder): Promise<void> {
  await folder.remove(testsFolder);
  await folder.remove(setFile);
}

/** Reads `proof/proof.json`; null if there is none that can be read. */
export async function readProofSet(folder: Pick<SessionFolder, 'read'>): Promise<ProofSet | null> {
  return ProofSet.safeParse(jsonIn((await folder.read(setFile)) ?? '')).data ?? null;
}

/** The proofs of a plan with their code as it is on disk; one whose file is gone is left out. */
export async function readProofs(
  folder: Pick<SessionFolder, 'read'>,
  planned: readonly PlannedProof[],
): Promise<readonly PackagedProof[]> {
  const read = await Promise.all(
    planned.map(async (proof) => ({ proof, content: await folder.read(proofFile(proof)) })),
  );
  return read.flatMap(({ proof, content }) => (content === null ? [] : { ...proof, content }));
}

/** The proofs of a package as the plan carries them, without their code; nothing without any. */
export function proofsForPlan({
  proofs,
  dropped_proofs = [],
  unproven = [],
}: ContextPackage): Pick<Plan, 'proofs' | 'dropped_proofs' | 'unproven'> {
  return proofs === undefined ? {} : { proofs: proofs.map(withoutCode), dropped_proofs, unproven };
}

export const withoutCode = (proof: PackagedProof) => PlannedProof.parse(proof);

/** The proofs of a plan as a package holds them, with their code as it is on disk; nothing without any. */
export async function packProofs(
  folder: Pick<SessionFolder, 'read'>,
  { proofs, dropped_proofs = [], unproven = [] }: Plan,
): Promise<Pick<ContextPackage, 'proofs' | 'dropped_proofs' | 'unproven'>> {
  if (proofs === undefined) return {};
  return { proofs: [...(await readProofs(folder, proofs))], dropped_proofs, unproven };
}
