import { isIdentifier } from '../../context/keywords.ts';
import { withoutPreamble } from './leading-verb.ts';

/** What a task says gets another name or place. */
export interface OldName {
  /** As the task spells it; of words of prose, with the spaces between them. */
  readonly name: string;
  readonly isMove: boolean;
  /** The new name or place, as the task spells it. */
  readonly to: string;
  /** No word of prose is spelled so: wherever it stands, it is meant. */
  readonly isTelling: boolean;
}

const rename =
  /^renam(?:es?|ed|ing)\s+(.{1,100}?)\s*(?:\s(?:in)?to\s|\sas\s|[-=]>|→)\s*(\S{1,100})/iu;
const move = /^mov(?:es?|ed|ing)\s+(.{1,100}?)\s+(?:in)?to\s+(\S{1,100})/iu;

/** Words that say what kind of thing a name names. */
const kinds = new Set(
  `a an the our class component constant enum field file folder directory function helper hook
  interface method module package property struct trait type variable`.split(/\s+/),
);
const mostWords = 3;

/** What a task renames or moves, or null where it does neither or names several things. */
export function oldNameIn(task: string): OldName | null {
  for (const text of withoutPreamble(task)) {
    const renames = rename.exec(text);
    const [, phrase = '', to = ''] = renames ?? move.exec(text) ?? [];
    const words = phrase.trim().split(/\s+/);
    const bare = words.filter((word) => !kinds.has(word.toLowerCase())).join(' ');
    const marked = /^([`'"])([^`'"]+)\1$/.exec(bare)?.[2];
    const name = (marked ?? bare).replace(/\(\)$/, '');
    if (!isOneName(name)) continue;
    const isTelling = isIdentifier(name);
    return {
      name,
      isMove: renames === null,
      to: to.replace(/^[`'"]+|[`'",;:.!?)]+$/gu, ''),
      isTelling,
    };
  }
  return null;
}

function isOneName(name: string): boolean {
  const words = name.split(' ');
  if (words.length === 1) return /^[\w$@./-]{2,}$/u.test(name);
  return (
    words.length <= mostWords &&
    words.every((word) => /^[a-z]{2,}$/i.test(word) && !isIdentifier(word))
  );
}
