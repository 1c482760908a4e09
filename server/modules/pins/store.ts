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

/** A pin, and who owns the zone it is in. */
export type OwnedPin = { pin: Pin; zoneOwner: string | null }
/** What a change writes: everything that can change. */
export type PinWrite = Omit<Pin, 'id' | 'gcpId' | 'userId' | 'createdAt' | 'updatedAt' | 'pose'>

/** What is written of a new pin as of a changed one. */
const written = (pin: Omit<PinWrite, `blockchain${string}`>) => ({
  title: pin.title,
  latitude: pin.latitude,
  longitude: pin.longitude,
  geo_pose: json(pin.geoPose),
  content_type: pin.contentType,
  content_url: pin.contentUrl,
  localization_data: json(pin.localizationData && { worldmapURL: null, ...pin.localizationData }),
  zone_id: pin.zoneId,
  visibility: pin.visibility,
  relocalization_photo_url: pin.relocalizationPhotoUrl,
  scan_instructions: pin.scanInstructions,
  camera_pose_hint: json(pin.cameraPoseHint),
})

/** Pins, in SQL. Where they are near what is pin-search's to say. */
export function pinStore(db: Kysely<PinTables>) {
  return {
    /** Coordinates come from the pose when they are not given themselves. @throws a foreign key violation for an unknown zone. */
    insert: (pin: NewPin, userId: string): Promise<Pin> =>
      db
        .insertInto('pins')
        .values({
          ...written({
            ...pin,
            latitude: pin.latitude ?? pin.geoPose?.position.lat ?? null,
            longitude: pin.longitude ?? pin.geoPose?.position.lon ?? null,
            geoPose: pin.geoPose ?? null,
            contentUrl: pin.contentUrl ?? null,
            localizationData: pin.localizationData ?? null,
            zoneId: pin.zoneId ?? null,
            relocalizationPhotoUrl: pin.relocalizationPhotoUrl ?? null,
            scanInstructions: pin.scanInstructions ?? null,
            cameraPoseHint: pin.cameraPoseHint ?? null,
          }),
          user_id: userId,
        } as never)
        .returning(pinColumns)
        .executeTakeFirstOrThrow(),

    get: (id: number): Promise<OwnedPin | undefined> => ownedIn(db, id),

    /**
     * Changes a pin. `decide` sees it as it is by then, while nobody else can change it, and gives what is to be written,
     * or something else that is handed back with nothing written. @returns undefined when there is no such pin
     */
    change: <Other extends { refusal: unknown } | { same: unknown }>(
      id: number,
      decide: (current: OwnedPin) => PinWrite | Other,
    ): Promise<Pin | Other | undefined> =>
      db.transaction().execute(async (trx) => {
        const current = await ownedIn(trx, id, true)
        if (!current) return undefined
        const decision = decide(current)
        if ('refusal' in decision || 'same' in decision) return decision as Other
        return trx
          .updateTable('pins')
          .set({
            ...written(decision),
            blockchain_signature: decision.blockchainSignature,
            blockchain_tx_url: decision.blockchainTxUrl,
            blockchain_synced_at: decision.blockchainSyncedAt,
            updated_at: sql`clock_timestamp()`,
          } as never)
          .where('id', '=', id)
          .returning(pinColumns)
          .executeTakeFirstOrThrow()
      }),

    /** Takes a pin away that is no GCP's. @returns whether there was one */
    async remove(id: number): Promise<boolean> {
      const { rows } = await sql`delete from pins where id = ${id} and gcp_id is null returning id`.execute(db)
      return rows.length > 0
    },

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

async function ownedIn(db: Kysely<PinTables>, id: number, forUpdate = false): Promise<OwnedPin | undefined> {
  const query = db
    .selectFrom('pins')
    .select(pinColumns)
    .select(sql<string | null>`(select z.user_id from zones z where z.id = pins.zone_id)`.as('zoneOwner'))
    .where('id', '=', id)
  const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirst()
  if (!row) return undefined
  const { zoneOwner, ...pin } = row
  return { pin, zoneOwner }
}
