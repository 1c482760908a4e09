/** What EventsQuery and the header allow. */
const MAX_LENGTH = 255

/**
 * The ID of the newest event that a snapshot of PostgreSQL sees, as `xmin:xmax:xip,…`. A snapshot with more open
 * transactions than an ID has room for sees none of them here: their neighbours may be sent twice.
 */
export function eventIdOf(snapshot: string): string {
  if (snapshot.length <= MAX_LENGTH) return snapshot
  const [xmin] = snapshot.split(':')
  return `${xmin}:${xmin}:`
}

/** The snapshot of an event ID; undefined for an ID that is not one of this service. */
export function snapshotOf(eventId: string | undefined): string | undefined {
  const [, low, high, open] =
    /^([1-9]\d{0,18}):([1-9]\d{0,18}):((?:\d{1,19})(?:,\d{1,19})*)?$/.exec(eventId ?? '') ?? []
  if (!low || !high) return undefined
  const bounds = [BigInt(low), ...(open ? open.split(',').map(BigInt) : []), BigInt(high)]
  // The first and the last open transaction may be the bounds themselves, except the upper.
  const isOrdered = bounds.every((id, i) => {
    const before = bounds[i - 1]
    if (before === undefined) return id < MOST
    return i === 1 || i === bounds.length - 1 ? before <= id : before < id
  })
  const isBelow = !open || bounds.at(-2)! < bounds.at(-1)!
  return isOrdered && isBelow && bounds.at(-1)! < MOST ? eventId : undefined
}

/** Beyond what PostgreSQL takes as a transaction of a snapshot. */
const MOST = 2n ** 63n
