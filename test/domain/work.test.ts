import { describe, expect, test } from "bun:test";
import { resolveWork } from "../../src/domain/work.ts";
import { CATALOG, catalogWith, WORDS } from "../helpers.ts";

describe("length of the work", () => {
  const FULL: Record<string, number> = {
    ...{ coupe: 120, sedan: 150, wagon: 180, crossover: 180, truck: 150, suv: 210, van: 240 },
  };

  test("by vehicle, coverage and film", () => {
    for (const vehicle_type of WORDS.vehicleTypes)
      for (const coverage of WORDS.coverages)
        for (const film_type of WORDS.films)
          expect(resolveWork(CATALOG, { service: "automotive", vehicle_type, coverage, film_type }).minutes).toBe(
            coverage === "front2" ? 60 : (FULL[vehicle_type] ?? 0) + (film_type === "ceramic" ? 30 : 0),
          );
  });

  test.each([
    { request: { service: "automotive" }, minutes: 270 },
    { request: { service: "film_removal", vehicle_type: "van" }, minutes: 120 },
    { request: { service: "clearplex", vehicle_type: "van" }, minutes: 150 },
  ] as const)("without a vehicle, and for other services, the default of the service: %j", ({ request, minutes }) => {
    expect(resolveWork(CATALOG, request).minutes).toBe(minutes);
  });

  test("add-ons that apply make it longer", () => {
    const catalog = catalogWith({ "automotive.addons.sunroof.minutes": 45 });
    const asked = { vehicle_type: "sedan", addons: ["sunroof", "sunroof"] } as const;
    expect(resolveWork(catalog, asked).minutes).toBe(195);
    expect(resolveWork(catalog, { ...asked, service: "film_removal" }).minutes).toBe(120);
  });
});

describe("defaults of the shop", () => {
  const catalog = catalogWith({
    "automotive.defaults": { service: "automotive", film_type: "ceramic", coverage: "front2" },
  });

  type Row = [
    asked: Parameters<typeof resolveWork>[1],
    filmType: string | null,
    coverage: string | null,
    assumed: string,
  ];
  test.each<Row>([
    [{}, "ceramic", "front2", "service film_type coverage"],
    [{ film_type: "standard", coverage: "full" }, "standard", "full", "service"],
    [{ service: "film_removal" }, null, "front2", "coverage"],
    [{ service: "film_removal", film_type: "ceramic" }, null, "front2", "coverage"],
    [{ service: "clearplex" }, null, null, ""],
    [{ service: "clearplex", coverage: "full" }, null, null, ""],
  ])("%j", (asked, filmType, coverage, assumed) => {
    const work = resolveWork(catalog, asked);
    expect(work).toMatchObject({ service: asked.service ?? "automotive", filmType, coverage });
    expect(work.assumed.join(" ")).toBe(assumed);
  });
});
