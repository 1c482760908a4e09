import { expect, test } from 'vitest'
import { checkGlb, convert } from '../index.ts'
import { squareGlb } from '../test/content/models.ts'

test.each([
  ['null', null, 'The options must be an object, not null.'],
  ['text', 'spec', 'The options must be an object, not "spec".'],
  ['limits of null', { limits: null }, 'The limits must be an object, not null.'],
  [
    'a limit that is no number',
    { limits: { triangles: '10' } },
    'The limit triangles must be a number from 0 up, not "10".',
  ],
  ['a limit of NaN', { limits: { bytes: Number.NaN } }, 'The limit bytes must be a number from 0 up, not NaN.'],
  [
    'a negative limit',
    { limits: { texturePixels: -1 } },
    'The limit texturePixels must be a number from 0 up, not -1.',
  ],
  ['a profile that is a number', { profile: 10n }, 'The profile must be "quicklook", "spec" or "realitykit", not 10n.'],
  [
    'an unknown order of animations',
    { animations: 'all' },
    'animations must be "auto", "sequence" or "together", not "all".',
  ],
  ['a looping that is text', { loop: 'yes' }, 'loop must be true or false, not "yes".'],
  ['a texture of 3 pixels', { maxTextureSize: 3 }, 'maxTextureSize must be a whole number from 16 to 16384, not 3.'],
  ['a light of 3', { preferredIblVersion: 3 }, 'preferredIblVersion must be 1 or 2, not 3.'],
  ['a scale of 0', { scale: 0 }, 'The scale must be a number from 0.000001 to 1000000, not 0.'],
  ['a clip that is neither', { clip: {} }, 'The clip must be a name or a number from 0 up, not an object.'],
  ['a choice that is text', { onlyClip: 'no' }, 'onlyClip must be true or false, not "no".'],
])('invalid options of callers without TypeScript are refused: %s', async (_, options, message) => {
  await expect(convert(await squareGlb(), options as object)).rejects.toMatchObject({ code: 'unsupported', message })
})

test.each([[null], ['glTF'], [new Uint16Array(100)], [new ArrayBuffer(100)], [[1, 2, 3]]])(
  'input that is not bytes is refused: %s',
  async (given) => {
    const bytes = given as unknown as Uint8Array
    const message = 'The GLB must be a Uint8Array.'
    await expect(convert(bytes)).rejects.toMatchObject({ code: 'malformed', message })
    expect(checkGlb(bytes)).toEqual({ ok: false, reason: message })
  },
)
