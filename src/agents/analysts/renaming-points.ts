import { shortNames } from '../../git/paths.ts';
import { listed } from '../../model/wording.ts';
import type { Place } from './name-places.ts';
import type { OldName } from './old-name.ts';
import type { Piece } from './pieces.ts';
import type { Renaming } from './renaming.ts';

/** What holds for those of some files that the renaming changes, when it is done. */
export function renamingPoints(renaming: Renaming, paths: ReadonlySet<string>): readonly string[] {
  const { old, homes, into, users } = renaming;
  const among = (places: readonly Place[]): readonly string[] =>
    shortNames(places.map(({ path }) => path).filter((path) => paths.has(path)));
  const points = [
    [among(homes), (names: string) => `What is called ${old.name} in ${names} ${goesTo(old)}.`],
    [among(into), (names: string) => `It fits in ${names}.`],
    [among(users), (names: string) => `Nothing in ${names} needs the old ${thing(old)} any more.`],
  ] as const;
  return points.flatMap(([names, point]) => (names.length > 0 ? [point(listed(names))] : []));
}

/** The tests need no new case: they show that only the name or the place is another one. */
export function followedByTests(piece: Piece, { old }: Renaming): Piece {
  return { ...piece, keyPoint: `The tests pass without the old ${thing(old)} of ${old.name}.` };
}

function goesTo({ isMove, to }: OldName): string {
  return isMove ? `stands at ${to}` : `has the name ${to}`;
}

function thing({ isMove }: OldName): string {
  return isMove ? 'place' : 'name';
}
