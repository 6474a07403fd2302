/** The open times of a day, for a request that names a part of the day instead of one. Source: contract 1, 5. */
import { modelOf } from "../../catalog/models.ts";
import { isOpen } from "../../domain/slots.ts";
import { ApiError } from "../../errors.ts";
import { type JobRequest, workOf } from "../../job/job.ts";
import { inPart, readPartOfDay } from "../../schema/moments.ts";
import type { Capability, Context } from "./capability.ts";
import { ifStoreAnswers } from "./if-store-answers.ts";
import { openAt } from "./meaning.ts";
import type { Validated } from "./validate.ts";

/** The error, whose fault of `time` names what is open on that day: in the part of it that was named, if anything is. */
export async function withOpenTimes(
  error: ApiError,
  { request, issues }: Validated,
  capability: Capability,
  { catalog, now, diary }: Context,
): Promise<ApiError> {
  const { date, time } = request;
  const { invalid_fields: faults } = error.details;
  const fault = faults?.find(({ field }) => field === "time");
  const isAsked = capability.unknownValue !== undefined && issues.has("time") && !issues.has("date");
  if (!fault || fault.allowed || !isAsked || typeof date !== "string" || typeof time !== "string") return error;
  const job: JobRequest = Object.fromEntries(
    Object.entries(request).filter(([name]) => SOUND.has(name) && !issues.has(name)),
  );
  const vehicle_type = job.vehicle_type ?? modelOf(job, catalog)?.vehicleType;
  const days = await ifStoreAnswers(diary.days(date, 1, workOf({ ...job, vehicle_type }, catalog), { catalog, now }));
  const open = (days?.answer[0]?.slots ?? []).filter(isOpen).map((slot) => slot.time);
  const part = readPartOfDay(time, openAt(catalog));
  const fitting = part ? open.filter((one) => inPart(one, part)) : [];
  const allowed = fitting.length > 0 ? fitting : open;
  if (allowed.length === 0) return error;
  const what = `${part && fitting.length === 0 ? "then no time is open, but" : "open are"} on ${date}: ${allowed.join(", ")}`;
  const said = (text: string) => text.replace(fault.message, `${fault.message}; ${what}`);
  const invalid_fields = faults?.map((one) =>
    one === fault ? { ...fault, message: said(fault.message), allowed } : one,
  );
  return new ApiError(
    error.code,
    said(error.message),
    { ...error.details, ...(invalid_fields && { invalid_fields }) },
    { cause: error.cause },
  );
}

const SOUND = new Set([
  "service_type",
  "vehicle_type",
  "vehicle_make",
  "vehicle_model",
  "film_type",
  "coverage",
  "addons",
  "remove_old_film",
]);
