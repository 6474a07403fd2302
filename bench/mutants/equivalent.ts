/** Faults that no caller and no owner could notice, each with its reason. The key is the file and the change. */
export const EQUIVALENT: readonly { file: string; change: string; reason: string }[] = [];
