export { type Cairn, createCairn } from './cairn.ts'
export type * from './generated/types.gen.ts'
export type { Conditions } from './http/conditions.ts'
export {
  type CallOptions,
  type Connection,
  type ConnectionOptions,
  connect,
  type Session,
  type Tagged,
} from './http/connection.ts'
export { CairnError, type Issue } from './http/error.ts'
export type { FollowOptions } from './http/event-stream.ts'
export type { Page, Pages } from './http/pagination.ts'
export type { Progress, UploadOptions } from './http/resumable-upload.ts'
export type { RetryPlan } from './http/retry.ts'
export { type KeptSession, keepSession } from './http/session.ts'
export { type FollowedFenceEvent, fences } from './positions/fences.ts'
export type { DeviceLocation, PositionWatch, WatchOptions } from './positions/watch.ts'
export { appConfig, apps } from './resources/apps.ts'
export { auth } from './resources/auth.ts'
export { box } from './resources/box.ts'
export { files } from './resources/files.ts'
export { gameSessions, miniGameTypes, reviews } from './resources/games.ts'
export { csvUploads, gcps } from './resources/gcps.ts'
export { leaderboards } from './resources/leaderboards.ts'
export { pins, sharedMaps, zones } from './resources/places.ts'
export { playerData, players } from './resources/players.ts'
export { scans } from './resources/scans.ts'
export { seasons } from './resources/seasons.ts'
export { accounts, auditLog, user, users } from './resources/users.ts'
export { alerts, scoreHooks, webhooks } from './resources/webhooks.ts'
