import { z } from 'zod'
import type { TagPose } from '../gcps/tags/schema.ts'
import type { UploadedFile } from '../photos/schema.ts'

export const exportFormats = [
  'csv',
  'xlsx',
  'geojson',
  'gpkg',
  'shp',
  'kml',
  'gpx',
  'dxf',
  'pnezd',
  'gcp_list',
  'opensfm',
] as const
export type ExportFormat = (typeof exportFormats)[number]

export const ExportQuery = z.object({
  format: z
    .enum(exportFormats)
    .default('csv')
    .describe(
      'csv, xlsx, geojson, gpkg, shp, kml, gpx and dxf can be imported again. dxf and pnezd require `crs`; kml, gpx and opensfm are always in WGS84. gcp_list is for OpenDroneMap, opensfm is the ground_control_points.json of OpenSfM: both have the pixels of tags in photos',
    ),
  crs: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe(
      'Reference system of the written coordinates: a code (EPSG:25833, ESRI:102100), a name or PROJ text; WGS84 if absent',
    ),
  maxError: z.coerce
    .number()
    .min(0.001)
    .max(10_000)
    .optional()
    .describe(
      'Largest allowed error, in metres, of the transformation from WGS84. Without it, only transformations that ignore the difference between the datums are refused',
    ),
})
export type ExportQuery = z.infer<typeof ExportQuery>

/** A ground control point in exported files: degrees on WGS84, metres. */
export type ExportedGcp = {
  id: number
  title: string
  description: string | null
  gcpType: string
  aprilTagId: number | null
  /** Metres of a side of the tag, and how it is placed. */
  tagSize: number | null
  tagPose: TagPose | null
  gcpData: string | null
  photoUrls: string[]
  latitude: number | null
  longitude: number | null
  /** Height above the ellipsoid. For points imported before heights were transformed, the measured height. */
  h: number | null
  /** The measured height. */
  altitude: number | null
  yaw: number | null
  pitch: number | null
  roll: number | null
  accuracyH: number | null
  accuracyV: number | null
  /** The vertical datum of the measured height; null if unknown. */
  heightDatum: string | null
  /** The geoid model that led from it to `h`, and its accuracy in metres. */
  heightOperation: string | null
  heightAccuracy: number | null
  createdAt: string
  updatedAt: string
}

/** A point with its coordinates in the system of the export: easting (or longitude) and northing (or latitude). */
export type PlacedGcp = ExportedGcp & { x: number | null; y: number | null }

/** The reference system of an export. */
export type ExportSystem = {
  /** Its name in a file: a code such as `EPSG:25833`, or proj text. */
  name: string
  kind: 'geographic' | 'projected'
  /** Metres per unit; 1 for degrees too. */
  unit: number
  /** Whether the official axis order is northing (or latitude) first. */
  northFirst: boolean
  /** Whether its axes point west and south, so that coordinates are westings and southings. */
  isReversed: boolean
  wkt: string
  /** Its area of use in degrees: west, south, east, north. */
  area: readonly number[] | undefined
}

/** An operation that transformed points from WGS84 to the system of the export. */
export type UsedOperation = {
  name: string
  /** Metres; null if not stated. */
  accuracy: number | null
  points: number
}

/** An uploaded photo of a point, where its tag is in it, and what its check found. */
export type ExportedPhoto = Pick<
  UploadedFile,
  'fileUrl' | 'fileName' | 'tagCheck' | 'tags' | 'width' | 'height' | 'exif' | 'notes'
>

/** The content of an exported file. Without `system` it is in WGS84: `x` is the longitude, `y` the latitude. */
export type Export = {
  /** The zone's title. */
  name: string
  system: ExportSystem | undefined
  operations: readonly UsedOperation[]
  batches: AsyncIterable<PlacedGcp[]>
  /** The uploaded photos of points. */
  photosOf: (gcpIds: number[]) => Promise<Map<number, ExportedPhoto[]>>
  /** Photos of other points that show the tag of a point, by the ID of that point. */
  otherPhotos: () => Promise<Map<number, ExportedPhoto[]>>
}
