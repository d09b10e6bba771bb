// Names the ways in which an agent is reached.
import { z } from 'zod';

/** A program, a model behind an API, an agent of the Agent Client Protocol, or a part of this program. */
export const Transport = z.enum(['cli', 'api', 'acp', 'built-in']);
export type Transport = z.infer<typeof Transport>;
