// Writes commands the way this program was called, so that suggested commands can be typed as they are.

/** The variable in which a script that starts this program says how it is called. */
export const calledAsVariable = 'CONCLAVE_CALLED_AS';

/** The words that start this program, e.g. `npm start --`. */
export function programName(environment: NodeJS.ProcessEnv): string {
  const { npm_lifecycle_event: script, npm_package_name: name } = environment;
  if (script === 'start' && name === 'conclave') return 'npm start --';
  return environment[calledAsVariable] ?? 'conclave';
}

/** Rewrites the commands in a text so that they can be typed. */
export function asCalled(text: string, program: string): string {
  return program === 'conclave' ? text : text.replaceAll(command, () => program);
}

const command =
  /(?<![\w/.-])conclave(?= (?:plan|resume|review|execute|sessions|report|doctor|login|validate|pr|config|help) ?)/g;
