import { join } from 'node:path';
import { isObject, jsonIn } from '../model/json.ts';
import { isString } from './adapter-parts.ts';
import type { LoginState, UserSide } from './agent.ts';
import { ownProviders, usualModel } from './opencode-settings.ts';

/** The names of the variables that the provider that is asked reads, and those of the user’s settings. */
export function keysOf(user: UserSide): readonly string[] {
  const own = ownProviders(user);
  return providersFor(user.model ?? usualModel(user), user).flatMap((id) => {
    const settings = own[id];
    const named = isObject(settings) && Array.isArray(settings['env']) ? settings['env'] : [];
    const inText = JSON.stringify(settings ?? '').matchAll(/\{env:(\w+)\}/g);
    return [
      ...keysByName(id),
      ...named.filter(isString),
      ...Array.from(inText, ([, name = '']) => name),
    ];
  });
}

// Of the 225 providers that it knows, nearly all name their variables after themselves.
function keysByName(provider: string): readonly string[] {
  const other = otherKeys.find(([name]) => name.test(provider));
  const [first = ''] = provider.split(/\W/);
  return other === undefined ? [`${first.toUpperCase()}_*`] : other[1];
}

const otherKeys: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^google$/, ['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY']],
  [/^google-vertex/, ['GOOGLE_*', 'VERTEX_*']],
  [/^amazon-bedrock$/, ['AWS_*']],
  // Its login is opencode’s own. The token of that name is for other things.
  [/^github-copilot/, []],
  // What it would run in, or load, is not for the user’s shell to say.
  [/^opencode/, ['OPENCODE_API_KEY']],
  [/^huggingface$/, ['HF_TOKEN']],
  [/^vercel$/, ['AI_GATEWAY_API_KEY', 'VERCEL_OIDC_TOKEN']],
  [/^moonshotai/, ['MOONSHOT_API_KEY']],
  [/^(?:zai|zhipuai)/, ['ZHIPU_API_KEY']],
  [/^togetherai$/, ['TOGETHER_API_KEY']],
  [/^alibaba(?:-cn)?$/, ['DASHSCOPE_API_KEY']],
  [/^volcengine/, ['ARK_*']],
  [/^sap-ai-core$/, ['AICORE_*']],
];

/**
 * What is there tells it: its own file of logins, the keys of the provider that is asked, and the
 * user’s settings. A provider that takes the login of a cloud’s own tools is unknown.
 */
export function opencodeLogin(user: UserSide): LoginState {
  const model = user.model ?? usualModel(user);
  const logins = storedLogins(user);
  if (model === null) {
    if (logins.length > 0) return { state: 'stored' };
    if (Object.keys(ownProviders(user)).length > 0) return { state: 'unknown' };
    return { state: 'logged-out', why: 'no model is chosen in it, and no provider is logged in' };
  }
  const provider = providerOf(model);
  const keys = keysByName(provider).map((name) => name.replace('*', ''));
  const hasKey = Object.keys(user.environment).some((name) =>
    keys.some((key) => name.startsWith(key)),
  );
  if (logins.includes(provider) || hasKey) return { state: 'stored' };
  const mayBeElsewhere = /^(?:opencode|amazon-bedrock|google-vertex|azure|sap-ai-core)/.test(
    provider,
  );
  return mayBeElsewhere || provider in ownProviders(user)
    ? { state: 'unknown' }
    : { state: 'logged-out', why: `it has neither a login nor a key for ${provider}` };
}

/** Who may be asked: the provider of the model, and where none is chosen, those of the user. */
export function providersFor(model: string | null, user: UserSide): readonly string[] {
  if (model !== null) return [providerOf(model)];
  return [...new Set([...storedLogins(user), ...Object.keys(ownProviders(user))])];
}

/** The provider in a model’s name, `provider/model`. */
function providerOf(model: string): string {
  return model.split('/')[0] ?? '';
}

function storedLogins(user: UserSide): readonly string[] {
  const { XDG_DATA_HOME: data, OPENCODE_AUTH_CONTENT: given } = user.environment;
  const file = join(data || join(user.home, '.local/share'), 'opencode/auth.json');
  const logins = jsonIn(given || (user.read(file) ?? ''));
  return isObject(logins) ? Object.keys(logins) : [];
}
