// Says how near files are to the folder where the user stands.
import { folderOf, joinPath, nameOfPath } from '../../git/paths.ts';
import { foldersAbove } from '../package/project-folder.ts';

/** Files that make their folder a package of its own. */
const manifests: ReadonlySet<string> = new Set(
  `package.json deno.json jsr.json pyproject.toml setup.py setup.cfg go.mod Cargo.toml pom.xml
  build.gradle build.gradle.kts composer.json Gemfile mix.exs Package.swift pubspec.yaml
  CMakeLists.txt BUILD BUILD.bazel`.split(/\s+/),
);

/** A user who stands in a package means that package. */
const outsidePackage = 0.5;
/** A folder may also just be where somebody ran a test. */
const outsideFolder = 0.8;

/**
 * The factor of a file for who stands in a folder: 1 within the package around that folder, or
 * where there is none within the folder itself, and less outside.
 */
export function nearnessOf(paths: readonly string[], standing: string): (path: string) => number {
  if (standing === '') return () => 1;
  const packages = new Set(paths.filter((path) => manifests.has(nameOfPath(path))).map(folderOf));
  const around = [standing, ...foldersAbove(standing)].filter((folder) => folder !== '');
  const own = around.find((folder) => packages.has(folder));
  const start = joinPath(own ?? standing, '');
  const outside = own === undefined ? outsideFolder : outsidePackage;
  return (path) => (path.startsWith(start) ? 1 : outside);
}
