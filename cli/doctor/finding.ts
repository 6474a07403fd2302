/** One line of `tint doctor`. */
export type Finding = { name: string; level: "ok" | "warning" | "fault"; message: string; fix?: string };

export const ok = (name: string, message: string): Finding => ({ name, level: "ok", message });
export const warning = (name: string, message: string, fix: string): Finding => ({
  name,
  level: "warning",
  message,
  fix,
});
export const problem = (name: string, message: string, fix: string): Finding => ({
  name,
  level: "fault",
  message,
  fix,
});
