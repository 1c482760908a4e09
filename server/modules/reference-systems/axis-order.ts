import type { System } from './proj/systems.ts'

/** East and north as the first and second figure that the register's axes want, and back. */
export type AxesOrder = {
  toAxes: (x: number, y: number) => [number, number]
  fromAxes: (values: readonly number[]) => { x: number; y: number }
}

/**
 * How figures to the east and the north become those of a system's own axes, which may run north first, west or south.
 * Around a pole both run the same way: then their names tell.
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
 * How figures that surveyors write are brought to those to the east and the north. In S-JTSK and on South Africa's Lo
 * grids they count to the west and the south, and write no sign; programs write what is east and north. Where UTM is
 * written with its zone before the easting (`33391412.2`), the zone is taken off: no easting is that long.
 */
export function surveyorsFigures({ projection, axes }: System): (x: number, y: number) => [number, number] {
  if (/^(?:Modified )?Krovak/i.test(projection?.method ?? ''))
    return (x, y) => {
      if (!(x > 0 && y > 0)) return [x, y]
      return x < y ? [-x, -y] : [Number.NaN, Number.NaN]
    }
  if (axes.some(({ direction }) => direction === 'west') && axes.some(({ direction }) => direction === 'south'))
    return (x, y) => (y > 0 ? [-x, -y] : [x, y])
  const zone = Number(/^UTM zone (\d{1,2})(?!.*with prefix)/i.exec(projection?.name ?? '')?.[1])
  return zone > 0 ? (x, y) => [Math.floor(x / 1e6) === zone ? x - zone * 1e6 : x, y] : (x, y) => [x, y]
}
