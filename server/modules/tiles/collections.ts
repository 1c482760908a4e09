/** A layer of tiles. Its tiles have one layer of that name. */
export type TileCollection = keyof typeof tileCollections
export type PointCollection = Exclude<TileCollection, 'zones'>

/** What tiles hold, by collection: the properties of features with their meaning. */
export const tileCollections = {
  pins: {
    title: 'Pins',
    description: 'Public pins that have a location',
    dimension: 0,
    fields: {
      title: 'Title',
      contentType: 'Content type',
      gcpId: 'ID of the ground control point that the pin is the place of, if there is one',
    },
    /** Whether features are open to everyone, as those of the collection are. */
    isOpen: true,
  },
  gcps: {
    title: 'Ground control points',
    description: 'Ground control points that have a location',
    dimension: 0,
    fields: { title: 'Title', gcpType: 'SINGLE or MULTI', aprilTagId: 'Number of the AprilTag, if there is one' },
    isOpen: true,
  },
  zones: {
    title: 'Zones',
    description: 'Zones that have a boundary',
    dimension: 2,
    fields: { title: 'Title' },
    isOpen: true,
  },
  scans: {
    title: 'Scans',
    description: 'Public scans that have a location; listing them requires an app key',
    dimension: 0,
    fields: { scanId: 'ID of the scan', title: 'Title', category: 'Category', fileType: 'Type of the file' },
    isOpen: false,
  },
} as const satisfies Record<
  string,
  { title: string; description: string; dimension: 0 | 2; fields: Record<string, string>; isOpen: boolean }
>
export const tileCollectionIds = Object.keys(tileCollections) as TileCollection[]
export const pointCollectionIds = tileCollectionIds.filter((id) => id !== 'zones')

/** Below this zoom level points are in clusters, and alone where a cell of the tile has one. */
export const CLUSTER_BELOW = 15
/** A tile has `2^CELL_LEVELS` cells along each side: 64 pixels each, if tiles are drawn with 512. */
export const CELL_LEVELS = 3
/** A tile that has more points than this has clusters at any zoom level. */
export const MAX_POINTS = 2000
