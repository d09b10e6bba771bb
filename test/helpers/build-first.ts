import { builtCli } from './built.ts';

/** Builds the program once before the tests that run it. */
export function setup(): void {
  builtCli();
}
