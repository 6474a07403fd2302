/** A name as one word of small letters, digits and hyphens: `Café Film & Co` becomes `cafe-film-co`. */
export function slug(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "shop";
}
