/** Logs a failure once until the operation succeeds again. */
export function logOnce(tell: (error: unknown) => void) {
  let isFailing = false
  return {
    failed(error: unknown): void {
      if (!isFailing) tell(error)
      isFailing = true
    },
    worked(): void {
      isFailing = false
    },
  }
}
