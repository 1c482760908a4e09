import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { OpenConsole } from './console.ts'

const HARBOUR = { lat: 54.323917, lon: 10.139402 }
/** The requests of the map page: the surroundings of the harbour. */
export const AROUND = `lat=${HARBOUR.lat}&lon=${HARBOUR.lon}&radius=180`

type Position = { lat: number; lon: number }

/** A place some metres north and east of the harbour. */
export const off = (north: number, east: number): Position => ({
  lat: HARBOUR.lat + north / 111_320,
  lon: HARBOUR.lon + east / (111_320 * Math.cos((HARBOUR.lat * Math.PI) / 180)),
})

/** An undo stays on screen for eight seconds; a map drawn without a GPU may take that long to accept a click, so it is two minutes here. */
const NOTICES_STAY = `
  const later = window.setTimeout
  window.setTimeout = (work, ms, ...more) => later(work, ms === 8000 ? 120000 : ms, ...more)
`

export type Harbour = Awaited<ReturnType<typeof harbourOn>>

/** A harbour on the service of a console: pins and control points within the radius of AROUND and beyond it, and a zone. With who keeps it, and what places more and opens the map. */
export async function harbourOn(opened: OpenConsole) {
  const keeper = await opened.person()

  const pin = async (title: string, at: Position, more: object = {}): Promise<{ id: number }> => {
    const made = await keeper.post('/api/location/pins', {
      ...{ title, contentType: 'AUDIO', latitude: at.lat, longitude: at.lon },
      ...more,
    })
    expect(made.status).toBe(201)
    return made.body
  }

  const gcp = async (title: string, at: Position, aprilTagId: number): Promise<{ id: number }> => {
    const geoPose = { position: { ...at, h: 2 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
    const made = await keeper.post('/api/gcp', { title, gcpType: 'SINGLE', geoPose, aprilTagId })
    expect(made.status).toBe(201)
    return made.body.gcp
  }

  const bellRope = await pin('Bell rope', off(40, 38), {
    latitude: undefined,
    longitude: undefined,
    geoPose: { position: { ...off(40, 38), h: 3 }, angles: { yaw: 30, pitch: 0, roll: 0 } },
  })
  for (const [i, title] of ['Lantern 3, chandlery', 'Chart room window', 'Old waterline', 'Tide gauge'].entries())
    await pin(title, off(-60 + i * 35, -80 + i * 45))
  for (const [i, title] of ['Outer mole', 'Tannery gate', 'Ferry stairs'].entries())
    await pin(title, off(250, -300 + i * 280))
  await gcp('Mill bridge W', off(60, -90), 4)
  await gcp('Ropewalk arch', off(20, 130), 31)
  await keeper.post('/api/zones', {
    title: 'Old Harbour',
    boundary: {
      type: 'Polygon',
      coordinates: [
        [off(130, -160), off(150, 60), off(60, 230), off(-160, 120), off(-120, -150), off(130, -160)].map(
          ({ lat, lon }) => [lon, lat],
        ),
      ],
    },
  })

  const openMap = (search: string, options: { isSharp?: boolean } = {}) =>
    opened.open(`/map?${search}`, { token: keeper.token, script: NOTICES_STAY, ...options })
  return { keeper, pin, gcp, bellRope, openMap }
}

/** Resolves once the map has come to rest. */
export const idle = (page: Page) => page.locator('[data-map="idle"]').waitFor()
export const rows = (page: Page) => page.getByRole('region', { name: 'Places' }).locator('[data-row]')
