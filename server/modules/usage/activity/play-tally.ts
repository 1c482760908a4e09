import { emptySketch, type Sketch, withPlayer } from './player-sketch.ts'

const HOUR_MS = 3_600_000

/** What was played in one app in one hour. */
export type PlayedHour = {
  appId: string
  /** Start of the hour, in milliseconds since 1970. */
  hour: number
  players: Sketch
  /** Scores written, by mini game type. */
  writes: Map<string, number>
}

/** Counts the scores that this process writes until `take`, in memory: two map lookups and a hash for each. */
export function playTally() {
  let hours: PlayedHour[] = []
  let current = new Map<string, PlayedHour>()
  let hour = 0

  const ofApp = (appId: string): PlayedHour => {
    const found = current.get(appId)
    if (found) return found
    const made = { appId, hour, players: emptySketch(), writes: new Map<string, number>() }
    current.set(appId, made)
    return made
  }

  const endHour = () => {
    hours.push(...current.values())
    current = new Map()
  }

  return {
    /** Counts a written score. */
    played(appId: string, typeKey: string, playerId: string, at = Date.now()): void {
      const begun = at - (at % HOUR_MS)
      if (begun !== hour) {
        endHour()
        hour = begun
      }
      const app = ofApp(appId)
      app.players = withPlayer(app.players, playerId)
      app.writes.set(typeKey, (app.writes.get(typeKey) ?? 0) + 1)
    },

    /** Returns the counts since the last call; undefined if there are none. */
    take(): PlayedHour[] | undefined {
      endHour()
      const taken = hours
      hours = []
      return taken.length > 0 ? taken : undefined
    },
  }
}
