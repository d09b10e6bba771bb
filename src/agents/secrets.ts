/**
 * Takes out of a text what must not reach a log or a screen: the values of secret variables, and
 * what has the form of a well-known token. What stood there is named.
 */
export function withoutSecrets(text: string, environment: NodeJS.ProcessEnv): string {
  let safe = text;
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && value.length >= 8 && secretName.test(name)) {
      safe = safe.replaceAll(value, `[${name}]`);
    }
  }
  return safe.replace(tokenForms, '[secret]');
}

const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|_PAT$/i;

const tokenForms = new RegExp(
  [
    '\\bsk-[\\w-]{16,}',
    '\\bgh[oprsu]_\\w{20,}|\\bgithub_pat_\\w{20,}|\\bglpat-[\\w-]{16,}',
    '\\bAIza[\\w-]{30,}|\\bya29\\.[\\w-]{20,}',
    '\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b',
    '\\bxox[abeoprs]-[\\w-]{10,}|\\bhf_\\w{20,}|\\bnpm_\\w{30,}|\\br8_\\w{20,}|\\bxai-\\w{20,}',
    '\\beyJ[\\w-]{10,}\\.[\\w-]{10,}\\.[\\w-]{5,}',
    '(?<=\\bbearer )[\\w.~+/-]{16,}=*',
    '(?<=://[^/\\s:@]{1,64}:)[^/\\s@]{4,}(?=@)',
  ].join('|'),
  'gi',
);
