/** The form in which an e-mail address is compared: it is the same in any letter case. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}
