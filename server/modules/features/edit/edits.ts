import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { UserCaller, Writer } from '../../../platform/credentials/callers.ts'
import type { AnyTables } from '../../../platform/database/database.ts'
import { notFound, unavailable } from '../../../platform/errors.ts'
import { assertConditions, type Conditions } from '../../../platform/http/conditions.ts'
import type { WriteCheck } from '../../../platform/records/changes.ts'
import type { Gcps } from '../../gcps/index.ts'
import { GcpChange, NewGcp } from '../../gcps/schema.ts'
import type { Pins } from '../../pins/index.ts'
import { NewPin, PinChange } from '../../pins/schema.ts'
import type { Zones } from '../../zones/index.ts'
import { NewZone, ZoneChange } from '../../zones/schema.ts'
import type { CollectionId } from '../schema.ts'
import { type FeatureRow, featureStore } from '../store.ts'
import { applyMergePatch, type Content, contentOf, type FeaturePatch } from './feature-input.ts'
import { changeOf, type RecordInput, recordOf, validated, withFeaturePaths } from './records.ts'

type Deps = {
  db: Kysely<AnyTables>
  publicUrl: () => string
  pins: Pick<Pins, 'writes'>
  gcps: Pick<Gcps, 'writes'>
  zones: Pick<Zones, 'writes'>
}
/** A feature as written, and its entity tag. */
export type Written = FeatureRow & { tag: string }

type Writes = {
  create: (user: Writer, record: RecordInput) => Promise<number>
  change: (user: Writer, id: number, change: RecordInput, check: WriteCheck) => Promise<unknown>
  remove: (user: Writer, id: number, check: WriteCheck) => Promise<void>
}

/** The entity tag of a feature: of all that it shows, in whatever system. */
export const tagOf = ({ feature }: Pick<FeatureRow, 'feature'>): string =>
  hash('sha256', feature, 'base64url').slice(0, 22)

const ATTEMPTS = 5
/** The record is no longer as it was read. */
const CHANGED = new Error('the record changed meanwhile')

export type Edits = ReturnType<typeof createEdits>

/** Creates, replaces, updates and deletes features (OGC API Features part 4), through the operations of their modules. */
export function createEdits({ db, publicUrl, pins, gcps, zones }: Deps) {
  const read = async (collection: CollectionId, id: number, within = db): Promise<Written | undefined> => {
    const row = await featureStore(within, within, publicUrl).get(collection, id)
    return row && { ...row, tag: tagOf(row) }
  }

  // The guards of the routes require a user where the module does.
  const writes: Record<CollectionId, Writes> = {
    pins: {
      create: async (user, record) => (await pins.writes.create(user as UserCaller, validated(NewPin, record))).id,
      change: (user, id, change, check) =>
        pins.writes.change(user as UserCaller, id, validated(PinChange, change), check),
      remove: (user, id, check) => pins.writes.remove(user as UserCaller, id, check),
    },
    gcps: {
      create: async (user, record) =>
        (await gcps.writes.create(user, validated(NewGcp as z.ZodType<NewGcp>, record))).id,
      change: (user, id, change, check) => gcps.writes.change(user, id, validated(GcpChange, change), check),
      remove: gcps.writes.remove,
    },
    zones: {
      create: async (user, record) => (await zones.writes.create(user as UserCaller, validated(NewZone, record))).id,
      change: (user, id, change, check) =>
        zones.writes.change(user as UserCaller, id, validated(ZoneChange, change), check),
      remove: (user, id, check) => zones.writes.remove(user as UserCaller, id, { cascade: false }, check),
    },
  }

  /** Runs a write on the feature as it is read, again if it changed in between. @throws 404, 412, 503 */
  const onCurrent = async (
    collection: CollectionId,
    id: number,
    conditions: Conditions,
    write: (current: Written, check: WriteCheck) => Promise<unknown>,
  ): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const current = await read(collection, id)
      assertConditions(conditions, current?.tag)
      if (!current) throw notFound('Feature')
      const check: WriteCheck = async (within) => {
        const now = await read(collection, id, within)
        if (now && now.tag !== current.tag) throw CHANGED
      }
      try {
        await withFeaturePaths(() => write(current, check))
        return
      } catch (error) {
        if (error !== CHANGED) throw error
        if (attempt === ATTEMPTS) throw unavailable('The feature is being changed by others: try again', 1)
      }
    }
  }

  const written = async (collection: CollectionId, id: number): Promise<Written> => {
    const row = await read(collection, id)
    if (!row) throw notFound('Feature')
    return row
  }

  const change = async (
    user: Writer,
    collection: CollectionId,
    id: number,
    conditions: Conditions,
    next: (current: RecordInput) => Content,
  ): Promise<Written> => {
    await onCurrent(collection, id, conditions, (current, check) => {
      const shown = JSON.parse(current.feature) as Content & RecordInput
      const [before, after] = [contentOf(collection, shown), next(shown)].map(recordOf[collection])
      return writes[collection].change(user, id, changeOf(collection, before!, after!), check)
    })
    return written(collection, id)
  }

  return {
    /** @throws 400; 409 as the module's own operation */
    async create(user: Writer, collection: CollectionId, content: Content): Promise<Written> {
      const record = recordOf[collection](content)
      return written(collection, await withFeaturePaths(() => writes[collection].create(user, record)))
    },

    /** @throws 400, 403, 404, 409, 412 */
    replace: (user: Writer, collection: CollectionId, id: number, conditions: Conditions, content: Content) =>
      change(user, collection, id, conditions, () => content),

    /** Absent members are unchanged. @throws 400, 403, 404, 409, 412 */
    update: (user: Writer, collection: CollectionId, id: number, conditions: Conditions, patch: FeaturePatch) =>
      change(user, collection, id, conditions, (shown) =>
        contentOf(collection, applyMergePatch(shown, { geometry: patch.geometry, properties: patch.properties ?? {} })),
      ),

    /** @throws 403, 404, 409, 412 */
    remove: (user: Writer, collection: CollectionId, id: number, conditions: Conditions) =>
      onCurrent(collection, id, conditions, (_current, check) => writes[collection].remove(user, id, check)),
  }
}
