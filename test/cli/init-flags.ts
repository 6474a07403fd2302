/** The least that `tint init` must be told of a shop, as answers and as flags. */
import { type Answers, QUESTIONS } from "../../cli/catalog/init-questions.ts";

export const ANSWERS: Answers = {
  name: "Lakeside Tint",
  phone: "512-555-0142",
  email: "hello@lakeside.example",
  street: "12 Main Street",
  city: "Austin",
  state: "TX",
  zip: "78701",
  timezone: "America/Chicago",
  hours: "mon-fri 9-18",
  priceLevel: "100",
};

export const FLAGS = QUESTIONS.flatMap(({ key, flag }) => {
  const answer = ANSWERS[key];
  return answer === undefined ? [] : [`--${flag}`, answer];
});
