// Makes the declarations of the library: those of its files, and the shapes that come from zod.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { shapes } from '../../src/library/shapes.ts';

const root = new URL('../..', import.meta.url).pathname;
const library = join(root, 'src/library');
const entries = ['library-agents.d.ts', 'library-sessions.d.ts'];

/** The text of each declaration file that the entries lead to, by its name. */
export function libraryTypes(): ReadonlyMap<string, string> {
  const emitted = new Map([...emittedTypes(), ['shapes.d.ts', shapeTypes()]]);
  const found = new Map<string, string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    const text = emitted.get(name);
    if (text === undefined) throw new Error(`the library has no declarations in ${name}`);
    found.set(name, text);
    for (const [, next = ''] of text.matchAll(/from '(\.[^']*)\.js'/g)) {
      if (!next.startsWith('./')) throw new Error(`${name} leads out of the library, to ${next}`);
      visit(`${next.slice(2)}.d.ts`);
    }
  };
  for (const entry of entries) visit(entry);
  return found;
}

/** Each file by itself: its exports say their types, so that nothing else has to be read. */
function emittedTypes(): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-types-'));
  const files = ['library-agents.ts', 'executor.ts', 'library-sessions.ts'].map((name) =>
    join(library, name),
  );
  const flags = '--declaration --emitDeclarationOnly --isolatedDeclarations --noCheck --noResolve';
  const more = '--ignoreConfig --lib es2024 --module nodenext --target es2024';
  const options = ['--allowImportingTsExtensions', '--rootDir', library, '--outDir', folder];
  try {
    execFileSync(join(root, 'node_modules/.bin/tsc'), [
      ...flags.split(' '),
      ...more.split(' '),
      ...options,
      ...files,
    ]);
    return new Map(
      readdirSync(folder).map((name) => {
        const text = readFileSync(join(folder, name), 'utf8');
        return [name, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'")];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function shapeTypes(): string {
  const types = Object.entries(shapes).map(([name, shape]) => {
    const { description, ...schema } = Schema.parse(z.toJSONSchema(shape));
    return `/** ${description} */\nexport type ${name} = ${typeOf(schema)};\n`;
  });
  return types.join('\n');
}

/** The parts of JSON Schema that our shapes are printed with. */
interface Schema {
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly allOf?: readonly Schema[] | undefined;
  readonly items?: Schema | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: Schema | boolean | undefined;
}
const Schema: z.ZodType<Schema> = z.lazy(() => {
  const many = z.array(Schema).optional();
  return z.looseObject({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: many,
    oneOf: many,
    allOf: many,
    items: Schema.optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), Schema]).optional(),
  });
});

function typeOf(schema: Schema): string {
  const { anyOf = [], oneOf = [], allOf = [], type } = schema;
  const either = [...anyOf, ...oneOf];
  if (either.length > 0) return `(${either.map(typeOf).join(' | ')})`;
  if (allOf.length > 0) return `(${allOf.map(typeOf).join(' & ')})`;
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (type === 'array') return `readonly (${typeOf(schema.items ?? {})})[]`;
  if (type === 'object') return objectType(schema);
  if (type === undefined) return 'unknown';
  const word = words.get(String(type));
  if (word !== undefined) return word;
  throw new Error(`no type is known for ${JSON.stringify(schema).slice(0, 200)}`);
}

const words = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const rest = typeof additionalProperties === 'object' ? additionalProperties : null;
  if (rest !== null) return `Readonly<Record<string, ${typeOf(rest)}>>`;
  const fields = Object.entries(properties).map(([name, field]) => {
    const { description } = field;
    const note = description === undefined ? '' : `/** ${description} */ `;
    const isNeeded = required.includes(name);
    const type = isNeeded ? typeOf(field) : `${typeOf(field)} | undefined`;
    return `${note}readonly ${JSON.stringify(name)}${isNeeded ? '' : '?'}: ${type};`;
  });
  return `{ ${fields.join(' ')} }`;
}
