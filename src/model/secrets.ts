import { withoutTokens } from './token-forms.ts';

/**
 * The content of a file without what must not be sent on: private keys, tokens of known forms,
 * passwords in addresses, values of `.env` files, and random-looking values of names such as
 * `api_key`. Each becomes `[secret]`; names and line breaks stay, so that line numbers hold.
 */
export function redactedFile(path: string, content: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const bare = withoutTokens(content.replace(privateKeys, emptied));
  if (environmentFile.test(name)) return bare.replace(environmentLines, '$1[secret]');
  const named = bare.replace(quotedValues, redactedValue);
  return settingsFile.test(name) ? named.replace(plainValues, redactedValue) : named;
}

// Between the marks stands nothing but the key, quoted line by line at most; a program that only
// looks for the marks has other signs between them.
const privateKeys =
  /(-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----)((?:(?!-----)[\w\s+/=\\:,.()"'`-]){40,20000})(-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----)/g;

function emptied(_key: string, begin: string, body: string, end: string): string {
  return `${begin}[secret]${body.replaceAll(/[^\n]/g, '')}${end}`;
}

/** `.env`, `.env.local`, `prod.env`; those that are there to be copied hold no secrets. */
const environmentFile = /^(?:\.env(?!.*(?:example|sample|template|dist|defaults?)$).*|.+\.env)$/;
const environmentLines = /^(\s*(?:export\s+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*)(?!\s|#|$).*$/gm;

/** Files whose values need no quotes. */
const settingsFile =
  /\.(?:ini|cfg|conf|config|properties|toml|ya?ml|tfvars|env|sh|bash|zsh|npmrc|pypirc|netrc)$|^(?:\.npmrc|\.pypirc|\.netrc|credentials|dockerfile|.*\.?env\..*)$/;

const secretName =
  '[\\w.-]{0,40}(?:key|token|secret|passwd|password|passphrase|pwd|credentials?|auth)[\\w-]{0,20}';
const quotedValues = new RegExp(
  `((?<![\\w-])(${secretName})["'\`]?\\]?\\s{0,3}(?::\\s?[\\w<>|? ]{1,30}\\s?)?(?:=>|:=|[=:,(]|==)\\s{0,3}(?:new\\s\\w+\\()?(["'\`]))([^"'\`\\n\\s]{8,500})(?=\\3)`,
  'gi',
);
const plainValues = new RegExp(
  `((?<![\\w-])(${secretName})[ \\t]*(?:[=:][ \\t]*|[ \\t]))()([^\\s"'\`#]{8,500})`,
  'gi',
);

function redactedValue(
  whole: string,
  before: string,
  name: string,
  _quote: string,
  value: string,
): string {
  return isSecret(name, value) ? `${before}[secret]` : whole;
}

/** Random-looking for what its name promises: a password may be short, a key is long. */
function isSecret(name: string, value: string): boolean {
  if (isHarmless(value)) return false;
  if (/pass|pwd/i.test(name)) return classesOf(value) >= 3 && entropyOf(value) >= 2.7;
  return value.length >= 16 && isRandom(value);
}

// A placeholder, a reference to where the value really stands, a path, an address, an id.
function isHarmless(value: string): boolean {
  return (
    /[<>{}]|\$\(|\$[A-Za-z_]|%\w+%|^\[secret\]|\*{3}|\.{3}|x{4}|^(?:[a-z]+:)?\.{0,2}\/|:\/\//i.test(
      value,
    ) ||
    /example|placeholder|changeme|change-me|your[-_]|dummy|redacted|secret|password/i.test(value) ||
    /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value) ||
    /^(?:sha\d+|md5)[-:]/i.test(value) ||
    /0123456789|123456789|abcdefgh/i.test(value)
  );
}

/** Letters and digits mixed as no words are: digits inside, and no long run of plain words. */
function isRandom(value: string): boolean {
  if (!/^[\w+/=.~!@#%^&*-]+$/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) {
    return false;
  }
  if (/^(?:[0-9a-f]{32,}|[0-9A-F]{32,})$/.test(value)) return entropyOf(value) >= 3;
  const parts = value.split(/[^A-Za-z]+/).filter((part) => part !== '');
  const worded = parts.filter(isWorded);
  const inWords = worded.reduce((sum, part) => sum + part.length, 0);
  return entropyOf(value) >= 3.4 && inWords < value.length / 2;
}

/** `createdAtNoon` is made of words, `qZkMvX` is not. */
function isWorded(part: string): boolean {
  const words = part.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return part.length / words.length >= 3.5;
}

function classesOf(value: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(value)).length;
}

/** Bits a character, by how often each occurs. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / value.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
