export * from "../lib/money.ts";
