import { type Asked, ask, formOf, send } from '../load/http-client.ts'
import { idOf, type MixedWorld, placeOf, sessionOf } from './world.ts'

/** @param share of all requests, in per cent */
export type MixedOperation = { name: string; share: number; run: () => Promise<unknown> }

const any = (count: number) => Math.floor(Math.random() * count)
/** Skewed: some are requested much more often than others. */
const liked = (count: number) => Math.floor(count * Math.random() ** 3)
let made = 0
const fresh = () => `${process.pid} ${++made}`

/** 60 % reads of boards, players and pins; 30 % scores; 10 % the rest. */
export function mixedOperations(url: string, { key, token, sizes }: MixedWorld): MixedOperation[] {
  const { players, boards, sessions, pins, gcps, zones } = sizes
  const apps = `${url}/api/v1/apps`
  const json = { 'content-type': 'application/json' }
  const [app, user] = [{ 'x-app-api-key': key }, { authorization: `Bearer ${token}` }]
  const read = (path: string) => send(path, { headers: app })
  const write = (who: object, path: string, body: object, method = 'POST') =>
    send(path, { method, headers: { ...who, ...json }, body: JSON.stringify(body) })
  const heard = async (who: object, path: string, body: object) =>
    JSON.parse(await ask(path, { method: 'POST', headers: { ...who, ...json }, body: JSON.stringify(body) } as Asked))
  const player = () => idOf(liked(players))
  const board = () => `miniGameTypeId=${idOf(liked(boards))}`
  const around = () => {
    const { latitude, longitude } = placeOf(liked(pins))
    return `lat=${latitude}&lon=${longitude}`
  }
  const ofSession = (session: number) => `${apps}/game-sessions/${idOf(session)}`
  const upload = () => {
    const { headers, ...form } = formOf('note.txt', fresh().padEnd(4000))
    return ask(`${url}/api/upload`, { ...form, headers: { ...user, ...headers } })
  }
  const operation = (share: number, name: string, run: () => Promise<unknown>): MixedOperation => ({ name, share, run })

  return [
    operation(12, 'player', () => read(`${apps}/players/${player()}`)),
    operation(10, 'leaderboard of 100', () => read(`${apps}/leaderboards/mini-game?${board()}&limit=100`)),
    operation(4, 'leaderboard around a player', () => {
      const one = liked(players)
      const type = idOf(((sessionOf(one, sizes) + any(2)) % sessions) % boards)
      return read(`${apps}/leaderboards/mini-game?miniGameTypeId=${type}&aroundPlayerId=${idOf(one)}`)
    }),
    operation(12, 'rank', () => {
      const one = liked(players)
      return read(`${apps}/players/${idOf(one)}/global-ranking?miniGameTypeId=${idOf((one % sessions) % boards)}`)
    }),
    operation(2, 'session', () => read(ofSession(any(sessions)))),
    operation(10, 'pins within 200 m', () => send(`${url}/api/location/pins?${around()}&radius=200`)),
    operation(5, 'nearest 20 pins', () => send(`${url}/api/location/pins?${around()}&nearest=20`)),
    operation(5, 'pin', () => send(`${url}/api/location/pins/${1 + liked(pins)}`)),

    operation(28, 'score', () => {
      const one = liked(players)
      const score = Math.floor(Math.random() * 1e6)
      return write(app, `${ofSession(sessionOf(one, sizes))}/players/${idOf(one)}`, { score }, 'PATCH')
    }),
    operation(2, '20 scores of a session', () => {
      const session = any(sessions)
      const first = any(players / sessions - 20)
      const scores = Array.from({ length: 20 }, (_, i) => ({
        playerId: idOf((first + i) * sessions + session),
        score: Math.floor(Math.random() * 1e6),
      }))
      return write(app, `${ofSession(session)}/scores`, { scores })
    }),

    operation(1.5, 'new player', () => write(app, `${apps}/players`, { displayName: `New ${fresh()}` })),
    operation(1, 'player renamed', () =>
      write(app, `${apps}/players/${player()}`, { displayName: `Name ${fresh()}` }, 'PATCH'),
    ),
    operation(0.5, 'new session', () =>
      write(app, `${apps}/game-sessions`, { miniGameTypeId: idOf(any(boards)), name: 'Round' }),
    ),
    operation(1.5, 'player joins a session', () =>
      write(app, `${ofSession(any(sessions))}/players`, { playerId: player() }),
    ),
    operation(1, 'survey point', () => send(`${url}/api/gcp/${1 + any(gcps)}`)),
    operation(1, 'survey points of a zone', () => send(`${url}/api/gcp?zoneId=${1 + any(zones)}&limit=100`)),
    operation(1, 'new survey point', () =>
      write(user, `${url}/api/gcp`, {
        title: `New ${fresh()}`,
        gcpType: 'SINGLE',
        zoneId: 1 + any(zones),
        geoPose: { position: { lat: any(120) - 60, lon: any(340) - 170, h: 5 }, angles: { yaw: 0, pitch: 0, roll: 0 } },
      }),
    ),
    operation(1, 'new pin', () =>
      write(user, `${url}/api/location/pins`, { title: 'New', contentType: 'GLB', ...placeOf(any(pins)) }),
    ),
    operation(0.5, 'small file up', upload),
    operation(0.5, 'small file up and down', async () => {
      const { results } = JSON.parse(await upload())
      await send(results[0].url)
    }),
    operation(0.5, 'code made and exchanged', async () => {
      const { code } = await heard(app, `${url}/auth/codes`, { playerId: player() })
      const { status } = await heard(app, `${url}/auth/codes/exchange`, { code })
      // A code created by another client for the same player meanwhile replaces this one.
      if (status === 'ERROR') throw new Error('a code could not be decided')
    }),
  ]
}
