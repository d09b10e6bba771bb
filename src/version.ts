import manifest from '../package.json' with { type: 'json' };

/** The version of this program, e.g. `1.2.3`. */
export const version: string = manifest.version;
