import { asUser, cursorOf, get, moment, type Operation, remove, write } from './operation.ts'
import { idOf, OF_ONE } from './seed.ts'

const APPS = '/api/v1/apps'
const session = (n: number) => `${APPS}/game-sessions/${idOf(Math.floor(n / OF_ONE))}`
const board = `${APPS}/leaderboards/mini-game`

/** Operations on apps, players, sessions, scores and boards. */
export const gameOperations: Operation[] = [
  write('score: write', (_, n, turn) => ({
    method: 'PATCH',
    path: `${session(n)}/players/${idOf(n)}`,
    body: { score: turn % 2 ? n : 1e9 + turn },
  })),
  write('score: 100 of a session', (_, n, turn) => {
    const first = Math.floor(n / OF_ONE) * OF_ONE
    const scores = Array.from({ length: OF_ONE }, (_each, i) => ({ playerId: idOf(first + i), score: turn * 1000 + i }))
    return { path: `${session(n)}/scores`, body: { scores } }
  }),
  get('rank of a player', (_, n) => `${APPS}/players/${idOf(n)}/global-ranking`),
  get('leaderboard: top 100', () => `${board}?limit=100`),
  get(
    'leaderboard: 100 from the middle on',
    ({ rows }, n) => `${board}?limit=100&cursor=${cursorOf(Math.floor(rows / 2), moment(n), idOf(n))}`,
  ),
  get('leaderboard: 11 around a player', (_, n) => `${board}?aroundPlayerId=${idOf(n)}`),
  get('leaderboard of a session of 100', (_, n) => `${session(n)}/leaderboard`),
  get('leaderboards of all types', () => `${APPS}/leaderboards?limit=10`),
  get('player: get', (_, n) => `${APPS}/players/${idOf(n)}`),
  write('player: make', (_, __, turn) => ({
    path: `${APPS}/players`,
    body: { displayName: `New ${turn} ${performance.now()}` },
  })),
  write('player: rename', (_, n, turn) => ({
    method: 'PATCH',
    path: `${APPS}/players/${idOf(n)}`,
    body: { displayName: `Renamed ${turn} ${performance.now()}` },
  })),
  get('players: 100 from the middle on', (_, n) => `${APPS}/players?limit=100&cursor=${cursorOf(moment(n), idOf(n))}`),
  get('session: get', (_, n) => session(n)),
  write('session: make', () => ({ path: `${APPS}/game-sessions`, body: { name: 'Round' } })),
  write('session: a player joins', (_, n, turn) => ({
    path: `${session(n)}/players`,
    body: { playerId: idOf(turn) },
  })),
  get('session: its players', (_, n) => `${session(n)}/players?limit=100`),
  get('sessions: newest 100', () => `${APPS}/game-sessions?limit=100`),
  write('player: make, with an Idempotency-Key', (_, __, turn) => ({
    path: `${APPS}/players`,
    headers: { 'idempotency-key': `key of ${performance.now()}` },
    body: { displayName: `Once ${turn} ${performance.now()}` },
  })),
  get('player: get, with its ranks', (_, n) => `${APPS}/players/${idOf(n)}?includeGlobalRankings=true`),
  get('player: its scores', (_, n) => `${APPS}/players/${idOf(n)}/scores?limit=20`),
  get('players: search', (_, n) => `${APPS}/players?search=player%20${n}&limit=20`),
  get('players: search for what all are called', () => `${APPS}/players?search=play&limit=20`, '1,000 at most'),
  get('sessions: search', (_, n) => `${APPS}/game-sessions?search=round%20${Math.floor(n / OF_ONE)}&limit=20`),
  get('sessions: by a status that none has', () => `${APPS}/game-sessions?status=PAUSED&limit=20`),
  remove('player: delete', (_, n) => `${APPS}/players/${idOf(n)}`),
  get('session: the score of a player', (_, n) => `${session(n)}/players/${idOf(n)}`),
  write('session: change', (_, n, turn) => ({ method: 'PATCH', path: session(n), body: { name: `Round ${turn}` } })),
  remove('session: a player leaves', (_, n) => `${session(n + 1)}/players/${idOf(n + 1)}`),
  get('mini game types', () => `${APPS}/mini-game-types`),
  asUser('apps: mine', () => APPS),
  asUser('apps: public', () => `${APPS}/public`),
  asUser('app: get', ({ app }) => `${APPS}/${app}`),
  asUser('app: at a glance', ({ app }) => `${APPS}/${app}/overview`),
  asUser('app: what it has', ({ app }) => `${APPS}/${app}/contents`, 'scores are counted up to 10,000'),
  asUser('app: usage', ({ app }) => `${APPS}/${app}/usage`),
  asUser('app: keys', ({ app }) => `${APPS}/${app}/api-keys`),
]
