import { z } from 'zod'

export const exportFormats = ['csv', 'geojson', 'kml', 'gcp_list'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const ExportQuery = z.object({
  format: z
    .enum(exportFormats)
    .default('csv')
    .describe('csv can be imported again; gcp_list is for OpenDroneMap and holds no positions in photos'),
})

/** A ground control point as files have it: degrees on WGS84, metres. */
export type ExportedGcp = {
  id: number
  title: string
  description: string | null
  gcpType: string
  aprilTagId: number | null
  gcpData: string | null
  photoUrls: string[]
  latitude: number | null
  longitude: number | null
  /** Above the ellipsoid. Of a point that was imported before heights were brought there, what was measured. */
  h: number | null
  /** The height that was measured. */
  altitude: number | null
  yaw: number | null
  pitch: number | null
  roll: number | null
  accuracyH: number | null
  accuracyV: number | null
  /** What the height that was measured is above; null where nobody said. */
  heightDatum: string | null
  /** The geoid model that led from there to `h`, and its accuracy in metres. */
  heightOperation: string | null
  heightAccuracy: number | null
  createdAt: string
  updatedAt: string
}
