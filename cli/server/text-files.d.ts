/** systemd units and scripts of shells imported with `type: "text"`. */
declare module "*.service" {
  const content: string;
  export default content;
}
declare module "*.timer" {
  const content: string;
  export default content;
}
declare module "*.bash" {
  const content: string;
  export default content;
}
declare module "*.zsh" {
  const content: string;
  export default content;
}
