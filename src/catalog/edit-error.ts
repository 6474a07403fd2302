/** An edit cannot be made. The owner reads the message. */
export class EditError extends Error {
  override readonly name = "EditError";
}
