/** Faults that once survived and mattered. Each is found by its text, which must stand once in the sources. */
export const NAMED: readonly { what: string; text: string; instead: string }[] = [];
