/** `GET /faq?q=`: the words that customers use find the question, also those that only the catalog's `also` holds. */
import { expect, test } from "bun:test";
import { API, testApp } from "../helpers.ts";

const found = async (query: string): Promise<string[]> => {
  const { json } = await testApp().get(`${API}/faq?q=${encodeURIComponent(query)}`);
  return json.data.map(({ question }: { question: string }) => question);
};

test.each([
  ["hours", "When are you open, also on weekends and holidays?"],
  ["are you closed on holidays", "When are you open, also on weekends and holidays?"],
  ["do you come to me", "Which area do you serve?"],
  ["tax", "Are estimates binding, and do they include tax?"],
  ["how long", "How long does a tint job take?"],
  ["other states", "I drive in other states too. Which tint law counts?"],
  ["do you take a deposit", "Do I pay when I book?"],
  ["medical exemption", "Is there a medical exemption from the Georgia tint law?"],
])("%s finds: %s", async (query, question) => {
  expect((await found(query))[0]).toBe(question);
});

test.each(["pizza delivery", "zebra with the film", "your weather"])(
  "%s finds nothing rather than something unrelated",
  async (query) => {
    expect(await found(query)).toEqual([]);
  },
);

test("a word that many questions have finds them when it is the only one", async () => {
  expect((await found("film")).length).toBe(5);
});

test("the other words of a question are not in the answer", async () => {
  const { json } = await testApp().get(`${API}/faq?q=deposit`);
  expect(Object.keys(json.data[0]).toSorted()).toEqual(["answer", "category", "question"]);
});
