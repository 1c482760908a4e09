import type { AppRole } from '../../../platform/credentials/app-roles.ts'
import { apps } from './rules.ts'

const app = `${apps}/{id}`
const player = `${apps}/players/{id}`
const session = `${apps}/game-sessions/{id}`
const webhook = `${app}/webhooks/{webhookId}`
const delivery = `${webhook}/deliveries/{deliveryId}`

/** Operations that take a key and no session. */
export const keyOnly = [
  `GET ${apps}/leaderboards/stream`,
  `POST ${apps}/leaderboards/stream-token`,
  `POST ${apps}/positions`,
  `GET ${apps}/positions/stream`,
  `POST ${apps}/check-ins`,
]

/** The least role of a member for every operation in an app. */
const operations: Record<AppRole, string[]> = {
  viewer: [
    'GET /api/v1/scans/public-scans',
    'GET /ogc/collections/scans/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}',
    `GET ${app}`,
    `GET ${app}/usage`,
    `GET ${app}/contents`,
    `GET ${app}/overview`,
    `GET ${app}/members`,
    // A member may leave; the tests of members have the rest.
    `DELETE ${app}/members/{userId}`,
    `GET ${apps}/config`,
    `GET ${apps}/config/stream`,
    `GET ${apps}/config/versions`,
    `GET ${apps}/config/versions/{version}`,
    `GET ${apps}/players`,
    `GET ${player}`,
    `GET ${player}/storage`,
    `GET ${player}/storage/{key}`,
    `GET ${apps}/players/{playerId}/global-ranking`,
    `GET ${apps}/players/{playerId}/scores`,
    `GET ${apps}/mini-game-types`,
    `GET ${apps}/mini-game-types/{id}`,
    `GET ${apps}/game-sessions`,
    `GET ${session}`,
    `GET ${session}/leaderboard`,
    `GET ${session}/players`,
    `GET ${session}/players/{playerId}`,
    `GET ${apps}/leaderboards`,
    `GET ${apps}/leaderboards/mini-game`,
    `GET ${apps}/seasons`,
    `GET ${apps}/seasons/{id}`,
    `GET ${apps}/seasons/{id}/export`,
    `GET ${apps}/players/{playerId}/score-history`,
    `GET ${apps}/reviews`,
    `GET ${apps}/reviews/{id}`,
    `GET ${apps}/fences`,
    `GET ${apps}/fences/{id}`,
    `GET ${apps}/fences/stream`,
    `POST ${apps}/fences/simulate`,
    `GET ${apps}/positions/settings`,
    `GET ${apps}/check-ins`,
    `GET ${apps}/check-ins/{id}`,
  ],
  moderator: [
    `POST ${apps}/players`,
    `PATCH ${player}`,
    `DELETE ${player}`,
    `PATCH ${player}/profile-image`,
    `DELETE ${player}/profile-image`,
    `POST ${apps}/reviews/{id}`,
    `POST ${apps}/check-ins/{id}/review`,
  ],
  developer: [
    `PATCH ${app}`,
    `PUT ${apps}/config`,
    `PUT ${player}/storage/{key}`,
    `DELETE ${player}/storage/{key}`,
    `POST ${apps}/mini-game-types`,
    `PATCH ${apps}/mini-game-types/{id}`,
    `DELETE ${apps}/mini-game-types/{id}`,
    `POST ${apps}/mini-game-types/{id}/restore`,
    `POST ${apps}/game-sessions`,
    `PATCH ${session}`,
    `DELETE ${session}`,
    `POST ${session}/players`,
    `POST ${session}/scores`,
    `POST ${session}/players/{playerId}/correction`,
    `PATCH ${session}/players/{playerId}`,
    `DELETE ${session}/players/{playerId}`,
    `POST ${apps}/seasons`,
    `PATCH ${apps}/seasons/{id}`,
    `DELETE ${apps}/seasons/{id}`,
    `POST ${apps}/leaderboards/import`,
    `POST ${apps}/fences`,
    `PATCH ${apps}/fences/{id}`,
    `DELETE ${apps}/fences/{id}`,
    `PUT ${apps}/positions/settings`,
  ],
  admin: [
    `POST ${app}/api-key/rotate`,
    `GET ${app}/api-keys`,
    `POST ${app}/api-keys`,
    `DELETE ${app}/api-keys/{keyId}`,
    `POST ${app}/members`,
    `PATCH ${app}/members/{userId}`,
    `GET ${app}/invitations`,
    `POST ${app}/invitations`,
    `DELETE ${app}/invitations/{invitationId}`,
    `GET ${app}/webhooks`,
    `POST ${app}/webhooks`,
    `GET ${webhook}`,
    `PATCH ${webhook}`,
    `DELETE ${webhook}`,
    `GET ${webhook}/secret`,
    `POST ${webhook}/rotate-secret`,
    `POST ${webhook}/test`,
    `GET ${webhook}/deliveries`,
    `POST ${webhook}/redeliver-failed`,
    `GET ${delivery}`,
    `POST ${delivery}/redeliver`,
  ],
  owner: [`DELETE ${app}`],
}

/** Each operation with the least role for it. */
export const leastRoles: [operation: string, role: AppRole][] = Object.entries(operations).flatMap(([role, names]) =>
  names.map((name): [string, AppRole] => [name, role as AppRole]),
)
