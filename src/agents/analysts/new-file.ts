import { partsOf } from '../../context/identifiers.ts';
import { endingOf, folderOf, isFolderEntry, joined, nameOfPath, stemOf } from '../../git/paths.ts';
import { nameStyle, siblingsOf, type NameStyle } from '../../context/siblings.ts';
import type { Needle } from '../../context/needles.ts';

/** A path for a new file beside `sibling`, named after the task as its neighbours are named. */
export function newFileBeside(
  sibling: string,
  about: { readonly needles: readonly Needle[]; readonly all: readonly string[] },
): string {
  const { needles, all } = about;
  if (isFolderEntry(sibling)) {
    const folder = besideIn(folderOf(sibling), {
      needles,
      all: all.map(folderOf),
      usual: usualStyle(endingOf(sibling)),
    });
    return joined(folder, nameOfPath(sibling));
  }
  return besideIn(sibling, { needles, all, usual: usualStyle(endingOf(sibling)) });
}

/** The same for a folder as well, which has no ending to tell the usual style by. */
function besideIn(
  sibling: string,
  about: {
    readonly needles: readonly Needle[];
    readonly all: readonly string[];
    readonly usual: NameStyle;
  },
): string {
  const { needles, all, usual } = about;
  const { siblings, suffix } = siblingsOf(sibling, all);
  const ending = endingOf(sibling);
  const style = nameStyle([sibling, ...siblings]) ?? usual;
  const own = partsOf(stemOf(sibling));
  const words = newWords(needles, new Set([...own, ...partsOf(nameOfPath(folderOf(sibling)))]));
  const last = suffix === '' ? [] : partsOf(stemOf(suffix));
  const both = [...new Set([...own, ...words])];
  const stems = [...(words.length > 0 ? [words, both] : []), [...both, 'addition']].map((parts) =>
    styled([...parts.filter((part) => !last.includes(part)), ...last], style),
  );
  const free = stems.find((stem) => !isTaken(joined(folderOf(sibling), stem), { ending, all }));
  const stem = free ?? stems.at(-1) ?? '';
  return joined(folderOf(sibling), ending === '' ? stem : `${stem}.${ending}`);
}

/** By a file, or by a folder: a module may not have the name of a package beside it. */
function isTaken(
  bare: string,
  { ending, all }: { readonly ending: string; readonly all: readonly string[] },
): boolean {
  const path = ending === '' ? bare : `${bare}.${ending}`;
  return all.some((other) => other === path || other.startsWith(`${bare}/`));
}

/** Words of tasks that name nothing. */
const nameless = new Set(
  `add addition argument behavior behaviour class command default enable disable error feat feature
  field fix flag function implement increase method new option parameter property set setting
  support type update use value warn warning`.split(/\s+/),
);

/** A keyword of the task, in at most three parts, that neither sibling nor folder is named by. */
function newWords(needles: readonly Needle[], known: ReadonlySet<string>): readonly string[] {
  const words = needles
    .filter(({ isPath, keyword }) => !isPath && /^[\w-]+$/.test(keyword))
    .map(({ keyword }) => partsOf(keyword))
    .filter((parts) => parts.some((part) => !nameless.has(part)));
  const fresh = words.find((parts) => parts.length > 0 && !parts.some((part) => known.has(part)));
  const chosen = fresh ?? words[0] ?? [];
  return chosen.slice(0, 3);
}

function styled(words: readonly string[], style: NameStyle): string {
  return joiners[style](words);
}

const joiners: Readonly<Record<NameStyle, (words: readonly string[]) => string>> = {
  'kebab-case': (words) => words.join('-'),
  snake_case: (words) => words.join('_'),
  camelCase: ([first = '', ...rest]) => first + rest.map(capital).join(''),
  PascalCase: (words) => words.map(capital).join(''),
};

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function usualStyle(ending: string): NameStyle {
  if (['java', 'kt', 'cs', 'swift', 'scala'].includes(ending)) return 'PascalCase';
  return ['py', 'rs', 'go', 'rb', 'c', 'cc', 'cpp', 'h', 'ex', 'exs'].includes(ending)
    ? 'snake_case'
    : 'kebab-case';
}
