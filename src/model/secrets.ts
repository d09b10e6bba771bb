// Removes secrets from the content of a file, by the forms of keys that services issue.
/**
 * Forms of keys and tokens that services issue, each with a mark that makes it unmistakable. The
 * names on the left are for readers.
 */
const forms = {
  openai: 'sk-(?=[\\w-]*\\d)[\\w-]{16,}',
  groq: 'gsk_\\w{40,}',
  perplexity: 'pplx-\\w{40,}',
  xai: 'xai-\\w{20,}',
  huggingFace: 'hf_\\w{20,}',
  replicate: 'r8_\\w{20,}',
  langsmith: 'lsv2_(?:pt|sk)_[0-9a-f]{32}\\w*',
  github: 'gh[oprsu]_\\w{20,}|github_pat_\\w{20,}',
  gitlab: 'gl(?:pat|dt|rt|cbt|ptt|oas|soat|ft|imt|agent)-[\\w-]{16,}',
  bitbucket: 'ATBB\\w{28,}',
  atlassian: 'ATATT3[\\w=-]{60,}',
  google: 'AIza[\\w-]{30,}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,}|1//0[\\w-]{30,}',
  aws: '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\\b',
  azure: '(?<=(?:AccountKey|SharedAccessKey)=)[\\w+/]{40,}={0,2}',
  digitalOcean: 'do[opr]_v1_[0-9a-f]{40,}',
  fly: 'fo1_[\\w-]{40,}',
  heroku: 'HRKU-[\\w-]{36,}',
  cloudflare: 'v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,}',
  slack:
    'xox[abeoprs]-[\\w-]{10,}|xapp-\\d-[\\w-]{20,}|(?<=hooks\\.slack\\.com/services/)[\\w/]{30,}',
  discord: '[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}|(?<=/api/webhooks/\\d{10,20}/)[\\w-]{40,}',
  telegram: '\\d{8,10}:AA[\\w-]{32,}',
  stripe: '[rs]k_(?:live|test)_\\w{16,}|whsec_[\\w+/]{24,}={0,2}',
  square: 'sq0(?:atp|csp)-[\\w-]{20,}',
  shopify: 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}',
  twilio: 'SK[0-9a-f]{32}\\b',
  sendgrid: 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  mailgun: 'key-[0-9a-f]{32}\\b',
  mailchimp: '[0-9a-f]{32}-us\\d{1,2}\\b',
  npm: 'npm_\\w{30,}',
  pypi: 'pypi-AgE[\\w-]{40,}',
  rubygems: 'rubygems_[0-9a-f]{48}',
  docker: 'dckr_pat_[\\w-]{20,}',
  terraform: '\\w{14}\\.atlasv1\\.[\\w-]{50,}',
  vault: 'hv[bsr]\\.[\\w-]{20,}',
  doppler: 'dp\\.(?:ct|pt|sa|scim|st)\\.[\\w.]{40,}',
  pulumi: 'pul-[0-9a-f]{40}',
  tailscale: 'tskey-[a-z]+-\\w{10,}-?\\w*',
  databricks: 'dapi[0-9a-f]{32}',
  supabase: 'sbp_[0-9a-f]{40}',
  planetscale: 'pscale_(?:oauth|pw|tkn)_[\\w-]{30,}',
  sentry: 'sntry[su]_[\\w+/=]{40,}',
  grafana: 'glsa_\\w{32}_[0-9a-f]{8}|glc_[\\w+/]{32,}={0,2}',
  newRelic: 'NRAK-[A-Z0-9]{27}',
  postman: 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
  linear: 'lin_(?:api|oauth)_\\w{32,}',
  notion: 'ntn_\\w{40,}|secret_(?=\\w*\\d)(?=\\w*[A-Z])\\w{40,}',
  airtable: 'pat\\w{14}\\.[0-9a-f]{64}',
  figma: 'figd_[\\w-]{36,}',
  buildkite: 'bkua_[0-9a-f]{40}',
  onePassword: 'ops_eyJ[\\w-]{40,}',
  age: 'AGE-SECRET-KEY-1[A-Z0-9]{50,}',
  facebook: 'EAA[A-Z](?=\\w*\\d)\\w{60,}',
  /** A private key in base64, as in a kubeconfig. */
  encodedKey: 'LS0tLS1CRUdJTi(?!BDRVJ|BQVUJ)[\\w+/]{40,}={0,2}',
  webToken: 'eyJ[\\w-]{10,}\\.[\\w-]{10,}\\.[\\w-]{5,}',
} as const;

/** Contexts that reveal a secret without a known prefix. */
const places = [
  '(?<=\\b[Bb]earer )(?=[\\w.~+/-]*\\d)[\\w.~+/-]{16,}=*',
  '(?<=\\b[Aa]uthorization["\']?: ?["\']?[Bb]asic )[\\w+/]{12,}=*',
  '(?<=(?:[Ss]ecret_?[Aa]ccess_?[Kk]ey|SECRET_ACCESS_KEY)["\']?[ \\t]{0,8}[=:][ \\t]{0,8}["\']?)[\\w+/]{40}(?![\\w+/])',
  '(?<=\\bcurl [^\\n]{0,200}(?:-u|--user)[ =]?["\']?[^\\s:"\']{1,64}:)[^\\s$<{"\']{4,}',
  '(?<=(?:^|[\\s"\'`])[\\w.*-]+:(?:5\\d{3}|6432|\\*):(?!\\d+:)[^:\\s]+:[^:\\s]+:)[^:\\s"\'`]+(?=[\\s"\'`]|$)',
  '(?<=\\b(?:mysql|mariadb)[\\w-]*[ \\t](?:[^\\n|;&]{0,200}[ \\t])?-p["\']?)[^\\s$<{"\'=][^\\s$<{"\']{3,}',
  '(?<=\\bkey=["\'][\\w.-]{0,40}(?:[Pp]assword|[Ss]ecret|[Tt]oken|[Aa]pi_?[Kk]ey)["\']\\s{1,20}value=["\'])(?!true|false|[Pp]assword)[^\\s"\'$<{%]{4,}',
  '(?<=(?:^|\\n)[ \\t]{0,8}pass2?[ \\t]{0,8}=[ \\t]{0,8})(?=[\\w+/-]*\\d)[\\w+/-]{20,}={0,2}(?=\\s|$)',
  '(?<=(?:^|\\n)[\\w.#-]+\\t(?:TRUE|FALSE)\\t/[^\\t\\n]*\\t(?:TRUE|FALSE)\\t\\d+\\t[^\\t\\n]+\\t)[^\\s]{4,}',
  '(?<="(?:d|p|q|dp|dq|qi)"\\s?:\\s?")[\\w-]{43,}(?=")',
  '(?<=\\bmachine\\s{1,20}\\S{1,200}\\s{1,20}login\\s{1,20}\\S{1,200}\\s{1,20}password\\s{1,20})\\S+',
  '(?<=;\\s?(?:[Pp]assword|[Pp]wd)=)(?![Pp]assword)[^\\s;$<{"\']{4,}(?=[;"\'\\s]|$)',
  '(?<=<(?:[\\w.-]*[Pp]assword|[\\w.-]*[Pp]assphrase|[\\w.-]*[Ss]ecret)>)[^\\s$<{]{4,}(?=<)',
  '(?<=[?&]sig=)[\\w%+/=-]{30,}',
  '(?<=-H ["\'][\\w-]{0,40}(?:[Kk]ey|[Tt]oken): ?)(?=[\\w+/=.-]*\\d)[\\w+/=.-]{16,}',
  '(?<=://[^/\\s:@"\'`<>$\\{]{1,64}:)(?!(?:pass(?:phrase|wd|word)?|pwd|secret|token|\\*+)@)(?![^/\\s@]*[$\\{<])[^/\\s@"\'`]{4,}(?=@)',
];

/** Texts of which each of these contexts contains at least one. */
const placeSigns =
  'mysql|mariadb|value=|pass =|pass=|pass2|E\t/|"d"|"p"|"q"|"dp"|"dq"|"qi"|earer |asic |://|ccess|CCESS|curl |machine|assword=|wd=|assword>|assphrase>|ecret>|sig=|-H '.split(
    '|',
  );

/**
 * Removes from a file’s content what must not be sent: private keys, tokens of known forms,
 * passwords in addresses, values of `.env` files, all lines of login files, and random-looking
 * values of names such as `api_key`. Each becomes `[secret]`; names and line breaks stay, so that
 * line numbers hold.
 */
export function redactFile(path: string, content: string): string {
  if (secretFile.test(path)) return content.replaceAll(/\S.*/g, '[secret]');
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const bare = redactTokens(content);
  if (environmentFile.test(name)) return bare.replace(environmentLines, '$1[secret]');
  const named = bare.replace(quotedValues, redactedValue).replace(setVariables, redactedValue);
  return settingsFile.test(name) ? named.replace(plainValues, redactedValue) : named;
}

/**
 * Removes from a program’s output what must not be kept: the same as in a file, and the values of
 * settings that it lists, such as `API_KEY=…`.
 */
export function redactOutput(text: string): string {
  return redactTokens(text)
    .replace(quotedValues, redactedValue)
    .replace(listedValues, redactedValue);
}

/** Files that contain only logins, or what a user typed: none of their lines is kept. */
const secretFile =
  /(?:^|\/)(?:\.(?:pgpass|authinfo|git-credentials|htpasswd|vault-token|s3cfg|boto|dockercfg|zhistory|histfile|\w+_history)|[._]netrc|\.?my\.cnf|(?:fish|consolehost)_history(?:\.txt)?|\.aws\/credentials|\.kube\/config[\w.-]*|[\w.-]*kubeconfig|[\w.-]+\.ppk|\.docker\/config\.json|\.config\/containers\/auth\.json|rclone\.conf|cookies\.txt|shadow)$/i;

/** Matches `.env`, `.env.local`, `prod.env`; templates for such files contain no secrets. */
const environmentFile = /^(?:\.env(?!.*(?:example|sample|template|dist|defaults?)$).*|.+\.env)$/;
const environmentLines = /^(\s*(?:export\s+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*)(?!\s|#|$).*$/gm;

/** Files whose values need no quotes. */
const settingsFile =
  /\.(?:ini|cfg|conf|config|properties|toml|ya?ml|tfvars|env|sh|bash|zsh|npmrc|pypirc|netrc)$|^(?:\.npmrc|\.pypirc|\.netrc|credentials|dockerfile|.*\.?env\..*)$/;

const secretName =
  '[\\w.-]{0,40}(?:key|token|secret|passwd|password|passphrase|_pass|pwd|credentials?|auth)[\\w-]{0,20}';
const quotedValues = new RegExp(
  `((?<![\\w-])(${secretName})["'\`]?\\]?\\s{0,3}(?::\\s?[\\w<>|? ]{1,30}\\s?)?(?:=>|:=|[=:,(]|==)\\s{0,3}(?:new\\s\\w+\\()?(["'\`]))([^"'\`\\n\\s]{8,500})(?=\\3)`,
  'gi',
);
const plainValues = new RegExp(
  `((?<![\\w-])(${secretName})[ \\t]*(?:[=:][ \\t]*|[ \\t]))()([^\\s"'\`#]{8,500})`,
  'gi',
);

const listedValues = new RegExp(
  `((?<![\\w-])(${secretName})[ \\t]*[=:][ \\t]*)()([^\\s"'\`#]{8,500})`,
  'gi',
);

/**
 * An environment variable as a shell sets it: matched in any file, because people note such lines
 * anywhere.
 */
const setVariables =
  /((?<![\w-])([A-Z][A-Z\d_]{0,40}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|_PASS|PWD|AUTH)[A-Z\d_]{0,20})=)()([^\s"'`#]{8,500})/g;

function redactedValue(
  whole: string,
  before: string,
  name: string,
  _quote: string,
  value: string,
): string {
  return isSecret(name, value) ? `${before}[secret]` : whole;
}

/** True for a value that looks random enough for its name: a password may be short, a key is long. */
function isSecret(name: string, value: string): boolean {
  if (isHarmless(value)) return false;
  // A name in capitals is an environment variable, which is rarely an example in code.
  if (/pass|pwd/i.test(name)) return classesOf(value) >= (/[a-z]/.test(name) ? 3 : 2);
  if (/auth$/i.test(name) && isLogin(value)) return true;
  return value.length >= 16 && isRandom(value);
}

/** True for `user:password` in base64. */
function isLogin(value: string): boolean {
  return /^[\w.@-]+:[ -~]+$/.test(Buffer.from(value, 'base64').toString('latin1'));
}

// True for a placeholder, a reference to where the value really is, a path, an address or an id.
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

/** True for letters and digits mixed unlike words: digits inside, and no long run of plain words. */
function isRandom(value: string): boolean {
  if (!/^[\w+/=.~!@#%^&*-]+$/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) {
    return false;
  }
  const parts = value.split(/[^A-Za-z]+/).filter((part) => part !== '');
  const worded = parts.filter(isWorded);
  const inWords = worded.reduce((sum, part) => sum + part.length, 0);
  return inWords < value.length / 2;
}

/** True for text made of words: `createdAtNoon` is, `qZkMvX` is not. */
function isWorded(part: string): boolean {
  const words = part.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return part.length / words.length >= 3.5;
}

function classesOf(value: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(value)).length;
}

const anyForm = `(?:${Object.values(forms).join('|')})`;
const inForm = new RegExp(`(?<![\\w-])${anyForm}`);
// In JSON, an escaped line end before a token looks like a letter.
const form = `(?:(?<![\\w-])|(?<=\\\\(?:[bfnrt]|u[\\da-fA-F]{4})))${anyForm}`;
const afterEscape = new RegExp(form);
const known = new RegExp([form, ...places].join('|'), 'g');

/** Replaces private keys and every token of a known form by `[secret]`. Line breaks stay. */
export function redactTokens(text: string): string {
  const bare = text.includes(keyMark) ? withoutPrivateKeys(text) : text;
  return mayHoldToken(bare) ? bare.replace(known, '[secret]') : bare;
}

const keyMark = 'PRIVATE KEY';
const begin = '-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----';
const end = '-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----';
const gap = '(?:\\s|\\\\+[rnt])+';

// There is nothing between the marks but the key, quoted line by line at most; a program that only
// looks for the marks has other characters between them.
const wholeKeys = new RegExp(
  `(${begin})((?:(?!-----)[\\w\\s+/=\\\\:,.()"'\`-]){40,20000})(${end})`,
  'g',
);
/** A key whose end is cut off: its lines, the last of which may be torn. */
const openKeys = new RegExp(
  `(${begin})((?:${gap}(?:[\\w+/=]{16,}|[A-Z][\\w-]+: [^\\n\\\\]{1,80})){1,400}(?:${gap}[\\w+/=]*$)?)`,
  'g',
);

function withoutPrivateKeys(text: string): string {
  const closed = text.replace(wholeKeys, emptied).replace(openKeys, emptied);
  const ends = [...closed.matchAll(new RegExp(end, 'g'))];
  return ends.reduceRight((rest, { index }) => withoutKeyBefore(rest, index), closed);
}

function emptied(_key: string, begins: string, body: string, ends: unknown): string {
  const after = typeof ends === 'string' ? ends : '';
  return `${begins}[secret]${body.replaceAll(/[^\n]/g, '')}${after}`;
}

/** Removes the lines before the end mark of a key whose beginning is cut off. */
function withoutKeyBefore(text: string, at: number): string {
  const words = [
    ...text.slice(Math.max(0, at - longestKey), at).matchAll(/[^\s\\]+|\\+[rnt]|\s+/g),
  ];
  const parts = words.map(([word]) => word);
  const isPart = (word: string, index: number) =>
    /^(?:\s+|\\+[rnt])$/.test(word) || /^[\w+/=]{16,}$/.test(word) || index === parts.length - 2;
  const first = parts.findLastIndex((word, index) => !isPart(word, index)) + 1;
  const body = parts.slice(first).join('').trimStart();
  if (body.length < 40) return text;
  return `${text.slice(0, at - body.length)}[secret]${body.replaceAll(/[^\n]/g, '')}${text.slice(at)}`;
}

const longestKey = 20_000;

/** Matches the port of a database among the fields of a login; a port of a JSON number has no colon after it. */
const portSign = /[\w.*-]:(?:5\d{3}|6432|\*):/;

/**
 * Tests quickly for possible tokens: every agent event is checked and hardly one has any; this is
 * ten times as fast.
 */
function mayHoldToken(text: string): boolean {
  return placeSigns.some((sign) => text.includes(sign)) || portSign.test(text) || hasForm(text);
}

/** Looks only into unbroken runs of token characters, because every token is one such run. */
function hasForm(text: string): boolean {
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (tokenSigns[text.charCodeAt(at)] === 1) continue;
    if (at - start >= shortest && isForm(text, start, at)) return true;
    start = at + 1;
  }
  return text.length - start >= shortest && isForm(text, start, text.length);
}

function isForm(text: string, start: number, ends: number): boolean {
  return text.charAt(start - 1) === '\\'
    ? afterEscape.test(text.slice(start - 1, ends))
    : inForm.test(text.slice(start, ends));
}

/** The length of the shortest token of a known form. */
const shortest = 15;
const tokenSigns = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.:/+=-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
