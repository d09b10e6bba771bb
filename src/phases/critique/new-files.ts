// Tells from the words around a path whether a plan makes that file new.

/** A path in a line of a plan. */
interface PathWords {
  readonly line: string;
  /** As of `plainWords`. */
  readonly words: string;
  /** The heading, or the line with a colon, that it stands under. */
  readonly heading: string;
  /** Index in the line, and the one behind it. */
  readonly start: number;
  readonly end: number;
}

/** Says if a plan makes the file, if it perhaps does, as a task of spec-kit, and if the file has to be there. */
export function readFileWords({ line, words, heading, start, end }: PathWords) {
  const before = sentenceBefore(words, start);
  const verb = lastVerb(before);
  const [, next = ''] = nextToPath.exec(before) ?? [];
  const isCalled = isCalledNew.test(line.slice(end, end + nearby).replace(linkAfter, ''));
  const isThing = verb === 'add' && isAddedTo.test(before);
  const isOther = verb === 'change' || isThing || (verb !== null && isReference.test(next));
  return {
    isMade: isCalled || (!isOther && saysMade(verb, { next, heading })),
    mayBeMade: isNumberedTask.test(line) && verb !== 'change' && !isReference.test(next),
    isChanged: verb === 'change' || isThing || (verb === null && isListOfChanged.test(heading)),
  };
}

function saysMade(
  verb: Verb | null,
  { next, heading }: { readonly next: string; readonly heading: string },
): boolean {
  if (verb === null) return isListOfNew.test(heading);
  // “Add a flag to X” may be about a file that is there; “create a model in X” is not.
  return verb === 'create' || (verb === 'move') === isPlace.test(next);
}

/** True where a line makes the folder that stands at an index of it. */
export function makesFolder(words: string, start: number): boolean {
  const verb = lastVerb(sentenceBefore(words, start));
  return verb === 'create' || verb === 'add';
}

/** A line, as long as it is, without what is quoted: a path may contain a verb. */
export function plainWords(line: string): string {
  return line.replaceAll(/`[^`]*`|(?<![\w@.+~/-])[\w@.+~/-]+/g, (one) =>
    /^`|\w[/.]\w/.test(one) ? '…'.repeat(one.length) : one,
  );
}

/** In characters: no verb stands further from the path that it is about. */
const nearby = 250;

/** The last sentence before a path, and before the text of the link that the path may belong to. */
function sentenceBefore(words: string, start: number): string {
  const before = words.slice(Math.max(0, start - nearby), start);
  const sentence = before.split(/[.;!?]\s|[。；！？]/).at(-1) ?? '';
  return sentence.replace(/…?$/, '').replace(/\[[^[\]]*\]\($/, '');
}

const linkAfter = /^`?\]\(\S*\)/;
const isNumberedTask = /^\s*[-*]\s+\[[ xX]\]\s+T\d+\b/;

type Verb = 'create' | 'add' | 'move' | 'change';

/** The first verb of the last part that has one: “create a helper to read X” creates. */
function lastVerb(words: string): Verb | null {
  const parts = words.split(/,|，|、|\b(?:and|then|und|dann)\b/).toReversed();
  for (const part of parts) {
    for (const [word] of part.matchAll(
      /[A-Za-zäöü]+|[新创添实修更删移重][建增加创现改新除动命]/gi,
    )) {
      const [verb] = verbs.find(([, form]) => form.test(word)) ?? [];
      if (verb !== undefined) return verb;
    }
  }
  return null;
}

const verbs: readonly (readonly [verb: Verb, form: RegExp])[] = [
  [
    'create',
    /^(?:creat\w*|generat\w*|writ(?:e|es|ing)|scaffold\w*|anleg\w*|erstell\w*|新建|创建)$/i,
  ],
  ['add', /^(?:add(?:s|ed|ing)?|new|introduc\w*|implement\w*|neu\w*|新增|添加|实现)$/i],
  ['move', /^(?:mov(?:e|es|ing)|extract\w*|renam\w*|split\w*|cop(?:y|ies|ying)|移动|重命)$/i],
  [
    'change',
    /^(?:modif(?:y|ies|ied|ying)|(?:chang|updat|delet|remov)(?:e|es|ed|ing)|(?:edit|extend|refactor|read)(?:s|ed|ing)?|fix(?:es|ed|ing)?|see|änder\w*|lösch\w*|修改|更新|更改|删除)$/i,
  ],
];

/** The word that a path follows, before an article. */
const nextToPath = /([A-Za-zäöü]+|[在到])\s*(?:(?:the|a|an|our|file|module|new)\s+)*[\s`"'(*[]*$/i;
const isReference =
  /^(?:for|from|like|see|of|as|than|unlike|with|by|using|via|per|following|existing|reads?|imports?|von|wie|aus|für)$/i;
const isPlace = /^(?:in|to|into|at|inside|within|under|im|nach|在|到)$/i;
/** “Add a flag to the parser (src/x.ts)”: the parser is there. */
const isAddedTo = /\bto\s+(?:the|our|its)\s+(?:(?!new\b)[\w-]+\s+){1,3}\($/i;

/** “`src/x.ts` (new)”, “| src/x.ts | create |”, “`src/x.ts` 中新建…”. */
const isCalledNew =
  /^[`"'*)\]]*\s*(?:(?:[(:—–|,→-]|is|will be|to be)\s*)*\**(?:new\b|create[ds]?\b|neu\b|新)|^`?\s*[中里]?(?:新建|创建)/i;

/** “New files”, “Files to create:”; a heading about a change is none. */
const isListOfNew =
  /^\W*(?:\d+[.)]\s*)?(?:new|create|创建|新建|neue?)\b|\bto (?:create|be created|add)\b|新(?:增|建)(?:的)?文件/i;
const isListOfChanged = /\bto (?:be )?(?:chang|modif|edit|updat)/i;
