import type { Place } from '../ranks/tops/kept-top.ts'
import type { LeaderboardEntry } from './schema.ts'

/** An entry with its place in the order of the board. */
export type Placed = { place: Place; entry: LeaderboardEntry }

/** Whether a place is before another: better, or equal and reached earlier, or by the lower ID. */
export function isBefore(one: Place, other: Place): boolean {
  if (one.rankKey !== other.rankKey) return one.rankKey > other.rankKey
  // Both times are in UTC as PostgreSQL writes them, without zeros at the end: the order of the texts is theirs.
  if (one.achievedAt !== other.achievedAt) return one.achievedAt < other.achievedAt
  return one.playerId < other.playerId
}

/** Entries with that of a hidden player where it would stand, once. The ranks of the others do not count it. */
export function insertOwn(entries: Placed[], own: Placed): Placed[] {
  if (entries.some(({ place }) => place.playerId === own.place.playerId)) return entries
  const at = entries.findIndex(({ place }) => isBefore(own.place, place))
  return at < 0 ? [...entries, own] : entries.toSpliced(at, 0, own)
}
