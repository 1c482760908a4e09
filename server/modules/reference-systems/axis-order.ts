import type { System } from './proj/systems.ts'

/** Converts between east-north order and the axes of the register. */
export type AxesOrder = {
  toAxes: (x: number, y: number) => [number, number]
  fromAxes: (values: readonly number[]) => { x: number; y: number }
}

/**
 * Converts eastings and northings to a system's own axes, which may be north first, west or south. Around a pole both
 * directions are the same: then the axis names decide.
 */
export function axesOrder({ axes, kind }: System): AxesOrder {
  if (kind === 'geocentric') return { toAxes: (x, y) => [x, y], fromAxes: ([x, y]) => ({ x: x!, y: y! }) }
  const [first, second] = axes as [System['axes'][number], System['axes'][number]]
  const isEastWest = /^(?:east|west)$/i
  const northFirst =
    first.direction === second.direction
      ? /^(?:N|north)/i.test(first.abbreviation || first.name)
      : isEastWest.test(second.direction)
  const sign = (direction: string) =>
    first.direction !== second.direction && /^(?:west|south)$/i.test(direction) ? -1 : 1
  const [east, north] = northFirst ? [second, first] : [first, second]
  const [toEast, toNorth] = [sign(east.direction), sign(north.direction)]
  return {
    toAxes: (x, y) => (northFirst ? [y * toNorth, x * toEast] : [x * toEast, y * toNorth]),
    fromAxes: ([a, b]) => (northFirst ? { x: b! * toEast, y: a! * toNorth } : { x: a! * toEast, y: b! * toNorth }),
  }
}

/**
 * Converts coordinates as surveyors write them to eastings and northings. In S-JTSK and South Africa's Lo grids, surveyors
 * write westings and southings without a sign; programs write negative eastings and northings. If UTM eastings have the
 * zone as a prefix (`33391412.2`), it is removed: no easting is that long.
 */
export function fromSurveyorsAxes({ projection, axes }: System): (x: number, y: number) => [number, number] {
  if (/^(?:Modified )?Krovak/i.test(projection?.method ?? ''))
    return (x, y) => {
      if (!(x > 0 && y > 0)) return [x, y]
      return x < y ? [-x, -y] : [Number.NaN, Number.NaN]
    }
  if (axes.some(({ direction }) => direction === 'west') && axes.some(({ direction }) => direction === 'south'))
    return (x, y) => (y > 0 ? [-x, -y] : [x, y])
  const zone = /with prefix/i.test(projection?.name ?? '') ? 0 : Number.parseInt(utmZoneOf({ projection }) ?? '0', 10)
  return zone > 0 ? (x, y) => [Math.floor(x / 1e6) === zone ? x - zone * 1e6 : x, y] : (x, y) => [x, y]
}

/** The zone of a system of UTM with its hemisphere, `33N`, by the name of its projection. */
export function utmZoneOf({ projection }: Pick<System, 'projection'>): string | undefined {
  const [, zone, side] = /^UTM zone 0?(\d{1,2})([NS])/i.exec(projection?.name ?? '') ?? []
  return zone && `${zone}${side!.toUpperCase()}`
}
