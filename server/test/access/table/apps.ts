import { anyKey, apps, at, open, optional, type Rule, serverKey, user } from './rules.ts'

const webhook = { url: 'https://hooks.example.org/cairn', eventTypes: ['score.updated'] }

/** Apps, their keys and webhooks. */
export const appTable: Record<string, Rule> = {
  [`GET ${apps}`]: user(200, undefined, () => at(apps)),
  [`POST ${apps}`]: user(201, undefined, () => at(apps, { name: 'New', description: 'App' }), 403),
  [`GET ${apps}/public`]: open(() => at(`${apps}/public`)),
  [`GET ${apps}/{id}`]: optional((t) => at(`${apps}/${t.appId}`), { stranger: 404 }),
  [`PATCH ${apps}/{id}`]: user(200, 404, (t) => at(`${apps}/${t.appId}`, { description: 'Changed' }), 403),
  [`DELETE ${apps}/{id}`]: user(204, 404, async (t) => at(`${apps}/${await t.newApp()}?name=Spare`), 403),
  [`POST ${apps}/{id}/api-key/rotate`]: user(
    200,
    404,
    async (t) => at(`${apps}/${await t.newApp()}/api-key/rotate`, {}),
    403,
  ),

  [`POST ${apps}/{id}/copy`]: user(201, 404, (t) => at(`${apps}/${t.appId}/copy`, {}), 403),

  // A session of the owner needs the app's id in the query: app-config.test.ts.
  [`GET ${apps}/config`]: anyKey(200, undefined, async (t) => {
    await t.writeConfig()
    return at(`${apps}/config`)
  }),
  [`PUT ${apps}/config`]: serverKey(200, undefined, async (t) => {
    await t.writeConfig()
    return at(`${apps}/config`, { event: 'spring' })
  }),
  [`GET ${apps}/config/stream`]: anyKey(200, undefined, async (t) => {
    await t.writeConfig()
    return at(`${apps}/config/stream`)
  }),
  [`GET ${apps}/config/versions`]: serverKey(200, undefined, () => at(`${apps}/config/versions`)),
  [`GET ${apps}/config/versions/{version}`]: serverKey(200, undefined, async (t) =>
    at(`${apps}/config/versions/${await t.writeConfig()}`),
  ),

  [`GET ${apps}/{id}/usage`]: user(200, 404, (t) => at(`${apps}/${t.appId}/usage`)),
  [`GET ${apps}/{id}/activity`]: user(200, 404, (t) => at(`${apps}/${t.appId}/activity`)),
  [`GET ${apps}/{id}/contents`]: user(200, 404, (t) => at(`${apps}/${t.appId}/contents`)),
  [`GET ${apps}/{id}/overview`]: user(200, 404, (t) => at(`${apps}/${t.appId}/overview`)),
  [`GET ${apps}/{id}/api-keys`]: user(200, 404, (t) => at(`${apps}/${t.appId}/api-keys`)),
  [`POST ${apps}/{id}/api-keys`]: user(
    201,
    404,
    async (t) => at(`${apps}/${await t.newApp()}/api-keys`, { kind: 'client', name: 'Build' }),
    403,
  ),
  [`DELETE ${apps}/{id}/api-keys/{keyId}`]: user(204, 404, async (t) => at(await t.oldKey()), 403),

  [`GET ${apps}/{id}/members`]: user(200, 404, (t) => at(`${apps}/${t.appId}/members`), 403),
  [`POST ${apps}/{id}/members`]: user(
    201,
    404,
    async (t) => at(`${apps}/${t.appId}/members`, { userId: await t.newUser(), role: 'viewer' }),
    403,
  ),
  [`PATCH ${apps}/{id}/members/{userId}`]: user(
    200,
    404,
    async (t) => at(await t.newMember(), { role: 'moderator' }),
    403,
  ),
  [`DELETE ${apps}/{id}/members/{userId}`]: user(204, 404, async (t) => at(await t.newMember()), 403),
  [`GET ${apps}/{id}/invitations`]: user(200, 404, (t) => at(`${apps}/${t.appId}/invitations`), 403),
  [`POST ${apps}/{id}/invitations`]: user(
    201,
    404,
    (t) => at(`${apps}/${t.appId}/invitations`, { role: 'viewer' }),
    403,
  ),
  [`DELETE ${apps}/{id}/invitations/{invitationId}`]: user(204, 404, async (t) => at(await t.newInvitation()), 403),
  'POST /api/v1/invitations/accept': user(
    200,
    undefined,
    async (t) => at('/api/v1/invitations/accept', { token: await t.newInvitationToken() }),
    403,
  ),

  [`GET ${apps}/{id}/score-hooks`]: user(200, 404, (t) => at(`${apps}/${t.appId}/score-hooks`), 403),
  [`POST ${apps}/{id}/score-hooks`]: user(
    201,
    404,
    async (t) => at(`${apps}/${t.appId}/score-hooks`, { url: webhook.url, miniGameTypeId: await t.newType() }),
    403,
  ),
  [`PATCH ${apps}/{id}/score-hooks/{hookId}`]: user(
    200,
    404,
    async (t) => at(await t.newScoreHook(), { onFailure: 'accept' }),
    403,
  ),
  [`DELETE ${apps}/{id}/score-hooks/{hookId}`]: user(204, 404, async (t) => at(await t.newScoreHook()), 403),
  [`POST ${apps}/{id}/score-hooks/{hookId}/rotate-secret`]: user(
    200,
    404,
    async (t) => at(`${await t.newScoreHook()}/rotate-secret`, {}),
    403,
  ),

  [`GET ${apps}/{id}/alerts`]: user(200, 404, (t) => at(`${apps}/${t.appId}/alerts`)),
  [`GET ${apps}/{id}/alert-settings`]: user(200, 404, (t) => at(`${apps}/${t.appId}/alert-settings`), 403),
  [`PUT ${apps}/{id}/alert-settings`]: user(
    200,
    404,
    (t) => at(`${apps}/${t.appId}/alert-settings`, { addresses: [], kinds: ['quota_near'] }),
    403,
  ),
  [`POST ${apps}/{id}/alert-settings/test`]: user(
    200,
    404,
    async (t) => at(`${apps}/${await t.newApp()}/alert-settings/test`),
    403,
  ),

  [`GET ${apps}/{id}/webhooks`]: user(200, 404, (t) => at(`${apps}/${t.appId}/webhooks`), 403),
  [`POST ${apps}/{id}/webhooks`]: user(201, 404, (t) => at(`${apps}/${t.appId}/webhooks`, webhook), 403),
  [`GET ${apps}/{id}/webhooks/{webhookId}`]: user(200, 404, async (t) => at(await t.newWebhook()), 403),
  [`PATCH ${apps}/{id}/webhooks/{webhookId}`]: user(200, 404, async (t) => at(await t.newWebhook(), {}), 403),
  [`DELETE ${apps}/{id}/webhooks/{webhookId}`]: user(204, 404, async (t) => at(await t.newWebhook()), 403),
  [`GET ${apps}/{id}/webhooks/{webhookId}/secret`]: user(
    200,
    404,
    async (t) => at(`${await t.newWebhook()}/secret`),
    403,
  ),
  [`POST ${apps}/{id}/webhooks/{webhookId}/rotate-secret`]: user(
    200,
    404,
    async (t) => at(`${await t.newWebhook()}/rotate-secret`, {}),
    403,
  ),
  [`POST ${apps}/{id}/webhooks/{webhookId}/test`]: user(201, 404, async (t) => at(`${await t.newWebhook()}/test`), 403),
  [`GET ${apps}/{id}/webhooks/{webhookId}/deliveries`]: user(
    200,
    404,
    async (t) => at(`${await t.newWebhook()}/deliveries`),
    403,
  ),
  [`POST ${apps}/{id}/webhooks/{webhookId}/redeliver-failed`]: user(
    200,
    404,
    async (t) => at(`${await t.newWebhook()}/redeliver-failed`, { since: '2026-01-01T00:00:00Z' }),
    403,
  ),
  [`GET ${apps}/{id}/webhooks/{webhookId}/deliveries/{deliveryId}`]: user(
    200,
    404,
    async (t) => at(await t.newDelivery()),
    403,
  ),
  [`POST ${apps}/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver`]: user(
    200,
    404,
    async (t) => at(`${await t.newDelivery()}/redeliver`),
    403,
  ),
}
