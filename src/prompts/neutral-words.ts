// Removes the names of agents, models and vendors from the prose of others.

/** Removes the names from a piece of another agent's prose. */
export type Neutral = (text: string) => string;

/**
 * Replaces the names of agents, models and vendors by "an agent", in any case and also inside a
 * model's name ("gemini-2.5-pro"). What must be exact is kept: paths, file names, identifiers, any
 * name that the task itself is about, and ordinary words.
 */
export function neutralWords(hide: readonly string[], task: string): Neutral {
  const subject = task.toLowerCase();
  const names = hide
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && !ordinary.has(name) && !subject.includes(name));
  const words = new Set(names.filter((name) => !name.includes(' ')));
  const phrases = names.filter((name) => name.includes(' ')).map(phrasePattern);
  return (text) =>
    phrases
      .reduce((shown, phrase) => shown.replace(phrase, stranger), text)
      .replace(/[\w@][\w@./-]*/g, (token) => neutralToken(token, words))
      .replaceAll(strangers, 'several agents');
}

const stranger = 'an agent';
/**
 * Words that people use as names of their own agents. They are kept: "an agent rule in an agent
 * place" would be meaningless, and "one" reveals nobody.
 */
const ordinary: ReadonlySet<string> = new Set(
  `agent agents another api auto best better big cheap cli client code coder default dev editor fast
  first five four free home judge large last local main mine mini model models my new next old one
  other others own planner prod remote review reviewer reader second server six slow small test tests
  third three two work writer`.split(/\s+/),
);
const strangers = /\ban agent(?:(?:, an agent)* and an agent|, an agent)\b/g;

function neutralToken(token: string, names: ReadonlySet<string>): string {
  let end = token.length;
  while ('./-'.includes(token.charAt(end - 1))) end -= 1;
  const word = token.slice(0, end).toLowerCase();
  return isName(word, names) ? stranger + token.slice(end) : token;
}

function isName(word: string, names: ReadonlySet<string>): boolean {
  if (names.has(word)) return true;
  if (word.includes('/')) return word.split('/').every((part) => names.has(part));
  const fileName = /\.[a-z]\w*$/.test(word);
  return !fileName && word.split('-').some((part) => names.has(part));
}

function phrasePattern(name: string): RegExp {
  return new RegExp(`\\b${name.replace(/[^\w\s]/g, '\\$&').replace(/\s+/g, '\\s+')}\\b`, 'gi');
}
