// Provides the signal of work that nobody interrupts.

export const neverAborted: AbortSignal = new AbortController().signal;
