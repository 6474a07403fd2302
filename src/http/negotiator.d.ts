/** The part of negotiator that is used. Its published types are of an older version, which knew no `preferred`. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string> });
    mediaType(available: readonly string[]): string | undefined;
    /** @param options.preferred the order among codings that the caller likes alike */
    encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
  }
}
