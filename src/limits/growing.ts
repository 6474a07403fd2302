/** Typed arrays that belong together: each has an entry for the same things. They grow as they fill. */

type Kind = typeof Uint8Array | typeof Uint32Array | typeof Float64Array;
type Arrays<Kinds extends Record<string, Kind>> = { [Name in keyof Kinds]: InstanceType<Kinds[Name]> };

export interface Growing<Kinds extends Record<string, Kind>> {
  /** Replaced by `double`: do not keep them. */
  arrays: Arrays<Kinds>;
  /** Entries there is room for; a power of two. */
  length: number;
  /**
   * Doubles the room. An entry with number n stands at n modulo the length, before and after.
   * @param first number of the first entry, for full rings
   */
  double: (first?: number) => void;
}

const FIRST_LENGTH = 4096;

export function createGrowing<Kinds extends Record<string, Kind>>(kinds: Kinds): Growing<Kinds> {
  const each = (make: (kind: Kind, name: string) => InstanceType<Kind>) =>
    Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, make(kind, name)])) as Arrays<Kinds>;

  const growing: Growing<Kinds> = {
    arrays: each((kind) => new kind(FIRST_LENGTH)),
    length: FIRST_LENGTH,
    double(first = 0) {
      const { arrays, length } = growing;
      const from = placeIn(length, first);
      const to = placeIn(2 * length, first);
      growing.arrays = each((kind, name) => {
        const { buffer, byteLength } = arrays[name] as InstanceType<Kind>;
        // Frees the old memory at once, which would otherwise wait for the garbage collector.
        const longer = new kind((buffer as ArrayBuffer).transfer(2 * byteLength));
        // In a full ring, either the part from the first entry to the end stays in place, or the part that wrapped around.
        return to === from ? longer.copyWithin(length, 0, from) : longer.copyWithin(to, from, length);
      });
      growing.length = 2 * length;
    },
  };
  return growing;
}

/** Where an entry stands. @param length a power of two */
export function placeIn(length: number, entry: number): number {
  return entry & (length - 1);
}
