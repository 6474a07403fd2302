/** The build in plain JavaScript, which needs neither Java nor a binary. */
declare module "recheck/lib/browser.js" {
  export { checkSync } from "recheck";
}
