import type { App, Cairn, MiniGameLeaderboard, Pages, Player } from '../index.ts'

/** Held by the compiler: what is marked as wrong must be an error, and everything else must be none. */
export async function exactTypes(cairn: Cairn) {
  const player: Player = await cairn.players.create({ displayName: 'Ada', userId: null })
  const name: string = player.displayName
  const list: Pages<App> = cairn.apps.list({ limit: 10 })
  const boards: AsyncGenerator<MiniGameLeaderboard> = cairn.leaderboards.follow({ miniGameTypeName: 'Hill run' })

  // @ts-expect-error a member that players do not have
  player.score
  // @ts-expect-error a required member is missing
  await cairn.players.create({ userId: null })
  // @ts-expect-error a member that is misspelt
  await cairn.players.create({ displayname: 'Ada' })
  // @ts-expect-error a value that is not allowed
  await cairn.apps.create({ name: 'Trail', description: 'A game', visibility: 'public' })
  // @ts-expect-error an id of another kind
  await cairn.pins.get('1')
  // @ts-expect-error a filter that this list does not have
  cairn.players.list({ status: 'ACTIVE' })
  // @ts-expect-error this may be null
  const username: string = (await cairn.user.get()).username
  // @ts-expect-error an address that no operation has
  await cairn.connection.get<{ url: '/api/zones' }, unknown>('/api/zone', {})
  // @ts-expect-error an operation without an Idempotency-Key is not sent again
  await cairn.connection.post<{ url: '/auth/sync' }, unknown>('/auth/sync', {})

  return { name, list, boards, username }
}
