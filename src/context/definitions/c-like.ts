/** What a definition looks like in Java and its relatives. */

const annotations = '(?:@\\w+(?:\\([^)]*\\))?\\s+)*';
const type = '[\\w<>\\[\\],.?]+';
/** Statements that look like a method with a type: `return find(x);` */
const notTypes = 'return throw new else await yield case assert goto in import package using';
const noType = `(?!(?:${notTypes.replaceAll(' ', '|')})\\b)`;
const javaModifiers =
  '(?:(?:public|private|protected|static|final|abstract|sealed|non-sealed|synchronized|default|native|strictfp|transient|volatile)\\s+)';
export const java: readonly RegExp[] = [
  new RegExp(
    `^\\s*${annotations}${javaModifiers}*(?:class|interface|enum|record|trait|@interface)\\s+(\\w+)`,
  ),
  new RegExp(`^\\s*${annotations}${javaModifiers}+[\\w<>\\[\\],.?& ]+? (\\w+)\\s*\\(`),
  new RegExp(`^\\s*${annotations}${javaModifiers}+${type} ([A-Z][A-Z\\d_]+)\\s*[=;]`),
  new RegExp(`^\\s+${noType}${type} (\\w+)\\s*\\([^"=]*[,;{)(]\\s*$`),
  /^\s*(?:static\s+)?def\s+(\w+)\s*\(/,
];

const csharpModifiers =
  '(?:(?:public|private|protected|internal|static|sealed|abstract|override|virtual|async|partial|readonly|const|unsafe|extern|new|file|required|volatile|ref|event)\\s+)';
export const csharp: readonly RegExp[] = [
  /^\s*namespace\s+([\w.]+)/,
  new RegExp(
    `^\\s*${csharpModifiers}*(?:class|interface|enum|struct|record(?:\\s+(?:class|struct))?)\\s+(\\w+)`,
  ),
  new RegExp(`^\\s*${csharpModifiers}*delegate\\s+${type} (\\w+)`),
  new RegExp(`^\\s*${csharpModifiers}+[\\w<>\\[\\],.? ]+? (\\w+)\\s*(?:<[^>]*>\\s*)?(?:\\(|\\{|=)`),
  new RegExp(`^\\s+${noType}${type} (\\w+)\\s*(?:<[^>]*>\\s*)?\\([^"=]*[,;{)(]\\s*$`),
];

const kotlinModifiers =
  '(?:(?:public|private|protected|internal|final|abstract|sealed|data|open|override|enum|annotation|value|inner|inline|companion|suspend|operator|infix|tailrec|external|lateinit|const|expect|actual|fun(?=\\s+interface))\\s+)';
export const kotlin: readonly RegExp[] = [
  new RegExp(
    `^\\s*${annotations}${kotlinModifiers}*(?:class|interface|object|typealias)\\s+(\\w+)`,
  ),
  new RegExp(
    `^\\s*${annotations}${kotlinModifiers}*fun\\s+(?:<[^(]*>\\s*)?(?:[\\w<>,?* ]+\\.)*(\\w+|\`[^\`]+\`)\\s*\\(`,
  ),
  new RegExp(`^(?:\\s*${annotations}${kotlinModifiers}+)?(?:val|var)\\s+(?:[\\w<>,?]+\\.)?(\\w+)`),
];

const scalaModifiers =
  '(?:(?:private(?:\\[\\w+\\])?|protected(?:\\[\\w+\\])?|override|final|sealed|abstract|implicit|lazy|case|inline|transparent|opaque|open|infix)\\s+)';
const receiver = 'extension\\s*(?:\\[[^\\]]*\\]\\s*)?\\(\\s*\\w+\\s*:\\s*';
export const scala: readonly RegExp[] = [
  new RegExp(
    `^\\s*${annotations}${scalaModifiers}*(?:package\\s+object|class|object|trait|enum|type)\\s+(\\w+)`,
  ),
  new RegExp(
    `^\\s*(?:${receiver}[^)]*\\)\\s*)?${annotations}${scalaModifiers}*def\\s+(\`[^\`]+\`|[^\\s(\\[:=]+)`,
  ),
  new RegExp(`^(?: {0,2}|\\s*${scalaModifiers}+)(?:val|var)\\s+(\\w+)\\s*[:=]`),
  /^\s*(?:inline\s+)?given\s+(\w+)(?:\[[^\]]*\])?\s*(?:\([^)]*\)\s*)*:/,
  // An extension has no name of its own: what it extends stands for it.
  new RegExp(`^\\s*${receiver}(\\w+)`),
];
