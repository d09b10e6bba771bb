// Defines the plain shapes that all others are made of; each is made once, as making one takes time at every start.
import { z } from 'zod';

export const Text = z.string();
export const FilledText = Text.min(1);
export const TextOrNull = Text.nullable();
export const Texts = z.array(Text);
export const Flag = z.boolean();
/** A whole number. */
export const Whole = z.int();
/** A whole number from 0. */
export const Count = Whole.min(0);
/** A whole number from 1. */
export const Ordinal = Whole.min(1);
/** A number from 0. */
export const Amount = z.number().min(0);
