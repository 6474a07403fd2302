/** API keys. Times are epoch milliseconds. */

export interface NewApiKey {
  id: string;
  /** SHA-256 of the key. The key itself is never stored. */
  hash: string;
  /** The first 12 characters, so that the owner can recognise the key. */
  prefix: string;
  name: string;
  email: string;
  useCase: string | null;
  /** Requests per minute; null means the catalog's default. */
  ratePerMinute: number | null;
  /** The network that registered the key; null when the owner issued it. */
  network: string | null;
  createdAt: number;
}

export interface ApiKey {
  id: string;
  ratePerMinute: number | null;
  isRevoked: boolean;
  /** A caller registered it; the owner did not issue it. */
  isSelfRegistered: boolean;
  /** To the day; when it was made, as long as it was not used. */
  lastUsedAt: number;
}

/** An API key as the owner sees it. */
export type IssuedKey = Omit<NewApiKey, "hash"> & { revokedAt: number | null };
