/** One line of `tint doctor`. */
export interface Check {
  name: string;
  level: "ok" | "warning" | "fault";
  message: string;
  /** How to mend it; on warnings and faults. */
  mend?: string;
}

export const ok = (name: string, message: string): Check => ({ name, level: "ok", message });
export const warning = (name: string, message: string, mend: string): Check => ({
  name,
  level: "warning",
  message,
  mend,
});
export const fault = (name: string, message: string, mend: string): Check => ({ name, level: "fault", message, mend });
