// Derives from the English words around a place of a plan if it is created, changed or assumed to exist.

/**
 * `made`: the plan creates it. `changed`: the plan changes it, so it has to exist. `used`: it is called or
 * reused. `cited`: it is mentioned as something that exists. Null if the words say nothing.
 */
export type Role = 'made' | 'changed' | 'used' | 'cited' | null;

/** A place in a line: a path, or a name of the code. */
export interface PlaceInLine {
  readonly isPath: boolean;
  /** The index in the line at which it starts, and the one after its end. */
  readonly at: number;
  readonly end: number;
}

/** What a line says about one of its places. */
export interface Said {
  readonly role: Role;
  /** The verb that says so; empty if none does. */
  readonly verb: string;
}

type Kind = 'make' | 'move' | 'change' | 'use' | 'exist';

export interface Verb {
  readonly kind: Kind;
  readonly word: string;
  readonly at: number;
  readonly end: number;
}

/** The greatest distance of a verb from the place it refers to, in characters. */
const nearby = 250;

const wordsOf: Readonly<Record<Kind, string>> = {
  make: `add adds added adding new create creates created creating write writes writing written
    introduce introduces introduced introducing define defines defined defining implement implements
    implemented implementing export exports exported exporting extract extracts extracted extracting
    declare declares declared declaring generate generates generated generating produce produces
    produced producing scaffold scaffolds`,
  move: `rename renames renamed renaming move moves moved moving split splits splitting copy copies
    copied copying replace replaces replaced replacing`,
  change: `modify modifies modified modifying change changes changed changing update updates updated
    updating delete deletes deleting remove removes removing edit edits edited editing
    extend extends extended extending refactor refactors refactored refactoring fix fixes fixed fixing`,
  use: `reuse reuses reused reusing re-use re-uses re-using call calls calling use uses using invoke
    invokes invoking import imports importing follow follows following mirror mirrors mirroring`,
  exist: 'existing',
};
const kinds: ReadonlyMap<string, Kind> = new Map(
  (['make', 'move', 'change', 'use', 'exist'] as const).flatMap((kind) =>
    wordsOf[kind].split(/\s+/).map((word) => [word, kind] as const),
  ),
);

/**
 * Finds the verbs of a line; its places and quotes must be blanked out. “Updates” and “changed” may be a noun or
 * an adjective, so such a form counts only right before a place; what brackets say of no place is left out.
 */
export function verbsIn(words: string): readonly Verb[] {
  const told = words.replaceAll(/\([^()…]*\)/g, (aside) => ' '.repeat(aside.length));
  return [...told.matchAll(/[A-Za-z][\w-]*/g)].flatMap(({ 0: written, index: at }) => {
    const word = written.toLowerCase();
    const kind = kinds.get(word);
    const end = at + word.length;
    const isOther = /(?:ed|s)$/.test(word) && (kind === 'change' || kind === 'use');
    if (kind === undefined || (isOther && !isPlaceNext.test(told.slice(end, end + 30)))) return [];
    return [{ kind, word, at, end }];
  });
}

const isPlaceNext = /^\W*(?:(?:the|an?|its|our|in|to|files?)\W+)*…/;

/** Blanks out quotes and places, which may contain a verb; the length of the line does not change. */
export function plainWords(line: string, places: readonly PlaceInLine[]): string {
  const quoted = line.replaceAll(/`[^`]*`/g, (one) => '…'.repeat(one.length));
  const parts: string[] = [];
  let from = 0;
  for (const { at, end } of places) {
    if (at < from) continue;
    parts.push(quoted.slice(from, at), '…'.repeat(end - at));
    from = end;
  }
  return [...parts, quoted.slice(from)].join('');
}

interface WordsOfLine {
  readonly line: string;
  /** The line after `plainWords`. */
  readonly words: string;
  readonly verbs: readonly Verb[];
  /** The heading, or the line with a colon, that it belongs to. */
  readonly heading: string;
}

/** Derives the roles of the places of a line, which must be given in order. */
export function readRoles(
  { line, words, verbs, heading }: WordsOfLine,
  places: readonly PlaceInLine[],
): readonly Said[] {
  let next = 0;
  let formerRole: Role = null;
  return places.map((place, index): Said => {
    while ((verbs[next]?.at ?? Infinity) < place.at) next += 1;
    const from = clauseStart(words, place.at);
    const before = words.slice(from, place.at).replace(/\[[^[\]]*\]\($/, '');
    const verb = verbs[next - 1];
    const governing = verb !== undefined && verb.at >= from ? verb : null;
    const former = places[index - 1];
    const isAfter = governing !== null && former !== undefined && former.at > governing.at;
    const between = isAfter && !isOwnerOf.test(words.slice(former.end, place.at)) ? former : null;
    const gap = words.slice(Math.max(from, (between ?? governing)?.end ?? from), place.at);
    const after = line.slice(place.end, place.end + nearby).replace(linkAfter, '');
    const rest = words.slice(place.end, place.end + nearby);
    const role = isCalledNew.test(after)
      ? 'made'
      : roleIn({
          place,
          verb: governing,
          isFirst: between === null,
          before,
          gap,
          rest,
          heading,
          formerRole: between?.isPath === true ? formerRole : null,
        });
    formerRole = role;
    return { role, verb: governing?.word ?? '' };
  });
}

/** True for a place with which its sentence begins: “In src/x.ts, …”. */
export function isSceneOf(words: string, at: number): boolean {
  return isBegun.test(words.slice(clauseStart(words, at), at));
}

/** Finds the start of the sentence that leads up to a place. */
function clauseStart(words: string, at: number): number {
  const from = Math.max(0, at - nearby);
  const ends = [...words.slice(from, at).matchAll(/[.;!?]\s|[。；！？]/g)];
  const last = ends.at(-1);
  return last === undefined ? from : from + last.index + last[0].length;
}

interface Around {
  readonly place: PlaceInLine;
  readonly verb: Verb | null;
  /** True if no other place comes between the verb and this one. */
  readonly isFirst: boolean;
  readonly before: string;
  /** The text between the verb, or the last place after it, and this place. */
  readonly gap: string;
  /** The role of the previous place, if that comes after the verb. */
  readonly formerRole: Role;
  readonly rest: string;
  readonly heading: string;
}

function roleIn({ place, verb, isFirst, before, gap, rest, heading, formerRole }: Around): Role {
  const [, next = ''] = nextToPlace.exec(before) ?? [];
  if (isHedgedAfter.test(rest)) return null;
  if (place.isPath && isBegun.test(before) && changesLater.test(rest)) return 'changed';
  if (existsAfter.test(rest) && !place.isPath) return 'used';
  if (verb === null) {
    if (isReference.test(next)) return 'cited';
    if (isListOfNew.test(heading)) return 'made';
    if (place.isPath && isCalledChanged.test(rest)) return 'changed';
    const isChanged = isListOfChanged.test(heading) && !isAlsoNew.test(heading);
    return isChanged && isFirstOfItem.test(before) ? 'changed' : null;
  }
  if (isEither.test(before) || isHedged.test(before.split(/\bbut\b/).at(-1) ?? '')) return null;
  const isTarget = isPlace.test(next) || isReference.test(next);
  switch (verb.kind) {
    case 'make': {
      if (isAddedTo.test(before) || (isPart.test(gap) && isTarget && verb.word.startsWith('add')))
        return 'changed';
      if (!place.isPath) return isReference.test(next) ? null : 'made';
      if (isReference.test(next)) return 'cited';
      return isTarget && /^(?:add|implement|export|introduc|defin|declar)/.test(verb.word)
        ? null
        : 'made';
    }
    case 'move':
      if (/^(?:to|into|as|with)$/i.test(next) || (!isFirst && isListOrArrow.test(gap)))
        return 'made';
      return isFirst && !isReference.test(next) ? 'changed' : null;
    case 'exist':
      return isFirst ? (place.isPath ? 'changed' : 'used') : null;
    case 'change':
      if (isFirst && (place.isPath || !isReference.test(next))) return 'changed';
      if (place.isPath) {
        const isListed = formerRole === 'changed' && isList.test(gap);
        return isListed || /^(?:in|inside|within|of)$/i.test(next) ? 'changed' : null;
      }
      return 'made';
    case 'use':
      if (place.isPath) return isFirst || isReference.test(next) ? 'cited' : null;
      return isFirst ? 'used' : null;
  }
}

/** Words that may come right before a place, or before its article. */
const nextToPlace =
  /([A-Za-z]+)\s*(?:(?:the|a|an|our|its|file|module|helper|function|method|new|existing)\s+)*[\s`"'(*[…]*$/i;
const isReference =
  /^(?:for|from|like|see|of|as|than|unlike|by|via|per|following|existing|reads?|imports?|following)$/i;
const isPlace = /^(?:in|to|into|at|inside|within|under)$/i;
/** Matches “src/x.ts’s”. */
const isOwnerOf = /^…?['’]s\s+…?$/;
/** Matches what separates “A”, “B” and “C” in a list. */
const isList = /^(?:[\s`"'…,&+/()[\]{}]|\b(?:and|or|but|not)\b)+$/;
/** Matches also what leads from an old name to the new one. */
const isListOrArrow = /^(?:[\s`"'…,&+/()[\]{}]|\b(?:and|or|but|not)\b|→|[-=]>)+$/;
/** Matches “Add a flag to the parser (src/x.ts)”, which means that the parser exists. */
const isAddedTo = /\bto\s+(?:the|our|its)\s+(?:(?!new\b)[\w-]+\s+){1,3}[[(]…*(?:\]\()?$/i;
/** A part of a file; if it is added, the file exists. */
const isPart =
  /^\s*(?:an?|the|one|another|its)\s+(?:[\w-]+\s+)?(?:flag|option|argument|parameter|field|column|case|branch|line|entry|import)s?\b/i;
const isHedged =
  /\b(?:possibly|maybe|optional(?:ly)?|if|unless|not|never|without|instead|e\.g|no|missing)\b|n['’]t\b/i;
/** Matches “`src/x.ts` (if it exists)” and “| src/x.ts | deleted |”. */
const isHedgedAfter =
  /^\W*(?:if\b[^.;,)]{0,20}\b(?:exists?|present|needed|necessary|required)|deleted|removed)\b/i;
/** Matches “Create or update”. */
const isEither =
  /\b(?:creat\w+|add|new|write)\s*(?:\/|\bor\b|\band\/or\b)\s*(?:modif|updat|chang|edit|extend)/i;
/** Matches “Files to modify or create”. */
const isAlsoNew = /\b(?:creat\w+|new|add(?:ed)?)\b/i;
/** Matches “In src/x.ts, change …”. */
const isBegun = /^(?:.*:)?\W*(?:in|inside|within)\s+(?:the\s+)?(?:file\s+)?[\s`"'(*[…]*$/i;
const changeWords = wordsOf.change.split(/\s+/).join('|');
const changesLater = new RegExp(
  String.raw`^[\s"')*\]…,:]*(?:we\s+|please\s+)?(?:${changeWords}|rename|replace)\b`,
  'i',
);
const existsAfter = /^[\s`…()]*(?:,?\s*(?:which|that)\s+[^.;!?]{0,80}?\b)?already\b/i;
const linkAfter = /^`?\]\(\S*\)/;
const isFirstOfItem = /^\s*(?:[-*+]|\d+[.)]|\|)?\s*(?:\[[ xX]\]\s*)?[\s`"'(*[…]*$/;

/** Matches “`src/x.ts` (new)” and “| src/x.ts | create |”. */
const isCalledNew =
  /^[`"'*)\]]*\s*[*_]*(?:(?:[(:—–|,→-]|is|will be|to be)\s*)*\**(?:\+\s*)?(?:new\b|create[ds]?\b)/i;

/** Matches “`src/x.ts` (modify)” and “| src/x.ts | modify |”. */
const isCalledChanged = new RegExp(
  String.raw`^[…"'*)\]]*\s*[(:—–|→-][\s(*]*(?:${changeWords})[*\s]*(?:[)|:,]|$)`,
  'i',
);

const label = String.raw`^\W*(?:\d+[.)]\s*)?`;
/** Matches “New files”, “Files to create:” and “Add”, but not a heading about a change. */
const isListOfNew = new RegExp(
  String.raw`${label}(?:new|creat(?:e|ed|ing)|add(?:ed)?|introduces?)\b(?:\W+\w+){0,3}\W*$|\bto (?:create|be created|add|be added)\b`,
  'i',
);
const isListOfChanged = new RegExp(
  String.raw`${label}(?:(?:existing\s+)?(?:files?|code|functions?|helpers?)\s+)?(?:modif(?:y|ied)|changed?|updated?|edit(?:ed)?|extend(?:ed)?|re-?used?)(?:\s+(?:existing\s+)?(?:files?|code|functions?|helpers?))?\W*$|\bto (?:be )?(?:chang|modif|edit|updat|re-?use)`,
  'i',
);

/** Finds plain words that a line turns into a name: “a function called sort”, “a sort method”. */
export function madeWords({
  words,
  verbs,
}: Pick<WordsOfLine, 'words' | 'verbs'>): readonly string[] {
  return verbs.flatMap(({ kind, end }, index) => {
    if (kind !== 'make') return [];
    const part = words.slice(end, Math.min(end + nearby, verbs[index + 1]?.at ?? Infinity));
    return [...part.matchAll(madeThing)].flatMap(
      ({ 1: after, 2: before }) => after ?? before ?? [],
    );
  });
}

const thing =
  '(?:function|method|class|helper|field|property|option|type|interface|constant|component|hook|command|module|attribute|column|enum|struct|variable|member)';
const madeThing = new RegExp(
  String.raw`\b${thing}s?\s+(?:(?:called|named)\s+)?["'“]?(?!called|named|to|that|which|in|for|of)([A-Za-z_$][\w$]*)|\b([A-Za-z_$][\w$]*)\s+${thing}\b`,
  'gi',
);

/** True for an English text, by its commonest words and the verbs above; only then do the words count. */
export function isEnglish(text: string, verbCount: number): boolean {
  const letters = text.match(/\p{L}+/gu)?.join('').length ?? 0;
  const foreign = text.match(/[^\P{L}\p{sc=Latin}]+/gu)?.join('').length ?? 0;
  const words = text.match(/[A-Za-z]+/g)?.length ?? 0;
  const common = text.match(/\b(?:the|and|of|to|with|for|that|when|from|is|it)\b/g)?.length ?? 0;
  return foreign * 5 < letters && (common + verbCount) * 15 >= words;
}
