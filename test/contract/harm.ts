import { shell, write } from './cli-bench.ts';
import type { Reply } from './model-server/reply.ts';

/** A repository with a `src/list.js`, and the home beside it. */
interface Place {
  readonly repo: string;
  readonly home: string;
}

/** What a planning agent must not make or change. */
export function targetsOf({ repo, home }: Place): readonly string[] {
  return [`${repo}/made.txt`, `${repo}/.git/made`, `${repo}/src/list.js`, `${home}/made`];
}

/** All of that in both of its ways, by its edit tool and by shell, and some more. */
export function harm(place: Place): readonly Reply[] {
  const { repo } = place;
  return [
    ...targetsOf(place).flatMap((path) => [
      write(path),
      shell(`echo made > ${path}; rm -f ${path}2`),
    ]),
    shell(`rm -rf ${repo}/src; git -C ${repo} config user.name Nobody`),
  ];
}
