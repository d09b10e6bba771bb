import type { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * Loads ajv (about 40 ms, hence only on demand). `strict` is for our own schemas: they are
 * generated and tested, so the meta-schema is not asked again. `lenient` is for a user's.
 */
export async function ajvWith(mode: 'strict' | 'lenient'): Promise<Ajv2020> {
  // A bundle gives a CommonJS module as `default` only, Node by its names as well.
  const { default: module } = await import('ajv/dist/2020.js');
  const { default: formats } = await import('ajv-formats');
  const ajv = new module.Ajv2020({
    ...(mode === 'strict' ? ownSchemas : othersSchemas),
    allErrors: true,
    verbose: true,
    logger: false,
  });
  formats.default(ajv);
  return ajv;
}

/** Making the code shorter takes as long as making it, and it only runs a few times. */
const ownSchemas = { strict: true, validateSchema: false, code: { optimize: false } } as const;

/** As JSON Schema has it: keywords that nobody knows, such as notes for readers, check nothing. */
const othersSchemas = { strict: false } as const;
