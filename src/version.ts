// Names the version of this program.
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { z } from 'zod';

/** The version of this program, e.g. `1.2.3`; the nearest `package.json` is our own. */
export const version = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8'))).version;
