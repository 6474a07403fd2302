/** Files imported with `type: "text"` or `type: "file"`. */
declare module "*.css" {
  const content: string;
  export default content;
}
declare module "*.md" {
  const content: string;
  export default content;
}
declare module "*/reading.js" {
  const content: string;
  export default content;
}
declare module "*/search.js" {
  const content: string;
  export default content;
}
declare module "*/trying.js" {
  const content: string;
  export default content;
}
declare module "*/book.js" {
  const content: string;
  export default content;
}
declare module "*/embed.js" {
  const content: string;
  export default content;
}
declare module "*/start-explorer.js" {
  const content: string;
  export default content;
}
declare module "*.svg" {
  const content: string;
  export default content;
}
declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  const path: string;
  export default path;
}
declare module "swagger-ui-dist/swagger-ui.css" {
  const path: string;
  export default path;
}
