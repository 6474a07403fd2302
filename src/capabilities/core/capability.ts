/** One thing that a caller can do. Routes, validation, manifest, OpenAPI, docs and command line are derived from its definition. */
import type { z } from "zod";
import { perCatalog } from "../../catalog/per-catalog.ts";
import type { LimitName } from "../../catalog/schema.ts";
import type { Shop } from "../../catalog/shop.ts";
import type { Start } from "../../domain/slots.ts";
import type { CommonError, ErrorCode, ErrorDetails, InvalidField, LimitState } from "../../errors.ts";
import type { WiderNetwork } from "../../lib/network.ts";
import type { Payments } from "../../payments/stripe.ts";
import type { Store } from "../../store/store.ts";
import type { Diary } from "./diary.ts";
import type { Warning } from "./envelope.ts";
import { type CapabilityId, OPERATIONS, type Operation, type Voice } from "./operations.ts";
import type { SigningSecret } from "./signing-secret.ts";

/** The caller, as far as a capability may know it. */
export interface Caller {
  /** The address that limits are counted by: IPv4, or the /64 of an IPv6 address. */
  network: string;
  /** The networks around it, which have limits too, because one customer may be given all of one. */
  wider: readonly WiderNetwork[];
  keyId: string | null;
  /** The key registered itself, so it raises no limit beyond those of its network, and vouches for nobody. */
  isSelfRegistered: boolean;
  agentClass: string | null;
  userAgent: string | null;
}

/** Limits how often a caller may name a booking or a request that is not theirs. */
export interface CodeAttempts {
  /**
   * Call this once it is known whether the guess was right, so that parallel guesses have no more tries than guesses
   * one after the other. A right guess is not counted.
   * @param named what is guessed at, like `code 7K2MQ9XA`
   * @param guess.madeFrom the network that made it; its right guess is never refused for what other networks missed
   * @throws ApiError RATE_LIMITED when the network, or all callers who named this, missed too often before
   */
  check: (named: string, guess: { isRight: boolean; madeFrom?: string | null | undefined }) => Promise<LimitState[]>;
}

/** Everything that a capability may use besides its input. `Code` stands for the error codes that it declares. */
export interface Context<Code extends ErrorCode = ErrorCode> {
  catalog: Shop;
  store: Store;
  diary: Diary;
  now: Temporal.Instant;
  caller: Caller;
  checkAnswers?: boolean;
  codeAttempts: CodeAttempts;
  /** Counts this request against an e-mail address too. @throws ApiError RATE_LIMITED */
  countAddress: (limit: LimitName, email: string) => Promise<void>;
  /** Signs and checks estimates; null on the command line, whose quotes hold no price. */
  signing: SigningSecret | null;
  /** Null or left out where no deposits are taken. */
  payments?: Payments | null | undefined;
  /** The words in which the caller knows the requests; by default those of REST. */
  voice?: Voice;
  /** The `Idempotency-Key` header, an alias of `booking_request_id`. */
  idempotencyKey?: string;
  /** Ends the call with an expected error. @throws ApiError always */
  fail: (code: Code | CommonError, message: string, details?: ErrorDetails, options?: ErrorOptions) => never;
}

/** A possible next step; `invoke` adds the path and method of the capability. */
export interface Suggestion {
  action: CapabilityId;
  description: string;
  /** The fields that are known. Nothing of the sample person, who stands in documents alone. */
  input: object;
  /** Fields that only the caller knows, which `input` leaves out. */
  fillIn?: readonly string[];
  /** The page where a person does the same. */
  bookUrl?: string;
}

export interface Answer<Data> {
  data: Data;
  /** What the capability's `beside` describes. */
  beside?: object;
  suggestions?: Suggestion[];
  warnings?: Warning[];
  limits?: LimitState[];
  location?: string;
  /** The first answer to the same request id, given again. It may hold words that the shop has given up since. */
  replayed?: boolean;
  isDryRun?: boolean;
  /** The answer holds words that the shop has given up since, so it does not fit the schema. */
  hasOldWords?: boolean;
}

/** A sentence, or one that depends on what the shop offers. */
export type Text = string | ((catalog: Shop) => string);

export function textOf(text: Text, catalog: Shop): string {
  return typeof text === "string" ? text : text(catalog);
}

/** An issue of one field against the catalog, found beside the issues of the schema. */
export interface FieldIssue<Code extends ErrorCode = never> extends Omit<InvalidField, "field"> {
  /** Default BAD_REQUEST. */
  code?: Code;
  /** The message asks "did you mean" by itself. */
  isHinted?: boolean;
  /** Path of the required field that the request lacks. */
  missing?: string;
  /** The field that would do as well as the one that is missing. */
  or?: string;
  /** The field that it contradicts, of which it is enough to correct that one. */
  against?: string;
}

/** Issues by path, like `consent.agent_name` or `addons[2]`. */
export type Issues = Map<string, FieldIssue<ErrorCode>>;

export interface Capability<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Code extends ErrorCode = ErrorCode,
  Id extends CapabilityId = CapabilityId,
> extends Operation {
  id: Id;
  title: string;
  description: Text;
  /** The description of its tool: a few sentences, which every conversation has room for. */
  inTools?: Text[];
  returnsPrice: boolean;
  /** A sentence that names a capability by its id is left out where the shop does not offer that one. */
  useWhen: Text[];
  avoidWhen: Text[];
  /** Schemas hold the shop's own terms, so they are made from the catalog: once per catalog, at the first use. */
  input: (catalog: Shop) => Input;
  output: (catalog: Shop) => Output;
  /** Fields that an answer may hold beside its data. */
  beside?: (catalog: Shop) => Readonly<Record<string, z.ZodType>>;
  /** Whether the shop does this kind of work; by default every shop does. */
  isOffered?: (catalog: Shop) => boolean;
  /** Whether it is done by phone at this shop: then every request is refused with the phone. */
  isByPhone?: (catalog: Shop) => boolean;
  status: 200 | 201;
  /** Codes of `some endpoints`. */
  errors: readonly Code[];
  /** Fields whose unknown value has a code of its own instead of BAD_REQUEST. Source: contract 1. */
  unknownValue?: { [Field in keyof z.output<Input>]?: NoInfer<Code> };
  /** Changes a request before the schema validates it. */
  prepare?: (body: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** The limit that stacks on the caller's general one, by its key in the catalog's `rate_limits`. */
  limit?: LimitName;
  /** The answer depends on the catalog and the shop's day alone, so it carries an ETag. */
  catalogOnly?: boolean;
  /** Also answers GET: with the input as its query, and without a query with an overview. */
  alsoGet?: { output: (catalog: Shop) => z.ZodType; overview(catalog: Shop): object };
  /** Fields of a POST that may be in its query instead of its body. */
  queryFields?: (keyof z.output<Input> & string)[];
  /** A field that it does not know is refused; elsewhere it is ignored with a warning. Source: contract 1. */
  refusesUnknown?: boolean;
  /** Offered by the tool of another capability, for calls with this `field`, or a word for it where nothing speaks `against` it. */
  sharesTool?: { of: CapabilityId; field: keyof z.output<Input> & string; against: readonly string[] };
  /** A request that succeeds at `now`. @param start of a booking; by default the first in an empty diary */
  sample: (catalog: Shop, now: Temporal.Instant, start?: Start | null) => z.input<Input>;
  /** Checks of single fields against the catalog, for fields that the schema accepts. */
  checks?: { [Field in keyof z.output<Input>]?: FieldCheck<z.output<Input>[Field], NoInfer<Code>> };
  /** Fields that are checked when they are left out, too, because the catalog or another field may demand them. */
  demands?: (keyof z.output<Input> & string)[];
  /** The first answer to the same request, asked for when today's catalog refuses what an earlier one may have taken. */
  replay?(input: z.output<Input>, ctx: Context<NoInfer<Code>>): Promise<Answer<z.output<Output>> | undefined>;
  run(
    input: z.output<Input>,
    ctx: Context<NoInfer<Code>>,
  ): Promise<Answer<z.output<Output>>> | Answer<z.output<Output>>;
}

/** The issue of a value, if any. The type of a method, whose parameters are bivariant: capabilities of all inputs fit into one list. */
type FieldCheck<Value, Code extends ErrorCode> = {
  /** @param body the whole request; absent when only the catalog's own demands are asked for */
  check(value: Value, catalog: Shop, body?: Readonly<Record<string, unknown>>): FieldIssue<Code> | undefined;
}["check"];

/** The field that can stand in for a required one, like `windows` for `total_sqft`. */
export function insteadOf(field: string, { checks }: Pick<Capability, "checks">, catalog: Shop): string | undefined {
  return checks?.[field]?.(undefined, catalog)?.or;
}

/** @param definition everything except the properties that `OPERATIONS` holds */
export function defineCapability<
  const Id extends CapabilityId,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  const Code extends ErrorCode,
>(definition: Omit<Capability<Input, Output, Code, Id>, keyof Operation>): Capability<Input, Output, Code, Id> {
  // Schemas are made at first use, not with the shop: all take tens of milliseconds, and a command needs those of one capability.
  return {
    ...OPERATIONS[definition.id],
    ...definition,
    input: perCatalog(definition.input),
    output: perCatalog(definition.output),
  };
}
