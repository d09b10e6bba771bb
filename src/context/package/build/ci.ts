import type { BuildFact } from '../../../model/context.ts';

const services: readonly (readonly [name: string, files: RegExp])[] = [
  ['GitHub Actions', /^\.github\/workflows\/[^/]+\.ya?ml$/],
  ['GitLab CI', /^\.gitlab-ci\.ya?ml$/],
  ['CircleCI', /^\.circleci\/config\.ya?ml$/],
  ['Azure Pipelines', /^\.?azure-pipelines\.ya?ml$/],
  ['Jenkins', /^Jenkinsfile$/],
  ['Travis CI', /^\.travis\.ya?ml$/],
  ['Bitbucket Pipelines', /^bitbucket-pipelines\.ya?ml$/],
  ['Buildkite', /^\.buildkite\/pipeline\.ya?ml$/],
  ['AppVeyor', /^\.?appveyor\.ya?ml$/],
  ['Cirrus CI', /^\.cirrus\.ya?ml$/],
  ['Drone', /^\.drone\.ya?ml$/],
  ['Woodpecker', /^\.woodpecker(?:\.ya?ml|\/[^/]+\.ya?ml)$/],
  ['Forgejo Actions', /^\.(?:forgejo|gitea)\/workflows\/[^/]+\.ya?ml$/],
];

/** More files of one service than this say nothing new. */
const mostFiles = 4;

/** Which files say what runs for every change. */
export function ciFacts(files: readonly string[]): readonly BuildFact[] {
  return services.flatMap(([value, pattern]) =>
    files
      .filter((path) => pattern.test(path))
      .slice(0, mostFiles)
      .map((source) => ({ kind: 'ci' as const, value, folder: '', language: null, source })),
  );
}
