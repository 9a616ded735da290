/*
 * Loading that is synchronous where the host is: the same code serves a promise and its synchronous twin.
 */

/** A value now or later. */
export type Maybe<T> = T | Promise<T>;

export function isPromise<T>(value: Maybe<T>): value is Promise<T> {
  return typeof (value as Promise<T> | undefined)?.then === "function";
}

/** Goes on with a value, now or later. */
export function chain<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return isPromise(value) ? value.then(next) : next(value);
}

/** Goes on with a list of values, now if all of them are here. */
export function chainAll<T, U>(values: Maybe<T>[], next: (values: T[]) => Maybe<U>): Maybe<U> {
  return values.some(isPromise) ? Promise.all(values).then(next) : next(values as T[]);
}

/** Runs `step` and turns what it throws, now or later, into another error. */
export function mapError<T>(step: () => Maybe<T>, toError: (cause: unknown) => unknown): Maybe<T> {
  const fail = (cause: unknown): never => {
    throw toError(cause);
  };
  let value: Maybe<T>;
  try {
    value = step();
  } catch (cause) {
    fail(cause);
  }
  return isPromise(value!) ? value.catch(fail) : value!;
}
