/** The methods and errors of A2A, under their names in both versions. */
import type { RpcError } from "../capabilities/core/protocol.ts";

export type Version = "1.0" | "0.3";

type Method =
  | { version: Version; kind: "send" }
  | { version: Version; kind: "list" }
  | { version: Version; kind: "refused"; reason: Reason };

const ERRORS = {
  TASK_NOT_FOUND: { code: -32001, message: "There is no such task: every message is answered at once." },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { code: -32003, message: "Push notifications are not supported." },
  UNSUPPORTED_OPERATION: { code: -32004, message: "This operation is not supported." },
  CONTENT_TYPE_NOT_SUPPORTED: { code: -32005, message: "Send a data part or a text part." },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: { code: -32007, message: "There is no extended agent card." },
  VERSION_NOT_SUPPORTED: { code: -32009, message: "This agent speaks A2A 1.0 and 0.3." },
} as const;
type Reason = keyof typeof ERRORS;

/** An A2A error; version 1.0 requires a typed detail beside the code. */
export function agentError(reason: Reason, version: Version): RpcError {
  const detail = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" };
  return { ...ERRORS[reason], ...(version === "1.0" && { data: [detail] }) };
}

const refused = (version: Version, reason: Reason, names: readonly string[]): [string, Method][] =>
  names.map((name) => [name, { version, kind: "refused", reason }]);

export const METHODS: ReadonlyMap<unknown, Method> = new Map<unknown, Method>([
  ["SendMessage", { version: "1.0", kind: "send" }],
  ["ListTasks", { version: "1.0", kind: "list" }],
  ...refused("1.0", "TASK_NOT_FOUND", ["GetTask", "CancelTask"]),
  ...refused("1.0", "UNSUPPORTED_OPERATION", ["SendStreamingMessage", "SubscribeToTask", "GetExtendedAgentCard"]),
  ...refused("1.0", "PUSH_NOTIFICATION_NOT_SUPPORTED", [
    "CreateTaskPushNotificationConfig",
    "GetTaskPushNotificationConfig",
    "ListTaskPushNotificationConfigs",
    "DeleteTaskPushNotificationConfig",
  ]),
  ["message/send", { version: "0.3", kind: "send" }],
  ...refused("0.3", "TASK_NOT_FOUND", ["tasks/get", "tasks/cancel"]),
  ...refused("0.3", "UNSUPPORTED_OPERATION", ["message/stream", "tasks/resubscribe"]),
  ...refused("0.3", "PUSH_NOTIFICATION_NOT_SUPPORTED", [
    "tasks/pushNotificationConfig/set",
    "tasks/pushNotificationConfig/get",
    "tasks/pushNotificationConfig/list",
    "tasks/pushNotificationConfig/delete",
  ]),
  ...refused("0.3", "EXTENDED_AGENT_CARD_NOT_CONFIGURED", ["agent/getAuthenticatedExtendedCard"]),
]);
