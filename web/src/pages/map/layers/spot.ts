/** A collection that is drawn from tiles where a view has too many of its features to load. */
export type TiledCollection = 'pins' | 'gcps'

/** An item at one location: a pin, a control point or a scan. */
export type Spot = {
  kind: 'pin' | 'gcp' | 'scan'
  id: string
  title: string
  lat: number
  lon: number
  /** The content type of a pin. */
  content: string | null
  /** The AprilTag of a control point. */
  tag: number | null
  /** A private pin, which no tile has. */
  isPrivate?: boolean
  /** How many places it stands for, of a cluster in a tile, and the zoom level of the tile. */
  count?: number
  zoom?: number
}
/** The distance in metres from the search point or the map centre. */
export type ListedSpot = Spot & { distance: number }

/** What a cluster counts, in the order of its ring: pins inside and outside the radius, control points and scans. */
export const PARTS = ['inside', 'outside', 'gcps', 'scans'] as const
export type Part = (typeof PARTS)[number]
