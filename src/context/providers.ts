import type { ContextProvider } from './provider.ts';
import type { Repository } from './repository.ts';
import { ripgrepProvider } from './ripgrep.ts';
import { scanProvider } from './scan.ts';

const makers: Readonly<Record<string, (repository: Repository) => ContextProvider>> = {
  ripgrep: ripgrepProvider,
  scan: scanProvider,
};

/** The providers of these names in this order. Names are checked by the configuration’s shape. */
export function contextProviders(
  names: readonly string[],
  repository: Repository,
): readonly ContextProvider[] {
  return names.map((name) => {
    const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
    if (make === undefined) throw new Error(`There is no context provider "${name}".`);
    return make(repository);
  });
}
