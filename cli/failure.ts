/** The two ways in which a command ends badly. */

/** The command could not be done. The message is for the owner; exit status 1. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** The command was called wrongly; exit status 2. */
export class Misuse extends Error {
  override readonly name = "Misuse";
}
