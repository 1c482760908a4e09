import { createHash } from 'node:crypto'
import { caller } from '../tour/client.ts'
import { appOf, type Filled, userOf } from './fill.ts'

/** The responses of a service by request: JSON, or the hash of a file. */
export type Answers = Map<string, unknown>

/** Reads all content as its user, as its app and without a credential. */
export async function readAll(url: string, filled: Filled): Promise<Answers> {
  const answers: Answers = new Map()
  const readers = {
    user: userOf(url, filled.token),
    app: appOf(url, filled.appKey),
    anyone: caller(url, {}),
  }
  for (const [who, paths] of Object.entries(pathsOf(filled)))
    for (const path of paths)
      answers.set(`${who}: GET ${path}`, stable(await readers[who as keyof typeof readers].get(path)))
  for (const address of filled.fileUrls) {
    const bytes = await readers.user.bytes(address)
    answers.set(`user: ${new URL(address).pathname}`, createHash('sha256').update(bytes).digest('hex'))
  }
  const deliveries = `/api/v1/apps/${filled.appId}/webhooks/${filled.webhookId}/deliveries`
  for (const { id } of (await readers.user.get(deliveries)).deliveries)
    answers.set(`user: GET ${deliveries}/${id}`, await readers.user.get(`${deliveries}/${id}`))
  return answers
}

function pathsOf(filled: Filled): Record<'user' | 'app' | 'anyone', string[]> {
  const { appId, webhookId, fileIds, zoneId, pinId, gcpId, importId, sessionId, playerIds, typeId } = filled
  const ofType = `miniGameTypeName=${encodeURIComponent(filled.typeName)}`
  const near = 'lat=51.4788&lon=-0.0022'
  const webhooks = `/api/v1/apps/${appId}/webhooks`
  const apps = '/api/v1/apps'
  return {
    user: [
      '/api/v1/user',
      apps,
      ...[webhooks, `${webhooks}/${webhookId}`, `${webhooks}/${webhookId}/secret`],
      `${webhooks}/${webhookId}/deliveries`,
      '/api/v1/user/files',
      ...fileIds.map((id) => `/api/v1/user/files/${id}`),
      `/api/upload/convert?fileId=${fileIds[0]}`,
      ...[`/api/gcp/upload/${importId}`, `/api/gcp/upload/${importId}/report`, `/api/gcp/upload/${importId}/findings`],
      `/api/gcp/zone/${zoneId}`,
    ],
    app: [
      ...[`${apps}/players`, `${apps}/mini-game-types`, `${apps}/mini-game-types/${typeId}`],
      ...[`${apps}/game-sessions`, `${apps}/game-sessions/${sessionId}`, `${apps}/game-sessions/${sessionId}/players`],
      ...[`${apps}/leaderboards`, `${apps}/leaderboards/mini-game?${ofType}`],
      `${apps}/game-sessions/${sessionId}/leaderboard`,
      ...playerIds.flatMap((id) => [
        `${apps}/players/${id}`,
        `${apps}/players/${id}/scores`,
        `${apps}/players/${id}/global-ranking?${ofType}`,
      ]),
    ],
    anyone: [
      '/.well-known/jwks.json',
      ...['/api/zones', `/api/zones/${zoneId}`, `/api/zones/at?${near}`],
      ...[`/api/location/pins?${near}&radius=500`, `/api/location/pins/${pinId}`],
      ...[`/api/gcp?zoneId=${zoneId}`, `/api/gcp/${gcpId}`, '/api/gcp/tag-conflicts'],
      `/api/gcp/zone/${zoneId}/export?format=geojson`,
      ...['pins', 'gcps', 'zones'].map((layer) => `/ogc/collections/${layer}/items`),
    ],
  }
}

/** Without the time of the response. */
const stable = (value: object) => ({ ...value, timeStamp: undefined })

/**
 * The differences in the responses of a later version: changed and missing members, but not added ones. Links of OGC
 * API are found by their relation, so a link may be added too.
 */
export function differences(before: Answers, after: Answers): string[] {
  return [...before].flatMap(([request, value]) => differing(request, value, after.get(request)))
}

function differing(at: string, before: unknown, after: unknown): string[] {
  if (before === undefined || Object.is(before, after)) return []
  if (!isObject(before) || !isObject(after)) return [`${at}: ${JSON.stringify(before)} is ${JSON.stringify(after)}`]
  if (Array.isArray(before)) {
    const entries = Array.isArray(after) ? after : []
    const compared = at.endsWith(' links') ? knownLinks(before, entries) : entries
    if (compared.length !== before.length) return [`${at}: ${before.length} entries are ${compared.length}`]
    return before.flatMap((value, index) => differing(`${at} ${index}`, value, compared[index]))
  }
  return Object.entries(before).flatMap(([name, value]) =>
    differing(`${at} ${name}`, value, (after as Record<string, unknown>)[name]),
  )
}

type Link = { rel: string; type?: string }

/** The links of the later version whose relation and type the earlier one has too. */
const knownLinks = (before: Link[], after: Link[]) =>
  after.filter(({ rel, type }) => before.some((link) => link.rel === rel && link.type === type))

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
