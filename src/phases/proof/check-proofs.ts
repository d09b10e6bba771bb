// Refuses proofs that could not stand beside the project: their paths, their folders, their names.
import type { Repository } from '../../git/repository.ts';
import { endingOf, folderOf } from '../../git/paths.ts';
import type { Proof } from '../../model/proof.ts';
import { pathProblem, tidyPath } from '../../model/repository-path.ts';

type Base = Pick<Repository, 'files' | 'exists' | 'read' | 'uncommittable'>;

/** Writes paths in the form that the repository uses. */
export function tidyProof(proof: Proof): Proof {
  const folder = tidyPath(proof.folder);
  return { ...proof, path: tidyPath(proof.path), folder: folder === '' ? '.' : folder };
}

/** Says why proofs cannot be written or run, by their ids; those that can be are left out. */
export async function refuseProofs(
  proofs: readonly Proof[],
  base: Base,
): Promise<ReadonlyMap<string, string>> {
  const sound = proofs.filter(({ path }) => pathProblem(path) === null);
  const outside = await base.uncommittable(sound.map(({ path }) => path));
  const refused = new Map<string, string>();
  for (const [at, proof] of proofs.entries()) {
    const before = proofs.slice(0, at);
    const why =
      placeFault(proof, { before, outside: outside.get(proof.path) }) ??
      (await baseFault(proof, base)) ??
      (await nameFault(proof, before, base));
    if (why !== null) refused.set(proof.id, why);
  }
  return refused;
}

function placeFault(
  { id, path, folder }: Proof,
  { before, outside }: { readonly before: readonly Proof[]; readonly outside: string | undefined },
): string | null {
  const problem = pathProblem(path);
  if (problem !== null) return `the path ${path} ${problem}`;
  const wrong = folder === '.' ? null : pathProblem(folder);
  if (wrong !== null) return `the folder ${folder} ${wrong}`;
  if (outside === 'ignored') return `git ignores ${path}, so it could never be committed`;
  if (outside !== undefined) return `${path} lies in a submodule`;
  if (before.some((other) => other.id === id)) return `another proof is called ${id}, too`;
  const twin = before.find((other) => other.path.toLowerCase() === path.toLowerCase());
  return twin === undefined ? null : `${path} is the file of ${twin.id}, too`;
}

async function baseFault({ path, folder }: Proof, base: Base): Promise<string | null> {
  if (await base.exists(path)) return `${path} exists already; a proof is a new file`;
  const files = await base.files();
  const isThere = folder === '.' || files.some((file) => file.startsWith(`${folder}/`));
  return isThere ? null : `the folder ${folder} does not exist`;
}

/** Finds a top-level name that the folder or an earlier proof has, where files of a folder compile together. */
async function nameFault(
  proof: Proof,
  before: readonly Proof[],
  base: Base,
): Promise<string | null> {
  const names = topLevelNames(proof.path, proof.content);
  if (names.length === 0) return null;
  const isBeside = (path: string) =>
    folderOf(path) === folderOf(proof.path) && endingOf(path) === endingOf(proof.path);
  const files = (await base.files()).filter(isBeside);
  const others = [
    ...before.filter(({ path }) => isBeside(path)),
    ...(await Promise.all(
      files.map(async (path) => ({ path, content: (await base.read(path)) ?? '' })),
    )),
  ];
  for (const { path, content } of others) {
    const taken = topLevelNames(path, content).find((name) => names.includes(name));
    if (taken !== undefined)
      return `${path} has the name ${taken}, too; let each top-level name end with ${proof.id}`;
  }
  return null;
}

/** The names at the top level of a file whose folder compiles as a whole; empty for other languages. */
function topLevelNames(path: string, content: string): readonly string[] {
  const ending = endingOf(path);
  const pattern = Object.entries(declarations).find(([endings]) =>
    endings.split(' ').includes(ending),
  )?.[1];
  if (pattern === undefined) return [];
  return [...content.matchAll(pattern)].flatMap(([, name]) => name ?? []);
}

const declarations: Readonly<Record<string, RegExp>> = {
  go: /^(?:func|type|var|const)\s+([\p{L}_][\p{L}\p{N}_]*)/gmu,
  'java kt cs swift scala':
    /^(?:(?:public|internal|private|fileprivate|abstract|final|sealed|static|open|data)\s+)*(?:class|interface|enum|record|struct|object|protocol|fun|func|def)\s+(\w+)/gm,
};
