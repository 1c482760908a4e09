import type { Builders } from './builders.ts'
import { formOf } from './multipart.ts'
import { makeSession, setScore } from './scoring/scoring-steps.ts'
import type { Caller } from './service.ts'

export async function upload(user: Caller, text: string, name = 'note.bin') {
  const { body } = await user.post('/api/upload', formOf({ name, bytes: text }))
  return body.results[0] as { fileId: number; url: string }
}
export const pin = (user: Caller, fields: object) =>
  user.post('/api/location/pins', { title: 'Here', latitude: 1, longitude: 2, contentType: 'URL', ...fields })

/** A user with a record of every kind, and their names. */
export async function makeRichUser(given: Builders) {
  const user = await given.user()
  const game = await given.app()
  const player = (await game.post('/api/v1/apps/players', { displayName: 'Linked', userId: user.id })).body
  const session = await makeSession(game, { name: 'Sunday' })
  await game.post(`/api/v1/apps/game-sessions/${session.id}/players`, { playerId: player.id })
  await setScore(game, session.id, player.id, 40)
  await setScore(game, session.id, player.id, 41.5)
  await game.put(`/api/v1/apps/players/${player.id}/storage/save`, { level: 7 })
  const zone = (await user.post('/api/zones', { title: 'My park' })).body
  const gcp = (await user.post('/api/gcp', { title: 'My point', gcpType: 'SINGLE', zoneId: zone.id })).body.gcp
  const [shown, hidden] = [
    await upload(user, 'shown bytes', 'shown.bin'),
    await upload(user, 'hidden bytes', 'a "ü".bin'),
  ]
  const open = (await pin(user, { title: 'Open', contentUrl: shown.url })).body
  const unlisted = (await pin(user, { title: 'Unlisted', visibility: 'unlisted', contentUrl: hidden.url })).body
  const secret = (await pin(user, { title: 'Secret', visibility: 'private' })).body
  const survey = await upload(user, 'title,lat,lon\nA,1,2\n', 'survey.csv')
  const csv = (await user.post('/api/gcp/upload', { fileName: 'survey.csv', fileUrl: survey.url, zoneId: zone.id }))
    .body
  const code = (await user.post('/auth/codes', {})).body
  return { user, game, player, session, zone, gcp, shown, hidden, open, unlisted, secret, survey, csv, code }
}
