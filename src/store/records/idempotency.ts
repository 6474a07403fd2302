/** A request with an id of the caller's own: a repeat gets the stored answer. */

/** `scope` separates callers, so that nobody can fetch another caller's answer by guessing the id. */
export interface Idempotency {
  scope: string;
  id: string;
  /** Hash of the canonical request body. */
  bodyHash: string;
  /** Set for a request without an id of the caller's: the same body is a repeat of one that was made since. */
  since?: number;
}

/**
 * The stored answer to an earlier booking or quote request, with the hash of that request. What became of it is read in the
 * same statement.
 */
export interface StoredAnswer {
  bodyHash: string;
  answer: unknown;
  /** The fields of that request, as far as they are kept. */
  details: object;
  /** The network that the request came from; null where that is not known. */
  network: string | null;
  /** The person was erased: of the request there is only a digest, and of the answer nothing. */
  isErased: boolean;
}
