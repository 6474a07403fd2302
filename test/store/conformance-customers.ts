/** Finding customers: tests that every engine behind `Store` must pass. */
import { describe, expect, test } from "bun:test";
import type { Store } from "../../src/store/store.ts";
import { newBooking, newLead, type Open, openForEach } from "./conformance-values.ts";

export function customersConformance(name: string, open: Open): void {
  describe(`customers: ${name}`, () => {
    let store: Store;
    openForEach(open, (opened) => (store = opened));

    const camry = { vehicle_year: 2019, vehicle_make: "Toyota", vehicle_model: "Camry", message: "secret" };
    async function fill(): Promise<void> {
      const jose = { name: "José García", phone: "+14045550101", email: "Jose.G@example.com" };
      await store.addLead(newLead({ ...jose, createdAt: 1, details: camry }));
      await store.addLead(newLead({ name: "Ann O'Neil", phone: "+14045550102", email: "", createdAt: 3 }));
      await store.addLead(newLead({ name: "ЖАННА [A*]", phone: "+14045550103", createdAt: 2 }));
      await store.book(newBooking({ lead: { ...jose, name: "J. Garcia", createdAt: 4 } }), 9, []);
    }

    const CASES: [texts: string[], last: string][] = [
      [["jose"], "1"],
      [["GARCÍA", "jos"], "1"],
      [["jose.g@EXAMPLE"], "1"],
      [["5550102"], "2"],
      [["o'neil"], "2"],
      [["camry", "2019"], "1"],
      [["жанна"], "3"],
      [["[a*]"], "3"],
      [["555"], "123"],
      [["*"], "3"],
      [["secret"], ""],
      [["jose", "ann"], ""],
    ];
    test.each(CASES)("%p", async (texts, last) => {
      await fill();
      const found = await store.findCustomers(texts, 9);
      expect(
        found
          .map((phone) => phone.at(-1))
          .sort()
          .join(""),
      ).toBe(last);
    });

    const FOREIGN: [name: string, typed: string[]][] = [
      ["Łoś", ["los", "ŁOŚ", "ｌｏｓ"]],
      ["Þór Guðmundsson", ["thor", "þór", "gudmund"]],
      ["Åsa Ærø", ["asa", "aasa", "aero"]],
      ["Müller-Weiß", ["muller", "mueller", "weiss", "WEISS"]],
      ["ＪＯＨＮ Ｓｍｉｔｈ ２", ["john", "smith"]],
      ["Nguyễn Đức", ["nguyen", "duc"]],
      ["Ελένη Γιάννης", ["ελενη", "γιαννησ"]],
      ["Фёдор", ["федор", "фёдор"]],
      ["Pat O’Hara-Smith", ["o'hara-smith", "O’Hara‑Smith", "a-s"]],
      ["Pat O'Hara‑Smith", ["o'hara-smith", "O’Hara‑Smith", "’h"]],
      ["İsmail Işık", ["ismail", "isik"]],
    ];
    test.each(FOREIGN)("%s is found by the letters that people type", async (name, typed) => {
      await store.addLead(newLead({ name, phone: "+14045550104", email: "", createdAt: 5 }));
      await store.addLead(newLead({ name: "Ann Other", phone: "+14045550105", email: "", createdAt: 6 }));
      for (const text of typed) expect([text, await store.findCustomers([text], 9)]).toEqual([text, ["+14045550104"]]);
    });

    test("the newest first, each once, and no more than asked for", async () => {
      await fill();
      expect(await store.findCustomers(["+1404"], 9)).toEqual(["+14045550101", "+14045550102", "+14045550103"]);
      expect(await store.findCustomers(["+1404"], 2)).toEqual(["+14045550101", "+14045550102"]);
    });

    test("a walk-in without a phone is found by the reference, and alone", async () => {
      await fill();
      const walkIn = newBooking({ lead: { name: "Walk Garcia", phone: "", email: "", createdAt: 9 } });
      await store.book(walkIn, 9, []);
      await store.book(newBooking({ lead: { name: "Walk Another", phone: "", email: "", createdAt: 8 } }), 9, []);
      const { reference } = walkIn.lead;
      expect(await store.findCustomers(["garcia"], 9)).toEqual(["+14045550101", reference]);
      expect(await store.findCustomers(["walk", "garc"], 1)).toEqual([reference]);
      expect(await store.customer(reference)).toMatchObject({
        id: reference,
        phone: "",
        leads: [{ name: "Walk Garcia" }],
        bookings: [{ confirmationCode: walkIn.confirmationCode }],
      });
    });

    test("a customer with leads, notes and bookings; nobody once forgotten", async () => {
      await fill();
      const found = await store.customer("+14045550101");
      expect(found?.leads.map(({ name }) => name)).toEqual(["J. Garcia", "José García"]);
      expect(found?.bookings.map(({ lead }) => lead.name)).toEqual(["J. Garcia"]);
      expect(await store.customer("+14045550109")).toBeNull();
      await store.forget({ by: "phone", value: "+14045550101" }, 5, true);
      expect(await store.findCustomers(["garc"], 9)).toEqual([]);
      expect(await store.customer("+14045550101")).toBeNull();
      expect(await store.customer("")).toBeNull();
    });
  });
}
