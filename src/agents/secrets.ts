import { withoutTokens } from '../model/token-forms.ts';

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
  return withoutTokens(safe);
}

const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|_PAT$/i;
