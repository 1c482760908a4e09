import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { type Service, startService } from '../../test/service.ts'

let service: Service
let given: Builders
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
})
afterAll(() => service.stop())

const players = '/api/v1/apps/players'

/** Names that are one by NFKC and case folding, and some that look so and are not. */
const SAME = [
  ['Straße', 'STRASSE', 'strasse', 'STRAẞE'],
  ['Ada', 'A\u200dda', 'Ada\u200c', 'ada\ufe0f'],
  ['Ａｄａ', 'ada', 'ADA'],
  ['  Zoë ', 'Zoe\u0308', 'ZOË'],
  ['ﬁnn', 'FINN'],
  ['Σίσυφος', 'ΣΊΣΥΦΟΣ'],
  ['№ 5', 'No 5'],
  ['²', '2'],
]

test.each(SAME)('%s is one name with its other spellings', async (first, ...others) => {
  const app = await given.app()
  await given.player(app, first)
  for (const displayName of others) expect(await app.post(players, { displayName })).toMatchObject({ status: 409 })
})

test('a name of which nothing can be seen is 400', async () => {
  const app = await given.app()
  for (const displayName of ['', ' \n', '\u200b', '\u2060 \u00ad'])
    expect((await app.post(players, { displayName })).status, JSON.stringify(displayName)).toBe(400)
})

test.each([
  ['a control character', 'A\u0007da'],
  ['a line break', 'Ada\nwon'],
  ['a line separator', 'Ada\u2028won'],
  ['a direction override', 'Ada\u202egnp.exe'],
  ['a direction isolate', 'A\u2067da'],
  ['a direction mark', 'A\u200fda'],
  ['a zero-width space', 'A\u200bda'],
  ['a word joiner', 'Ada\u2060'],
  ['a soft hyphen', '\u00adada'],
])('a name with %s is 400, with a sentence that says so', async (_, displayName) => {
  const refused = {
    status: 400,
    body: {
      error: [{ path: ['displayName'], message: expect.stringContaining('must not have control characters') }],
    },
  }
  const app = await given.app()
  expect(await app.post(players, { displayName })).toMatchObject(refused)
  const { id } = await given.player(app)
  expect(await app.patch(`${players}/${id}`, { displayName })).toMatchObject(refused)
})

test('a name may have what its script or an emoji needs: joiners, variation selectors, tags, right-to-left letters', async () => {
  const app = await given.app()
  for (const displayName of [
    '👩\u200d🚀',
    '❤\ufe0f',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'می\u200cخواهم',
    'נועה',
  ])
    expect(await app.post(players, { displayName })).toMatchObject({ status: 200, body: { displayName } })
})

test('names of other letters are others: accents, inner spaces, Greek and Latin, the Turkish dotless i', async () => {
  const app = await given.app()
  // Case is folded without a language: "I" goes with "i", and neither with "ı"... but "ı" has "I" as its upper case.
  for (const displayName of ['Zoe', 'Zoë', 'Zo e', 'Zo  e', 'Αda', 'Ada', 'İpek', 'ipek'])
    expect(await app.post(players, { displayName }), displayName).toMatchObject({ status: 200 })
  expect(await app.post(players, { displayName: 'ıpek' })).toMatchObject({ status: 409 })
  expect(await app.post(players, { displayName: 'IPEK' })).toMatchObject({ status: 409 })
})

test('names are kept as NFC without outer spaces, otherwise as they were given', async () => {
  const app = await given.app()
  for (const [given, kept] of [
    ['\u00a0 Zoe\u0308\n', 'Zoë'],
    ['Ａｄａ', 'Ａｄａ'],
    ['a  b', 'a  b'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ])
    expect((await app.post(players, { displayName: given })).body.displayName).toBe(kept)
})
