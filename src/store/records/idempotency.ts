/** A request with an id of the caller's own: a repeat gets the stored answer. */

/** `scope` separates callers, so that nobody can fetch another caller's answer by guessing the id. */
export interface Idempotency {
  scope: string;
  id: string;
  /** Hash of the canonical request body. */
  bodyHash: string;
}

/** The stored answer to an earlier booking or quote request, with the hash of that request. */
export interface StoredAnswer {
  bodyHash: string;
  answer: unknown;
}
