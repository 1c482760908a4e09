import { type Kysely, sql } from 'kysely'
import type { AnyTables, Database } from '../../platform/database/database.ts'
import { namedRead } from '../../platform/database/query/named-read.ts'
import type { RecordCheck } from '../../platform/records/changes.ts'
import { assignments, insertedValues, selectList } from '../../platform/records/columns.ts'
import { pinFields } from './record.ts'
import type { NewPin, Pin, PinWrite } from './schema.ts'

const columns = selectList(pinFields)

/** A pin, and who may change what is in its zone. */
export type OwnedPin = { pin: Pin; zoneOwner: string | null; zoneEditors: string[] }

/** A pin as it is stored: `localizationData` always has a `worldmapURL`. */
const stored = <Written extends Pick<NewPin, 'localizationData'>>(pin: Written): Written => ({
  ...pin,
  localizationData: pin.localizationData && { worldmapURL: null, ...pin.localizationData },
})

/** Pins, in SQL. Searches by distance are in search/pin-search.ts. */
export function pinStore({ kysely: db, reading }: Pick<Database, 'kysely' | 'reading'>) {
  return {
    /** Inserts a pin; without coordinates, it gets those of its pose. @throws a foreign key violation for an unknown zone */
    async insert(pin: NewPin, userId: string): Promise<Pin> {
      const { lat, lon } = pin.geoPose?.position ?? {}
      const located = { ...stored(pin), latitude: pin.latitude ?? lat, longitude: pin.longitude ?? lon }
      const values = insertedValues(pinFields, located, { user_id: userId })
      const { rows } = await sql<Pin>`insert into pins ${values} returning ${columns}`.execute(db)
      return rows[0]!
    },

    get: async (id: number): Promise<OwnedPin | undefined> => ownedIn(await namedRead(reading, 'pin', owned(id))),

    /**
     * Changes a pin. `decide` receives the locked pin. If it returns a record, that is written; any other outcome is returned and
     * nothing is written. @returns undefined if the pin does not exist @throws the error of `check`
     */
    change: <Other extends { refusal: unknown } | { same: unknown }>(
      id: number,
      decide: (current: OwnedPin) => PinWrite | Other,
      check?: RecordCheck<OwnedPin>,
    ): Promise<Pin | Other | undefined> =>
      db.transaction().execute(async (trx) => {
        const current = await findLocked(trx, id)
        if (!current) return undefined
        await check?.(trx, current)
        const decision = decide(current)
        if ('refusal' in decision || 'same' in decision) return decision as Other
        const { rows } = await sql<Pin>`
          update pins set ${assignments(pinFields, stored(decision))}, updated_at = clock_timestamp()
           where id = ${id} returning ${columns}`.execute(trx)
        return rows[0]!
      }),

    /** Deletes a pin that belongs to no GCP. @returns whether it existed @throws the error of `check` */
    async remove(id: number, check?: RecordCheck<OwnedPin>): Promise<boolean> {
      const removed = async (within: Kysely<AnyTables>) => {
        const { rows } = await sql`delete from pins where id = ${id} and gcp_id is null returning id`.execute(within)
        return rows.length > 0
      }
      if (!check) return removed(db)
      return db.transaction().execute(async (trx) => {
        const current = await findLocked(trx, id)
        if (current) await check(trx, current)
        return removed(trx)
      })
    },
  }
}
export type PinStore = ReturnType<typeof pinStore>

/** Reads the pins of ground control points, by GCP ID. */
export const pinsOfGcps =
  (db: Kysely<AnyTables>) =>
  async (gcpIds: number[]): Promise<Map<number, Pin>> => {
    if (gcpIds.length === 0) return new Map()
    const { rows } = await sql<Pin>`select ${columns} from pins where gcp_id = any(${gcpIds})`.execute(db)
    return new Map(rows.map((pin) => [pin.gcpId!, pin]))
  }

type OwnedRow = Pin & Omit<OwnedPin, 'pin'>

const owned = (id: number) => sql<OwnedRow>`
  select ${columns}, (select z.user_id from zones z where z.id = pins.zone_id) as "zoneOwner",
         array(select e.user_id from zone_editors e where e.zone_id = pins.zone_id) as "zoneEditors"
    from pins where id = ${id}`

function ownedIn([row]: OwnedRow[]): OwnedPin | undefined {
  if (!row) return undefined
  const { zoneOwner, zoneEditors, ...pin } = row
  return { pin, zoneOwner, zoneEditors }
}

const findLocked = async (trx: Kysely<AnyTables>, id: number): Promise<OwnedPin | undefined> =>
  ownedIn((await sql<OwnedRow>`${owned(id)} for update`.execute(trx)).rows)
