import { CELL_LEVELS, CLUSTER_BELOW, MAX_POINTS, type PointCollection } from '../collections.ts'
import { MAX_ZOOM } from '../schema.ts'
import type { PointRow, TileStore } from '../store.ts'
import type { TileFeature } from '../vector-tile.ts'
import type { LivePoints } from './live-points.ts'
import { EXTENT, type Place, type TileAt } from './mercator.ts'
import type { Cell } from './point-set.ts'
import type { Point } from './sorted-points.ts'

type Deps = { collection: PointCollection; live: LivePoints; store: Pick<TileStore, 'properties'> }

/** The features of a tile of points: single ones, and clusters where a tile may have too many to draw. */
export const pointTiles =
  ({ collection, live, store }: Deps) =>
  async (tile: TileAt): Promise<TileFeature[]> => {
    const points = await live.ready()
    const all = tile.z >= CLUSTER_BELOW ? points.pointsIn(tile, MAX_POINTS) : undefined
    const cells = all ? all.map((middle): Cell => ({ count: 1, middle })) : points.cellsIn(tile, CELL_LEVELS)
    const single = cells.filter(({ count }) => count === 1).map(({ middle }) => live.idOf(middle.key))
    const rows = new Map((await propertiesOf(single)).map((row) => [row.id, row]))
    return cells.flatMap(({ count, middle }): TileFeature[] => {
      if (count > 1) return [clusterAt(tile, count, middle)]
      const row = rows.get(live.idOf(middle.key))
      // Deleted since: the change feed has not reported it yet.
      return row ? [featureAt(tile, middle, row)] : []
    })

    async function propertiesOf(ids: string[]): Promise<PointRow[]> {
      return ids.length === 0 ? [] : store.properties(collection, ids)
    }
  }

const featureAt = (tile: TileAt, point: Point, { featureId, properties }: PointRow): TileFeature => ({
  ...(featureId === null ? {} : { id: Number(featureId) }),
  type: 1,
  geometry: [inTile(tile, point)],
  tags: Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null)),
})

const clusterAt = (tile: TileAt, count: number, middle: Point): TileFeature => ({
  type: 1,
  geometry: [inTile(tile, middle)],
  tags: {
    cluster: true,
    point_count: count,
    point_count_abbreviated: abbreviated(count),
    // Cells have half the side two levels further in: at least one level later the cluster may fall apart.
    expansion_zoom: Math.min(MAX_ZOOM, tile.z + 2),
  },
})

/** The place in units of the tile. */
function inTile({ z, x, y }: TileAt, place: Place): [number, number] {
  const unit = (value: number, from: number) =>
    Math.min(EXTENT - 1, Math.max(0, Math.floor((value * 2 ** z - from) * EXTENT)))
  return [unit(place.x, x), unit(place.y, y)]
}

/** A count in three letters or four: 950, 1.2k, 15k, 1.3M. */
function abbreviated(count: number): string {
  if (count < 1000) return String(count)
  const [value, unit] = count < 1e6 ? [count / 1000, 'k'] : [count / 1e6, 'M']
  return `${value < 10 ? Math.floor(value * 10) / 10 : Math.floor(value)}${unit}`
}
