/** A time for a datetime-local field, in local time, to the minute. */
export function localOf(at: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The moment of a datetime-local field, in ISO 8601. An invalid one is returned as it is, for the service to explain. */
export function momentOf(local: string): string {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? local : at.toISOString()
}
