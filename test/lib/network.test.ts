/** Sets of address ranges, against a look at every range in turn. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { isCountryHeader, networkOf, ownOrigin, parseAddress, parseNetworks } from "../../src/lib/network.ts";

const has = (list: readonly string[], address: string) => parseNetworks(list).has(parseAddress(address));

test.each([
  ["127.0.0.1", 3000, "http://127.0.0.1:3000"],
  ["localhost", 80, "http://localhost"],
  ["0.0.0.0", 8080, "http://127.0.0.1:8080"],
  ["::", 3000, "http://[::1]:3000"],
  ["::ffff:0.0.0.0", 3000, "http://127.0.0.1:3000"],
  ["2001:DB8::7", 3000, "http://[2001:db8::7]:3000"],
  ["desk.lan", 3000, "http://desk.lan:3000"],
  ["127.0.0.1", 0, null],
  ["fe80::1%eth0", 3000, null],
  ["a b", 3000, null],
])("a server on %s, port %d, is reached at %s", (host, port, origin) => {
  expect(ownOrigin(host, port)).toBe(origin);
});

describe("networks", () => {
  test.each([
    [["203.0.113.0/24"], "203.0.113.255", true],
    [["203.0.113.0/24"], "203.0.112.255", false],
    [["203.0.113.7"], "203.0.113.6", false],
    [["203.0.113.77/24"], "203.0.113.1", true],
    [["0.0.0.0/0"], "2001:db8::1", false],
    [["192.0.2.0/24"], "::ffff:192.0.2.9", true],
    // A range inside another, listed before and after it.
    [["10.0.0.0/8", "10.1.0.0/16"], "10.200.0.1", true],
    [["10.1.0.0/16", "10.0.0.0/8", "10.2.0.0/16"], "10.200.0.1", true],
    [[], "192.0.2.1", false],
  ])("%j holds %s: %p", (list, address, expected) => {
    expect(has(list, address)).toBe(expected);
  });

  test("no address is in no network", () => {
    expect(parseNetworks(["0.0.0.0/0", "::/0"]).has(undefined)).toBe(false);
  });

  test.each(["bananas", "10.0.0.0/33", "10/8", "10.0.0/8/8", "2001:db8::/129"])("%s is refused by name", (entry) => {
    expect(() => parseNetworks(["192.0.2.0/24", entry])).toThrow(`${entry} is not an address range`);
  });

  test("agrees with a look at every range", () => {
    const v4 = fc.ipV4();
    const v6 = fc.ipV6();
    const range = fc.oneof(
      fc.tuple(v4, fc.integer({ min: 0, max: 32 })).map(([address, bits]) => `${address}/${bits}`),
      fc.tuple(v6, fc.integer({ min: 0, max: 128 })).map(([address, bits]) => `${address}/${bits}`),
    );
    fc.assert(
      fc.property(fc.array(range, { maxLength: 30 }), fc.array(fc.oneof(v4, v6), { maxLength: 20 }), (list, others) => {
        const networks = parseNetworks(list);
        // The ranges' own addresses lie near their edges.
        for (const text of [...others, ...list.map((one) => one.replace(/\/.*/, ""))]) {
          const address = ipaddr.parse(text);
          const expected = list.some((one) => {
            const [network, bits] = ipaddr.parseCIDR(one);
            return network.kind() === address.kind() && address.match(network, bits);
          });
          expect({ list, text, found: networks.has(address) }).toEqual({ list, text, found: expected });
        }
      }),
      { numRuns: 100 },
    );
  });
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["1234567890", "unknown"],
  ["not an address", "unknown"],
])("%s is counted as %s", (address, network) => {
  expect(networkOf(parseAddress(address))).toBe(network);
});

describe("addresses are read as the library reads them", () => {
  const read = (text: string) => parseAddress(text)?.toNormalizedString();
  const expected = (text: string) => (ipaddr.isValid(text) ? ipaddr.process(text).toNormalizedString() : undefined);

  test("addresses in the usual form", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6()), (text) => {
        fc.pre(/[.:]/.test(text));
        expect([text, read(text)]).toEqual([text, expected(text)]);
      }),
    );
  });

  const odd =
    "0.0.0.0 255.255.255.255 256.1.1.1 010.1.1.1 00.1.1.1 1.2.3 1.2.3. .1.2.3 1..2.3 1.2.3.4.5 -1.2.3.4 1.2.3.4x";
  const other = "::ffff:192.0.2.1 fe80::1%eth0 9999999999.1.1.1";
  test.each([...odd.split(" "), ...other.split(" "), "1.2.3.4 ", ""])("%j", (text) =>
    expect(read(text)).toBe(expected(text)),
  );
});

test("headers that hold a country are known by their names", () => {
  for (const name of ["CF-IPCountry", "x-vercel-ip-country", "CloudFront-Viewer-Country", "X-Country-Code", "X-Geo"])
    expect([name, isCountryHeader(name)]).toEqual([name, true]);
  for (const name of ["X-Forwarded-For", "X-API-Key", "Authorization"])
    expect([name, isCountryHeader(name)]).toEqual([name, false]);
});
