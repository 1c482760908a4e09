/** Logs a failure once until the operation succeeds again. */
export function logOnce(log: (error: unknown) => void) {
  let isFailing = false
  return {
    failed(error: unknown): void {
      if (!isFailing) log(error)
      isFailing = true
    },
    worked(): void {
      isFailing = false
    },
  }
}
