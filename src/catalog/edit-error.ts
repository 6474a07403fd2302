/** An edit that cannot be made; the message is for the owner. */
export class EditError extends Error {
  override readonly name = "EditError";
}
