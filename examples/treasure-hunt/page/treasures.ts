import { type Cairn, CairnError, type CheckInAnswer, type PositionFixInput } from '@cairn/sdk'
import type { Point } from './geometry.ts'

/** A fence around a pin, with the points of its check-in. */
export type Treasure = { fenceId: string; name: string; place: Point; radius: number; points: number }

/** The fences of the app whose pins are in the zone, within 2 km of its middle. */
export async function treasuresOf(cairn: Cairn, zoneId: number, middle: Point): Promise<Treasure[]> {
  const [fences, pins] = await Promise.all([
    cairn.fences.list().all(),
    cairn.pins.near(middle.lat, middle.lon, { radius: 2000, zoneId }).all(),
  ])
  return fences.flatMap(({ id: fenceId, name, pinId, radius, checkIn }) => {
    const pin = pins.find(({ id }) => id === pinId)
    if (!pin || !checkIn) return []
    const place = { lat: pin.latitude, lon: pin.longitude }
    return [{ fenceId, name, place, radius: radius!, points: checkIn.award?.points ?? 0 }]
  })
}

const KEY = 'found'

/** What a player has found: the service judges each find, and keeps the list as data of the player, for all devices. */
export function findsOf(cairn: Cairn, playerId: string) {
  let found: string[] = []
  const add = async (fenceId: string) => {
    found = [...found, fenceId]
    await cairn.playerData.set(playerId, KEY, { fences: found })
  }
  return {
    has: (fenceId: string): boolean => found.includes(fenceId),
    all: (): readonly string[] => found,

    /** Reads the list, and the player's score. */
    async load(): Promise<number> {
      const orNone = (error: unknown) => {
        if (!(error instanceof CairnError && error.status === 404)) throw error
        return undefined
      }
      const [kept, ranking] = await Promise.all([
        cairn.playerData.get<{ fences: string[] }>(playerId, KEY).catch(orNone),
        cairn.players.ranking(playerId).catch(orNone),
      ])
      found = kept?.value.fences ?? []
      return ranking?.highestScore ?? 0
    },

    /** Digs at a position. The service decides: `refused` has a message for the player. */
    async dig(fenceId: string, fix: PositionFixInput): Promise<CheckInAnswer> {
      const answer = await cairn.fences.checkIn(fenceId, fix)
      // Found on another device, or by a request whose answer was lost.
      if (answer.state === 'accepted' || answer.reason === 'already') await add(fenceId)
      return answer
    },
  }
}
