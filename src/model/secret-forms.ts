// Lists the forms of keys and tokens that services issue, and the contexts that reveal other secrets.

/**
 * Forms of keys and tokens that services issue, each with a mark that makes it unmistakable. The
 * names on the left are for readers.
 */
export const forms = {
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
export const places = [
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
export const placeSigns =
  'mysql|mariadb|value=|pass =|pass=|pass2|E\t/|"d"|"p"|"q"|"dp"|"dq"|"qi"|earer |asic |://|ccess|CCESS|curl |:5|:6432:|:*:|machine|assword=|wd=|assword>|assphrase>|ecret>|sig=|-H '.split(
    '|',
  );
