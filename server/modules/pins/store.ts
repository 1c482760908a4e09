import { type Kysely, sql } from 'kysely'
import type { NewPin, Pin } from './schema.ts'

type PinsTable = {
  id: number
  title: string
  latitude: number | null
  longitude: number | null
  geo_pose: Pin['geoPose']
  content_type: Pin['contentType']
  content_url: string | null
  localization_data: Pin['localizationData']
  zone_id: number | null
  gcp_id: number | null
  user_id: string | null
  visibility: Pin['visibility']
  relocalization_photo_url: string | null
  scan_instructions: string | null
  camera_pose_hint: Pin['cameraPoseHint']
  blockchain_signature: string | null
  blockchain_tx_url: string | null
  blockchain_synced_at: string | null
  created_at: string
  updated_at: string
  place: string | null
}
export type PinTables = { pins: PinsTable }

export const pinColumns = [
  'id',
  'title',
  'latitude',
  'longitude',
  'geo_pose as geoPose',
  'content_type as contentType',
  'content_url as contentUrl',
  'localization_data as localizationData',
  'zone_id as zoneId',
  'gcp_id as gcpId',
  'user_id as userId',
  'visibility',
  'relocalization_photo_url as relocalizationPhotoUrl',
  'scan_instructions as scanInstructions',
  'camera_pose_hint as cameraPoseHint',
  'blockchain_signature as blockchainSignature',
  'blockchain_tx_url as blockchainTxUrl',
  'blockchain_synced_at as blockchainSyncedAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const json = <T>(value: T | null | undefined) => sql<T>`${value == null ? null : JSON.stringify(value)}::jsonb`

/** Pins, in SQL. Where they are near what is pin-search's to say. */
export function pinStore(db: Kysely<PinTables>) {
  return {
    /** Coordinates come from the pose when they are not given themselves. @throws a foreign key violation for an unknown zone. */
    insert: (pin: NewPin, userId: string): Promise<Pin> =>
      db
        .insertInto('pins')
        .values({
          title: pin.title,
          latitude: pin.latitude ?? pin.geoPose?.position.lat ?? null,
          longitude: pin.longitude ?? pin.geoPose?.position.lon ?? null,
          geo_pose: json(pin.geoPose),
          content_type: pin.contentType,
          content_url: pin.contentUrl ?? null,
          localization_data: json(pin.localizationData && { worldmapURL: null, ...pin.localizationData }),
          zone_id: pin.zoneId ?? null,
          user_id: userId,
          visibility: pin.visibility,
          relocalization_photo_url: pin.relocalizationPhotoUrl ?? null,
          scan_instructions: pin.scanInstructions ?? null,
          camera_pose_hint: json(pin.cameraPoseHint),
        } as never)
        .returning(pinColumns)
        .executeTakeFirstOrThrow(),

    get: (id: number): Promise<Pin | undefined> =>
      db.selectFrom('pins').select(pinColumns).where('id', '=', id).executeTakeFirst(),

    /** The pins of ground control points, by their ids. */
    async ofGcps(gcpIds: number[]): Promise<Map<number, Pin>> {
      if (gcpIds.length === 0) return new Map()
      const pins = await db
        .selectFrom('pins')
        .select(pinColumns)
        .where('gcp_id', '=', sql<number>`any(${gcpIds})`)
        .execute()
      return new Map(pins.map((pin) => [pin.gcpId!, pin]))
    },
  }
}
export type PinStore = ReturnType<typeof pinStore>
