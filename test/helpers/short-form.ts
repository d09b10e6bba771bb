// Marks the end-to-end tests of the short form: of what each file is about, those that tell most.

/** As the options of a test: it also runs with `CONCLAVE_E2E=short`, all others only without. */
export const short = { tags: 'short' };
