/** One line of `tint doctor`. */
export interface Finding {
  name: string;
  level: "ok" | "warning" | "fault";
  message: string;
  fix?: string;
}

export const ok = (name: string, message: string): Finding => ({ name, level: "ok", message });
const toFix = (level: Finding["level"]) => (name: string, message: string, fix: string) => ({
  name,
  level,
  message,
  fix,
});
export const warning = toFix("warning");
export const problem = toFix("fault");
