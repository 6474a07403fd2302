/** Goes on at once with a value, and later with a promise: to await a value that is there would cost every request. */
export function andThen<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}
