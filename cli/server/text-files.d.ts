/** systemd units imported with `type: "text"`. */
declare module "*.service" {
  const content: string;
  export default content;
}
declare module "*.timer" {
  const content: string;
  export default content;
}
