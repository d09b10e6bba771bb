import { createContext, useContext } from 'react';
import { type Look, type Tone, themeFor } from './theme.ts';

const Looks = createContext<Readonly<Record<Tone, Look>>>(themeFor({}));

export const LooksProvider = Looks.Provider;

export function useLooks(): Readonly<Record<Tone, Look>> {
  return useContext(Looks);
}
