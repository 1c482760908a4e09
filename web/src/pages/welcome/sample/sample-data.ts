import { type Cairn, CairnError, type GameSession, type MiniGameType, type Player } from '@cairn/sdk'
import { messages } from '../../../messages/index.ts'
import type { GuideSearch } from '../steps.ts'
import { sampleModel } from './sample-model.ts'

const names = messages.welcome.sampleNames
const SCORES = [9840, 9615, 9615, 9310, 9120, 8975, 8860, 8790]
/** Around the Royal Observatory, Greenwich: latitude, longitude. */
const PLACES = [
  [51.4779, -0.0014],
  [51.4781, -0.0004],
  [51.4776, -0.0021],
] as const
const PARK = [
  [-0.0062, 51.4741],
  [0.0068, 51.4756],
  [0.0051, 51.4812],
  [-0.0058, 51.4803],
]

/** The sample data created so far. Retrying creates only the missing parts. */
export type Sample = {
  players?: Player[]
  game?: MiniGameType
  session?: GameSession
  model?: { fileId: number; url: string }
  zoneId?: number
  pinIds?: number[]
}
export type Part = 'players' | 'game' | 'session' | 'model' | 'zone' | 'pins'
export const PARTS: Part[] = ['players', 'game', 'session', 'model', 'zone', 'pins']

/** Creates one part. Game data is created as the app, the rest as the user. @throws CairnError */
export async function makePart(part: Part, made: Sample, cairns: { app: Cairn; person: Cairn }): Promise<Sample> {
  return { ...made, ...(await MAKERS[part](made, cairns.app, cairns.person)) }
}

const MAKERS: Record<Part, (made: Sample, app: Cairn, person: Cairn) => Promise<Sample>> = {
  async players(_made, app) {
    const players: Player[] = []
    for (const displayName of names.players) players.push(await playerCalled(displayName, app))
    return { players }
  },
  async game(_made, app) {
    const made = () => app.miniGameTypes.create({ name: names.game, description: names.gameText })
    const there = async () => (await app.miniGameTypes.list().all()).find(({ name }) => name === names.game)
    return { game: await createOrFind(made, there) }
  },
  async session({ players, game }, app) {
    const session = await app.gameSessions.create({ name: names.session, miniGameTypeId: game!.id })
    for (const { id } of players!) await app.gameSessions.join(session.id, id)
    const scores = players!.map(({ id }, n) => ({ playerId: id, score: SCORES[n]! }))
    await app.gameSessions.setScores(session.id, scores)
    return { session }
  },
  async model(_made, _app, person) {
    const model = await person.files.upload(sampleModel(), { fileName: names.model })
    await person.files.convert(model.fileId)
    return { model }
  },
  async zone(_made, _app, person) {
    const ring = [...PARK, PARK[0]!]
    const boundary = { type: 'Polygon' as const, coordinates: [ring] }
    const { id } = await person.zones.create({ title: names.zone, description: names.zoneText, boundary })
    return { zoneId: id }
  },
  async pins({ model, zoneId }, _app, person) {
    const pinIds: number[] = []
    for (const [n, title] of names.pins.entries()) {
      const [latitude, longitude] = PLACES[n]!
      const content =
        n === 0 ? { contentType: 'GLB' as const, contentUrl: model!.url } : { contentType: 'OTHER' as const }
      const pin = await person.pins.create({ title, latitude, longitude, zoneId, visibility: 'private', ...content })
      pinIds.push(pin.id)
    }
    return { pinIds }
  },
}

const playerCalled = (displayName: string, app: Cairn): Promise<Player> =>
  createOrFind(
    () => app.players.create({ displayName }),
    async () => (await app.players.list({ search: displayName }).all()).find((one) => one.displayName === displayName),
  )

/** Creates a record, or finds the existing one with the same name. */
async function createOrFind<Thing>(make: () => Promise<Thing>, find: () => Promise<Thing | undefined>): Promise<Thing> {
  try {
    return await make()
  } catch (error) {
    const there = error instanceof CairnError && error.status === 409 ? await find() : undefined
    if (there) return there
    throw error
  }
}

/** The parts that later steps of the guide use. */
export const madeOf = ({ game, model, pinIds }: Sample): GuideSearch => ({
  ...(game ? { board: game.id } : {}),
  ...(model ? { file: model.fileId } : {}),
  ...(pinIds ? { pin: pinIds[0]! } : {}),
})
