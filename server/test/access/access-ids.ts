import { boxGlb, png } from '../content/glb.ts'
import { formOf, withTexts } from '../multipart.ts'
import type { Tenant } from './access-world.ts'
import { sharedMapIds } from './shared-map-ids.ts'

/** Records of one tenant that another tenant must not reach through an ID. */
export type Foreign = Tenant & {
  /** The file of a private scan, and its URL. */
  privateFile: { fileId: number; url: string }
  /** An image uploaded as a photo for a point of its own. */
  photo: { fileId: number; url: string }
  /** Grants access to the stream of a board. */
  streamToken: string
}

/**
 * The result of another tenant's ID at one place of an otherwise own request: refused with `status`, or indistinguishable
 * because the record is public (`open`, with the reason).
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

const address = { open: 'a URL that is stored and shown, and never fetched' }
const publicRecord = { open: 'points, pins, zones and photos of points are open to read' }
const proof = { open: 'it is the credential itself' }
const claim = { open: 'a user that an app wrote on a player grants nothing, and reveals nothing' }
const member = { open: 'it gives that user a role in the own app, and takes nothing' }
const editor = { open: 'it lets that user into the own zone, and takes nothing' }
const geoPose = { open: 'a name that the client chooses for a part of its request' }
const tag = { open: 'the number of a printed mark, which belongs to no tenant' }

/** Rules for every ID, URL, token and code in a query or body, by operation and place. Places of the OpenAPI document without a rule fail the suite. */
export const foreignIds: Record<string, Rule> = {
  ...sharedMapIds,
  'POST /api/location/localize body appId': { open: 'the points of every app are open to read' },
  [`POST ${apps}/fences body zoneId`]: publicRecord,
  [`POST ${apps}/fences body pinId`]: refused(400, `${apps}/fences`, (_own, { pin: pinId }) => ({
    ...{ name: 'Well', pinId, radius: 20 },
  })),
  [`POST ${apps}/fences body checkIn.award.miniGameTypeId`]: refused(400, `${apps}/fences`, ({ zoneId }, { type }) => ({
    ...{ name: 'Park', zoneId, checkIn: { award: { points: 1, miniGameTypeId: type } } },
  })),
  [`PATCH ${apps}/fences/{id} body checkIn.award.miniGameTypeId`]: {
    status: 400,
    call: async (own, { type }) => ({
      path: `${apps}/fences/${await own.newFence()}`,
      body: { checkIn: { award: { points: 1, miniGameTypeId: type } } },
    }),
  },
  [`POST ${apps}/check-ins body fenceId`]: { open: 'it needs a player token: check-ins.test.ts' },
  [`GET ${apps}/check-ins query fenceId`]: { open: 'it filters the check-ins of the own app' },
  [`GET ${apps}/check-ins query playerId`]: { open: 'it filters the check-ins of the own app' },
  'POST /auth/exchange body token': proof,
  'POST /auth/sync body token': proof,
  'POST /auth/codes/exchange body code': proof,
  'POST /api/v1/invitations/accept body token': proof,
  'POST /auth/codes body playerId': refused(404, '/auth/codes', (_own, { player }) => ({ playerId: player })),
  'POST /auth/player-token body playerId': refused(404, '/auth/player-token', (_own, { player }) => ({
    playerId: player,
  })),

  'POST /api/v1/apps body imageUrl': address,
  'PATCH /api/v1/apps/{id} body imageUrl': address,
  'POST /api/v1/apps/mini-game-types body imageUrl': address,
  'PATCH /api/v1/apps/mini-game-types/{id} body imageUrl': address,
  'POST /api/v1/apps/{id}/score-hooks body url': address,
  'PATCH /api/v1/apps/{id}/score-hooks/{hookId} body url': address,
  'POST /api/v1/apps/{id}/score-hooks body miniGameTypeId': {
    status: 404,
    call: ({ appId }, { type }) => ({
      path: `${apps}/${appId}/score-hooks`,
      body: { url: 'https://hooks.invalid/cairn', miniGameTypeId: type },
    }),
  },
  'POST /api/v1/apps/{id}/webhooks body url': address,
  'PUT /api/v1/box/basemap body styleUrl': address,
  'POST /geopose body id': geoPose,
  'POST /geopose body sensors.id': geoPose,
  'POST /geopose body sensorReadings.cameraReadings.sensorId': geoPose,
  // Refused before the file is looked at: upload-archive.test.ts has the files of others.
  'PUT /api/v1/box/basemap/archive body fileId': refused(
    403,
    '/api/v1/box/basemap/archive',
    (_own, { privateFile }) => ({ fileId: privateFile }),
  ),
  'PATCH /api/v1/apps/{id}/webhooks/{webhookId} body url': address,
  'POST /api/v1/apps/{id}/members body userId': member,
  'POST /api/zones/{id}/editors body userId': editor,
  'GET /api/v1/apps/players query miniGameTypeId': { open: 'an unknown type has no scores' },
  'POST /api/v1/apps/players body userId': claim,
  'PATCH /api/v1/apps/players/{id} body userId': claim,

  ...Object.fromEntries(
    ['GET config', 'GET config/stream', 'GET config/versions', 'GET config/versions/{version}', 'PUT config'].map(
      (operation) => {
        const [method, path] = operation.split(' ') as [string, string]
        const call: Rule = {
          status: 404,
          call: (_own, { appId }) => ({
            path: `${apps}/${path.replace('{version}', '1')}?appId=${appId}`,
            ...(method === 'PUT' && { body: {} }),
          }),
        }
        return [`${method} ${apps}/${path} query appId`, call]
      },
    ),
  ),
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
  'POST /api/v1/apps/leaderboards/import query miniGameTypeId': {
    status: 404,
    call: (_own, { type }) => ({
      path: `${apps}/leaderboards/import?miniGameTypeId=${type}`,
      body: formOf({ name: 'a.csv', bytes: 'player_name,score\nA,1\n' }),
    }),
  },
  'GET /api/v1/apps/leaderboards/mini-game query miniGameTypeId': byType(() => `${apps}/leaderboards/mini-game`),
  'GET /api/v1/apps/leaderboards/mini-game query aroundPlayerId': {
    status: 400,
    call: (_own, { player }) => ({ path: `${apps}/leaderboards/mini-game?aroundPlayerId=${player}` }),
  },
  'GET /api/v1/apps/leaderboards/mini-game query playerIds': { open: 'unknown players are left out of the entries' },
  'GET /api/v1/apps/reviews query miniGameTypeId': byType(() => `${apps}/reviews`),
  'GET /api/v1/apps/reviews query playerId': { open: 'an unknown player has no held scores' },
  'GET /api/v1/apps/seasons query miniGameTypeId': byType(() => `${apps}/seasons`),
  'POST /api/v1/apps/seasons body miniGameTypeId': refused(404, `${apps}/seasons`, (_own, { type }) => ({
    name: 'Spring',
    startsAt: '2100-01-01T00:00:00Z',
    miniGameTypeId: type,
  })),
  'POST /api/v1/apps/seasons/{id}/recount query appId': {
    status: 404,
    call: async (own, { appId }) => ({ path: `${apps}/seasons/${await own.newSeason()}/recount?appId=${appId}` }),
  },
  'GET /api/v1/apps/players/{playerId}/global-ranking query miniGameTypeId': byType(
    ({ player }) => `${apps}/players/${player}/global-ranking`,
  ),
  'GET /api/v1/apps/players/{playerId}/score-history query miniGameTypeId': byType(
    ({ player }) => `${apps}/players/${player}/score-history`,
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
  ...Object.fromEntries(
    ['GET convert', 'GET {fileId}/stream', 'POST {fileId}/converted_file', 'POST convert'].map((operation) => {
      const [method, path] = operation.split(' ') as [string, string]
      const call = ({ fileId }: Tenant, { photo }: Foreign) => ({
        path: `/api/upload/${path.replace('{fileId}', String(fileId))}?${operation === 'GET convert' ? `fileId=${fileId}&` : ''}anchor=image&anchorWidth=1&anchorImageId=${photo.fileId}`,
        ...(operation === 'POST convert' && { body: formOf({ name: 'box.glb', bytes: boxGlb() }) }),
      })
      return [`${method} /api/upload/${path} query anchorImageId`, { status: 400, call }]
    }),
  ),
  'GET /api/download query url': {
    status: 404,
    call: (_own, { privateFile }) => ({ path: `/api/download?url=${encodeURIComponent(privateFile.url)}` }),
  },

  'GET /api/gcp/tag-conflicts query zoneId': publicRecord,
  'GET /api/location/pins query zoneId': publicRecord,
  'POST /api/location/pins body zoneId': {
    open: 'anyone may place a pin in a zone: its owner may change and delete it',
  },
  'PUT /api/location/pins/{id} body zoneId': { open: 'as in its creation' },
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
  'POST /api/gcp body zoneId': { open: 'anyone may place a point in a zone: its owner may change and delete it' },
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
    [
      ...[
        'pins/items query zoneId',
        'pins/items query gcpId',
        'gcps/items query zoneId',
        'gcps/items query aprilTagId',
      ],
      ...['pins', 'gcps', 'zones'].flatMap((layer) => [`${layer}/items query id`, `${layer}/items query userId`]),
    ].map((place) => [`GET /ogc/collections/${place}`, publicRecord]),
  ),
  'POST /api/upload/gcp-photos body gcpId': refused(403, '/api/upload/gcp-photos', (_own, { gcp: gcpId }) =>
    withTexts(formOf({ field: 'files', name: 'a.png', bytes: png }), { gcpId }),
  ),
  'POST /api/upload/gcp-photos body userId': refused(403, '/api/upload/gcp-photos', (_own, { userId }) =>
    withTexts(formOf({ field: 'files', name: 'a.png', bytes: png }), { userId }),
  ),
  'GET /api/upload/relocalization query url': proof,
  'GET /api/upload/gcp-photos query gcpId': publicRecord,
  'GET /api/upload/gcp-photos query userId': publicRecord,
}
