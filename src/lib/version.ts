import { version } from "../../package.json" with { type: "json" };

/** The release, from `package.json`; the API, the documents, the protocols and `tint --version` all report it. */
export const VERSION: string = version;
