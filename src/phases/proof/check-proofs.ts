// Refuses proofs that could not stand beside the project: their paths, their folders, their names.
import { isDeepStrictEqual } from 'node:util';
import type { Repository } from '../../git/repository.ts';
import { endingOf, folderOf } from '../../git/paths.ts';
import { mostProofs, type Proof } from '../../model/proof.ts';
import { pathProblem, tidyPath } from '../../model/repository-path.ts';

type Base = Pick<Repository, 'files' | 'exists' | 'uncommittable'>;

/** Proofs as their author returns them. */
export interface ProposedProofs {
  readonly proposed: readonly Proof[];
  /** The proofs that count already; one of the same id is replaced. */
  readonly standing: readonly Proof[];
}

/** Writes paths in the form that the repository uses. */
export function tidyProof(proof: Proof): Proof {
  const folder = tidyPath(proof.folder);
  return { ...proof, path: tidyPath(proof.path), folder: folder === '' ? '.' : folder };
}

/** Says why proofs cannot be written or run, by their ids; those that can be are left out. */
export async function refuseProofs(
  { proposed: proofs, standing }: ProposedProofs,
  base: Base,
): Promise<ReadonlyMap<string, string>> {
  const sound = proofs.filter(({ path }) => pathProblem(path) === null);
  const outside = await base.uncommittable(sound.map(({ path }) => path));
  const files = await base.files();
  const others = standing.filter(({ id }) => !proofs.some((one) => one.id === id));
  const refused = new Map<string, string>();
  let free = mostProofs - standing.length;
  for (const [at, proof] of proofs.entries()) {
    const { id, path, folder } = proof;
    const isNew = !standing.some((one) => one.id === id);
    const isThere = folder === '.' || files.some((file) => file.startsWith(`${folder}/`));
    const why =
      pathFault('path', path) ??
      (folder === '.' ? null : pathFault('folder', folder)) ??
      outsideFault(path, outside.get(path)) ??
      twinFault(proof, [...others, ...proofs.slice(0, at)]) ??
      ((await base.exists(path)) ? `${path} exists already; a proof is a new file` : null) ??
      (isThere ? null : `the folder ${folder} does not exist`) ??
      (kept.test(proof.content)
        ? 'it compares with a snapshot, which a new file does not have; write the value that is wanted into it'
        : null) ??
      (isNew && free <= 0 ? `there are ${mostProofs} tests already, the most of a session` : null);
    if (why !== null) refused.set(id, why);
    else if (isNew) free -= 1;
  }
  return refused;
}

/** Assertions of a value that a runner keeps at the first run, so that they show nothing. */
const kept =
  /\.(?:toMatchSnapshot|toThrowErrorMatchingSnapshot|toMatchFileSnapshot)\(|\.toMatchInlineSnapshot\(\s*\)|\.assert\.(?:fileS|s)napshot\(/;

function pathFault(name: string, path: string): string | null {
  const problem = pathProblem(path);
  return problem === null ? null : `the ${name} ${path} ${problem}`;
}

function outsideFault(path: string, where: string | undefined): string | null {
  if (where === undefined) return null;
  return where === 'ignored'
    ? `git ignores ${path}, so it could never be committed`
    : `${path} lies in a submodule`;
}

/** Finds what an earlier proof has, too: the id, the file, or a name at the top of a folder that compiles as a whole. */
function twinFault(proof: Proof, before: readonly Proof[]): string | null {
  const { id, path, folder, argv } = proof;
  const names = topLevelNames(proof);
  for (const other of before) {
    if (other.id === id) return `another proof is called ${id}, too`;
    if (other.path.toLowerCase() === path.toLowerCase())
      return `${path} is the file of ${other.id}, too`;
    if (other.folder === folder && isDeepStrictEqual(other.argv, argv))
      return `it runs by the same command as ${other.id}, so neither runs alone; let \`argv\` name its own file`;
    const taken =
      folderOf(other.path) === folderOf(path) &&
      topLevelNames(other).find((name) => names.includes(name));
    if (typeof taken === 'string')
      return `${other.path} has the name ${taken}, too; let each top-level name end with ${id}`;
  }
  return null;
}

/** The names at the top of a file whose folder compiles as a whole; what the folder has fails to compile at the base. */
function topLevelNames({ path, content }: Proof): readonly string[] {
  if (!compiledByFolder.has(endingOf(path))) return [];
  return [...content.matchAll(declaration)].flatMap(([, name]) => name ?? []);
}

const compiledByFolder = new Set(['go', 'java', 'kt', 'cs', 'swift', 'scala']);

const declaration =
  /^(?:(?:public|internal|private|fileprivate|abstract|final|sealed|static|open|data)\s+)*(?:class|interface|enum|record|struct|object|protocol|fun|func|def|type|var|const)\s+([\p{L}_][\p{L}\p{N}_]*)/gmu;
