/** Tells of a failure once, not each time that the same is tried until it works again. */
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
