/** Files imported with `type: "text"` or `type: "file"`: a module that has types of its own keeps them. */
declare module "*.css" {
  const content: string;
  export default content;
}
declare module "*.md" {
  const content: string;
  export default content;
}
declare module "*.js" {
  const content: string;
  export default content;
}
declare module "*.ico" {
  const path: string;
  export default path;
}
declare module "*.png" {
  const path: string;
  export default path;
}
declare module "*.jpg" {
  const path: string;
  export default path;
}
declare module "*.svg" {
  const content: string;
  export default content;
}
