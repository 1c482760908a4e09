import { apps } from './areas/apps.ts'
import { auth } from './areas/auth.ts'
import { box } from './areas/box.ts'
import { files } from './areas/files.ts'
import { gameSessions, miniGameTypes } from './areas/games.ts'
import { csvUploads, gcps } from './areas/gcps.ts'
import { leaderboards } from './areas/leaderboards.ts'
import { pins, zones } from './areas/places.ts'
import { players } from './areas/players.ts'
import { scans } from './areas/scans.ts'
import { auditLog, user, users } from './areas/users.ts'
import { webhooks } from './areas/webhooks.ts'
import { type ConnectionOptions, connect } from './connection.ts'

export type Cairn = ReturnType<typeof createCairn>

/** The whole service as one object. A page that must stay small takes the areas it needs instead: `players(connect({ baseUrl, appKey }))`. */
export function createCairn(options: ConnectionOptions) {
  const connection = connect(options)
  return {
    /** For operations of your own making. */
    connection,
    apps: apps(connection),
    players: players(connection),
    miniGameTypes: miniGameTypes(connection),
    gameSessions: gameSessions(connection),
    leaderboards: leaderboards(connection),
    auth: auth(connection),
    user: user(connection),
    users: users(connection),
    auditLog: auditLog(connection),
    box: box(connection),
    files: files(connection),
    scans: scans(connection),
    gcps: gcps(connection),
    csvUploads: csvUploads(connection),
    pins: pins(connection),
    zones: zones(connection),
    webhooks: webhooks(connection),
  }
}
