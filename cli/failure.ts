/** The two ways in which a command ends badly. */

/** It could not be done, for a reason the owner can read; exit status 1. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** The command was called wrongly; exit status 2. */
export class Misuse extends Error {
  override readonly name = "Misuse";
}
