import type { Row } from './check-rows.ts'
import type { ImportStore, NamedPlayer } from './store.ts'

type Deps = { store: ImportStore; newId: () => string }

const BATCH = 1000

/** The players that the rows of a file name. */
export function importPlayers({ store, newId }: Deps) {
  const inBatches = async <One>(all: One[], work: (batch: One[]) => Promise<void>) => {
    for (let at = 0; at < all.length; at += BATCH) await work(all.slice(at, at + BATCH))
  }

  const assign = (rows: Row[], players: NamedPlayer[]) => {
    const ids = new Map(players.map(({ id, nameKey }) => [nameKey, id]))
    for (const row of rows) row.playerId ??= ids.get(row.nameKey!)
  }

  const findByName = (appId: string, rows: Row[]) =>
    inBatches(
      rows.filter(({ playerId, nameKey }) => playerId === undefined && nameKey !== undefined),
      async (batch) =>
        assign(
          batch,
          await store.playersNamed(
            appId,
            batch.map(({ nameKey }) => nameKey!),
          ),
        ),
    )

  return {
    /** Sets the `playerId` of rows: by the ID in the file if the app has that player, otherwise by name. */
    async find(appId: string, rows: Row[]): Promise<void> {
      await inBatches(
        rows.filter(({ playerId }) => playerId !== undefined),
        async (batch) => {
          const known = new Set(
            await store.playersWithId(
              appId,
              batch.map(({ playerId }) => playerId!),
            ),
          )
          for (const row of batch) {
            if (known.has(row.playerId!)) continue
            const id = row.playerId
            row.playerId = undefined
            if (row.nameKey === undefined)
              row.refused = {
                status: 'failed',
                code: 'player_unknown',
                message: `This app has no player with the ID ${id}`,
              }
          }
        },
      )
      await findByName(
        appId,
        rows.filter(({ refused }) => !refused),
      )
    },

    /** Creates the players that are missing. Their names do not repeat. @returns how many were created */
    async create(appId: string, rows: Row[]): Promise<number> {
      const missing = rows.filter(({ playerId }) => playerId === undefined)
      let created = 0
      await inBatches(missing, async (batch) => {
        const wanted = batch.map(({ displayName, nameKey }) => ({
          id: newId(),
          displayName: displayName!,
          nameKey: nameKey!,
        }))
        const made = await store.createPlayers(appId, wanted)
        created += made.length
        assign(batch, made)
      })
      // Somebody else has created these meanwhile.
      await findByName(appId, missing)
      return created
    },
  }
}
export type Players = ReturnType<typeof importPlayers>
