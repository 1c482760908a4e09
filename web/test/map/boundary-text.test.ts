import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { english } from '../../src/messages/en.ts'
import { messages } from '../../src/messages/index.ts'

messages.map = await english.map()
const {
  addCorner,
  addPart,
  boundaryOf,
  firstShortRing,
  formatBoundary,
  lineAt,
  moveCorner,
  parseRings,
  removeLastCorner,
  ringLabel,
} = await import('../../src/pages/map/editor/boundary-text.ts')

const SQUARE = '54.1, 10.1\n54.1, 10.4\n54.4, 10.4\n54.4, 10.1'
const HOLE = '54.2, 10.2\n54.2, 10.3\n54.3, 10.3'
const AWAY = '55, 11\n55, 12\n56, 12'
const TEXT = `${SQUARE}\nhole\n${HOLE}\narea\n${AWAY}`

const degrees = (most: number) => fc.integer({ min: -most * 1e7, max: most * 1e7 }).map((value) => value / 1e7)
const ring = fc
  .array(fc.tuple(degrees(180), degrees(90)), { minLength: 3, maxLength: 8 })
  .map((corners) => [...corners, corners[0]!].map(([lon, lat]) => [lon, lat]))
const area = fc.array(ring, { minLength: 1, maxLength: 4 })
const boundary = fc
  .array(area, { minLength: 1, maxLength: 4 })
  .map((areas) =>
    areas.length === 1
      ? { type: 'Polygon' as const, coordinates: areas[0]! }
      : { type: 'MultiPolygon' as const, coordinates: areas },
  )

test('a boundary that is written and read is the same, with all its areas and holes, and each place is found by its path', () => {
  fc.assert(
    fc.property(boundary, (zone) => {
      const text = formatBoundary(zone)
      const { rings, wrongLine } = parseRings(text)
      expect(wrongLine).toBe(null)
      expect(firstShortRing(rings)).toBe(null)
      expect(boundaryOf(rings)).toEqual(zone)
      const areas = zone.type === 'Polygon' ? [zone.coordinates] : zone.coordinates
      const lines = text.split('\n')
      for (const [a, area] of areas.entries())
        for (const [r, ring] of area.entries())
          for (const [c, [lon, lat]] of ring.entries()) {
            const line = lineAt(rings, zone.type === 'Polygon' ? [r, c] : [a, r, c])
            expect(lines[line!]).toBe(`${lat}, ${lon}`)
          }
    }),
  )
})

describe('reading', () => {
  test('a line starts a hole of the area above it or another area; empty lines and case are ignored', () => {
    const { rings, wrongLine } = parseRings(`Area\n${SQUARE}\n\nHole\n\n${HOLE}\n AREA \n${AWAY}\n\n`)
    expect(wrongLine).toBe(null)
    expect(rings.map(({ area, hole, corners }) => [area, hole, corners.length])).toEqual([
      [0, 0, 4],
      [0, 1, 3],
      [1, 0, 3],
    ])
    expect(rings.map((ring) => ringLabel(rings, ring))).toEqual(['area 1', 'hole 1 of area 1', 'area 2'])
  })

  test('the first invalid line is reported, and the others are still read', () => {
    const { rings, wrongLine } = parseRings('54.1, 10.1\n54.1, east\nring\n54.4, 10.4')
    expect(wrongLine).toBe(1)
    expect(rings[0]!.corners).toHaveLength(2)
  })

  test('a ring of one or two corners and a hole without an area are reported; empty rings are ignored', () => {
    const shortIn = (text: string) => firstShortRing(parseRings(text).rings)
    expect(shortIn(`${SQUARE}\nhole\n54.2, 10.2`)).toBe(4)
    expect(shortIn(`${SQUARE}\narea\nhole\n${HOLE}`)).toBe(4)
    expect(shortIn(`hole\n${HOLE}`)).toBe(0)
    expect(shortIn(`${SQUARE}\nhole\narea\n`)).toBe(null)
    expect(boundaryOf(parseRings(`${SQUARE}\nhole\narea\n`).rings)).toMatchObject({ type: 'Polygon' })
    expect(boundaryOf(parseRings('').rings)).toBe(null)
  })
})

describe('changing', () => {
  const { rings } = parseRings(TEXT)
  const [outer, hole, away] = rings as [(typeof rings)[0], (typeof rings)[0], (typeof rings)[0]]

  test('a corner comes to the end of its ring, and one that moves stays in its line', () => {
    const at = { lat: 54.25, lon: 10.15 }
    expect(parseRings(addCorner(TEXT, hole, at)).rings.map(({ corners }) => corners.length)).toEqual([4, 4, 3])
    expect(moveCorner(TEXT, away.corners[1]!, at)).toBe(TEXT.replace('55, 12', '54.25, 10.15'))
    expect(addCorner('', parseRings('').rings[0]!, at)).toBe('54.25, 10.15')
  })

  test('what is written wrongly stays while corners are changed on the map', () => {
    const text = `${SQUARE}\n54.2, east`
    const [ring] = parseRings(text).rings
    expect(addCorner(text, ring!, { lat: 54, lon: 10 })).toBe(`${text}\n54, 10`)
  })

  test('a new hole follows those of the selected area, a new area is added at the end', () => {
    const more = addPart(TEXT, rings, outer, 'hole')
    expect(more.text).toBe(`${SQUARE}\nhole\n${HOLE}\nhole\narea\n${AWAY}`)
    expect(parseRings(more.text).rings[more.ring]).toMatchObject({ area: 0, hole: 2, corners: [] })
    const further = addPart(TEXT, rings, outer, 'area')
    expect(further.text).toBe(`${TEXT}\narea`)
    expect(parseRings(further.text).rings[further.ring]).toMatchObject({ area: 2, hole: 0, corners: [] })
  })

  test('the last corner goes, then the word of a ring without any', () => {
    expect(removeLastCorner(TEXT, hole)).toBe(TEXT.replace('54.3, 10.3\n', ''))
    const more = addPart(TEXT, rings, outer, 'area')
    const begun = parseRings(more.text).rings[more.ring]!
    expect(removeLastCorner(more.text, begun)).toBe(TEXT)
  })
})
