import { type ConnectionOptions, connect } from './http/connection.ts'
import { fences } from './positions/fences.ts'
import { appConfig, apps } from './resources/apps.ts'
import { auth } from './resources/auth.ts'
import { box } from './resources/box.ts'
import { files } from './resources/files.ts'
import { gameSessions, miniGameTypes, reviews } from './resources/games.ts'
import { csvUploads, gcps } from './resources/gcps.ts'
import { leaderboards } from './resources/leaderboards.ts'
import { pins, sharedMaps, zones } from './resources/places.ts'
import { playerData, players } from './resources/players.ts'
import { scans } from './resources/scans.ts'
import { seasons } from './resources/seasons.ts'
import { accounts, auditLog, user, users } from './resources/users.ts'
import { alerts, scoreHooks, webhooks } from './resources/webhooks.ts'

export type Cairn = ReturnType<typeof createCairn>

/** A client with all resources. To keep a bundle small, create only the resources you need: `players(connect({ baseUrl, appKey }))`. */
export function createCairn(options: ConnectionOptions) {
  const connection = connect(options)
  return {
    /** For custom requests. */
    connection,
    apps: apps(connection),
    appConfig: appConfig(connection),
    players: players(connection),
    playerData: playerData(connection),
    miniGameTypes: miniGameTypes(connection),
    gameSessions: gameSessions(connection),
    reviews: reviews(connection),
    leaderboards: leaderboards(connection),
    seasons: seasons(connection),
    fences: fences(connection),
    auth: auth(connection),
    user: user(connection),
    users: users(connection),
    accounts: accounts(connection),
    auditLog: auditLog(connection),
    box: box(connection),
    files: files(connection),
    scans: scans(connection),
    gcps: gcps(connection),
    csvUploads: csvUploads(connection),
    pins: pins(connection),
    zones: zones(connection),
    sharedMaps: sharedMaps(connection),
    webhooks: webhooks(connection),
    alerts: alerts(connection),
    scoreHooks: scoreHooks(connection),
  }
}
