import { png } from '../content/glb.ts'
import { formOf, withTexts } from '../multipart.ts'
import type { Tenant } from './access-world.ts'

/** What one tenant has that another must not reach through it. */
export type Foreign = Tenant & {
  /** The file of a private scan, and its address. */
  privateFile: { fileId: number; url: string }
  /** An image sent to be a photo of a point of its own. */
  photo: { fileId: number; url: string }
  /** A board's stream may be read with it. */
  streamToken: string
}

/**
 * What happens to an id of another tenant at one place of a request that is otherwise one's own: refused with `status`,
 * or told apart by nothing because what it names is open to everybody (`open`, and why).
 */
export type Rule =
  | { open: string }
  | {
      status: number
      call: (
        own: Tenant,
        other: Foreign,
      ) => { path: string; body?: unknown } | Promise<{ path: string; body?: unknown }>
    }

const apps = '/api/v1/apps'
const pin = { title: 'Pin', contentType: 'GLB', latitude: 1, longitude: 2 }
const gcp = { title: 'Point', gcpType: 'SINGLE' }

const refused = (status: number, path: string, body?: (own: Tenant, other: Foreign) => unknown): Rule => ({
  status,
  call: (own, other) => ({ path, ...(body && { body: body(own, other) }) }),
})
const onSession = (status: number, rest: string, body: (other: Foreign) => unknown): Rule => ({
  status,
  call: (own, other) => ({ path: `${apps}/game-sessions/${own.session}/${rest}`, body: body(other) }),
})
const byType = (path: (own: Tenant) => string): Rule => ({
  status: 404,
  call: (own, other) => ({ path: `${path(own)}?miniGameTypeId=${other.type}` }),
})

const address = { open: 'an address that is stored and shown, and asked for by nobody here' }
const publicRecord = { open: 'points, pins, zones and photos of points are open to read' }
const proof = { open: 'it is itself the proof of who asks' }
const claim = { open: 'a user that an app wrote on a player proves nothing, and shows nothing' }
const tag = { open: 'the number of a printed mark, which is nobody’s' }

/** Every id, address, token and code in a query or a body, by operation and place. One that the description has and this has not fails the suite. */
export const foreignIds: Record<string, Rule> = {
  'POST /auth/exchange body token': proof,
  'POST /auth/sync body token': proof,
  'POST /auth/codes/exchange body code': proof,
  'POST /auth/codes body playerId': refused(404, '/auth/codes', (_own, { player }) => ({ playerId: player })),
  'POST /auth/player-token body playerId': refused(404, '/auth/player-token', (_own, { player }) => ({
    playerId: player,
  })),

  'POST /api/v1/apps body imageUrl': address,
  'PATCH /api/v1/apps/{id} body imageUrl': address,
  'POST /api/v1/apps/mini-game-types body imageUrl': address,
  'PATCH /api/v1/apps/mini-game-types/{id} body imageUrl': address,
  'POST /api/v1/apps/{id}/webhooks body url': address,
  'PATCH /api/v1/apps/{id}/webhooks/{webhookId} body url': address,
  'POST /api/v1/apps/players body userId': claim,
  'PATCH /api/v1/apps/players/{id} body userId': claim,

  'GET /api/v1/apps/game-sessions query miniGameTypeId': byType(() => `${apps}/game-sessions`),
  'POST /api/v1/apps/game-sessions body miniGameTypeId': refused(404, `${apps}/game-sessions`, (_own, { type }) => ({
    miniGameTypeId: type,
  })),
  'POST /api/v1/apps/game-sessions/{id}/players body playerId': onSession(404, 'players', ({ player }) => ({
    playerId: player,
  })),
  'POST /api/v1/apps/game-sessions/{id}/scores body scores.playerId': onSession(400, 'scores', ({ player }) => ({
    scores: [{ playerId: player, score: 1 }],
  })),
  'GET /api/v1/apps/leaderboards/mini-game query miniGameTypeId': byType(() => `${apps}/leaderboards/mini-game`),
  'GET /api/v1/apps/leaderboards/mini-game query aroundPlayerId': {
    status: 400,
    call: (_own, { player }) => ({ path: `${apps}/leaderboards/mini-game?aroundPlayerId=${player}` }),
  },
  'GET /api/v1/apps/players/{playerId}/global-ranking query miniGameTypeId': byType(
    ({ player }) => `${apps}/players/${player}/global-ranking`,
  ),
  'GET /api/v1/apps/players/{playerId}/scores query miniGameTypeId': byType(
    ({ player }) => `${apps}/players/${player}/scores`,
  ),
  'POST /api/v1/apps/leaderboards/stream-token body miniGameTypeId': refused(
    404,
    `${apps}/leaderboards/stream-token`,
    (_own, { type }) => ({ miniGameTypeId: type }),
  ),
  'GET /api/v1/apps/leaderboards/stream query miniGameTypeId': byType(() => `${apps}/leaderboards/stream`),
  'GET /api/v1/apps/leaderboards/stream query token': proof,

  'POST /api/v1/user/scans body fileId': refused(400, '/api/v1/user/scans', (_own, { privateFile }) => ({
    fileId: privateFile.fileId,
  })),
  'GET /api/upload/convert query fileId': {
    status: 404,
    call: (_own, { privateFile }) => ({ path: `/api/upload/convert?fileId=${privateFile.fileId}` }),
  },
  'GET /api/download query url': {
    status: 404,
    call: (_own, { privateFile }) => ({ path: `/api/download?url=${encodeURIComponent(privateFile.url)}` }),
  },

  'GET /api/gcp/tag-conflicts query zoneId': publicRecord,
  'GET /api/location/pins query zoneId': publicRecord,
  'POST /api/location/pins body zoneId': {
    open: 'anybody may set a pin in a zone: whose zone it is may change and remove it',
  },
  'PUT /api/location/pins/{id} body zoneId': { open: 'as at its making' },
  ...Object.fromEntries(
    ['contentUrl', 'relocalizationPhotoUrl'].flatMap((name) => [
      [`POST /api/location/pins body ${name}`, address],
      [`PUT /api/location/pins/{id} body ${name}`, address],
    ]),
  ),
  'PUT /api/location/pins/{id} body blockchainTxUrl': {
    status: 403,
    call: async (own) => ({
      path: `/api/location/pins/${await own.newPin()}`,
      body: { ...pin, blockchainTxUrl: 'https://chain.example/tx' },
    }),
  },

  'GET /api/gcp query zoneId': publicRecord,
  'POST /api/gcp body zoneId': { open: 'anybody may set a point in a zone: whose zone it is may change and remove it' },
  'POST /api/gcp body aprilTagId': tag,
  'PUT /api/gcp/{id} body aprilTagId': tag,
  'GET /api/gcp/check-april-tag query aprilTagId': tag,
  'GET /api/gcp/check-april-tag query excludeGcpId': publicRecord,
  'POST /api/gcp body photoUrls': address,
  'PUT /api/gcp/{id} body photoUrls': address,
  'POST /api/gcp body uploadedFileIds': refused(400, '/api/gcp', (_own, { photo }) => ({
    ...gcp,
    uploadedFileIds: [photo.fileId],
  })),
  'PUT /api/gcp/{id} body uploadedFileIds': {
    status: 400,
    call: (own, { photo }) => ({ path: `/api/gcp/${own.gcp}`, body: { ...gcp, uploadedFileIds: [photo.fileId] } }),
  },
  'DELETE /api/gcp/{id}/remove-photo query photoUrl': {
    status: 404,
    call: (own, { photo }) => ({
      path: `/api/gcp/${own.gcp}/remove-photo?photoUrl=${encodeURIComponent(photo.url)}`,
    }),
  },

  'POST /api/gcp/upload body fileUrl': {
    status: 400,
    call: (own, { privateFile }) => ({
      path: '/api/gcp/upload',
      body: { fileName: 'points.csv', fileUrl: privateFile.url, zoneId: own.zoneId },
    }),
  },
  'POST /api/gcp/upload body zoneId': refused(403, '/api/gcp/upload', ({ fileUrl }, { zoneId }) => ({
    fileName: 'points.csv',
    fileUrl,
    zoneId,
  })),
  'POST /api/gcp/upload body userId': refused(403, '/api/gcp/upload', ({ fileUrl, zoneId }, { userId }) => ({
    fileName: 'points.csv',
    fileUrl,
    zoneId,
    userId,
  })),
  'GET /api/gcp/zone/{zoneId} query userId': publicRecord,
  'DELETE /api/gcp/zone/{zoneId} query csvUploadId': {
    status: 404,
    call: (own, { csv }) => ({ path: `/api/gcp/zone/${own.zoneId}?csvUploadId=${csv}` }),
  },
  'DELETE /api/gcp/zone/{zoneId} body csvUploadId': {
    status: 404,
    call: (own, { csv }) => ({ path: `/api/gcp/zone/${own.zoneId}`, body: { csvUploadId: csv } }),
  },
  'DELETE /api/gcp/zone/{zoneId} query userId': {
    status: 403,
    call: (own, { userId }) => ({ path: `/api/gcp/zone/${own.zoneId}?csvUploadId=${own.csv}&userId=${userId}` }),
  },
  ...Object.fromEntries(
    ['pins/items query zoneId', 'pins/items query gcpId', 'gcps/items query zoneId', 'gcps/items query aprilTagId'].map(
      (place) => [`GET /ogc/collections/${place}`, publicRecord],
    ),
  ),
  'POST /api/upload/gcp-photos body gcpId': refused(403, '/api/upload/gcp-photos', (_own, { gcp: gcpId }) =>
    withTexts(formOf({ field: 'files', name: 'a.png', bytes: png }), { gcpId }),
  ),
  'POST /api/upload/gcp-photos body userId': refused(403, '/api/upload/gcp-photos', (_own, { userId }) =>
    withTexts(formOf({ field: 'files', name: 'a.png', bytes: png }), { userId }),
  ),
  'GET /api/upload/gcp-photos query gcpId': publicRecord,
  'GET /api/upload/gcp-photos query userId': publicRecord,
}
