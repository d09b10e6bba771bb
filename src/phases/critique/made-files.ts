// Tells from the words around a path whether a plan makes that file new.

/** The words around a path. */
interface PathContext {
  /** Of the same line. */
  readonly before: string;
  readonly after: string;
  /** The heading, or the line with a colon, that it stands under. */
  readonly heading: string;
}

/** True where the plan says that it makes the file. */
export function isMadeFile({ before, after, heading }: PathContext): boolean {
  const words = plainWords(before);
  const verb = lastVerb(words);
  if (verb === null) return isCalledNew.test(after) || isListOfNew.test(heading);
  const [, next = ''] = nextToPath.exec(words) ?? [];
  if (isReference.test(next) || verb === 'change') return isCalledNew.test(after);
  const isInside = isPlace.test(next);
  if (verb === 'move') return isInside;
  // “Add a flag to X” may be about a file that is there; “create a model in X” is not.
  return verb === 'create' || !isInside || isCalledNew.test(after);
}

/** True where the plan changes the file, so that it has to be there. */
export function isChangedFile({ before, heading }: Omit<PathContext, 'after'>): boolean {
  const verb = lastVerb(plainWords(before));
  return verb === 'change' || (verb === null && isListOfChanged.test(heading));
}

/** A task of spec-kit names the file that it ends with, mostly without a verb. */
export function isTaskFile(line: string, before: string): boolean {
  const words = plainWords(before);
  const [, next = ''] = nextToPath.exec(words) ?? [];
  return isNumberedTask.test(line) && lastVerb(words) !== 'change' && !isReference.test(next);
}

/** The folders that a line makes. */
export function foldersMadeIn(line: string): readonly string[] {
  return [...line.matchAll(folderPattern)].flatMap((match) => {
    const [, folder = ''] = match;
    const verb = lastVerb(plainWords(line.slice(0, match.index)));
    return verb === 'create' || verb === 'add' ? [folder.replace(/^\.\//, '')] : [];
  });
}

const isNumberedTask = /^\s*[-*]\s+\[[ xX]\]\s+T\d+\b/;
const folderPattern = /(?<![\w/.@-])((?:[\w@.+~-]+\/)+)(?![\w@+~<[{-]|\.\w)/g;

/** The last sentence, without what is quoted: a path may contain a verb. */
function plainWords(before: string): string {
  const words = before.replaceAll(/`[^`]*`|\S*\w[/.]\w\S*/g, ' … ');
  return words.split(/[.;!?]\s|[。；！？]/).at(-1) ?? '';
}

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

/** “`src/x.ts` (new)”, “| src/x.ts | create |”, “`src/x.ts` 中新建…”. */
const isCalledNew =
  /^[`"'*)\]]*\s*(?:(?:[(:—–|,→-]|is|will be|to be)\s*)*\**(?:new\b|create[ds]?\b|neu\b|新)|^`?\s*[中里]?(?:新建|创建)/i;

/** “New files”, “Files to create:”; a heading about a change is none. */
const isListOfNew =
  /^\W*(?:\d+[.)]\s*)?(?:new|create|创建|新建|neue?)\b|\bto (?:create|be created|add)\b|新(?:增|建)(?:的)?文件/i;
const isListOfChanged = /\bto (?:be )?(?:chang|modif|edit|updat)/i;
