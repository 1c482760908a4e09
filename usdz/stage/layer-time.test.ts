import { describe, expect, test } from 'vitest'
import { composed, metres } from '../test/content/composed-layers.ts'
import { square } from '../test/content/text-package.ts'

describe('the time of a layer', () => {
  const moving = (rate = 24) => `( defaultPrim = "B"\n timeCodesPerSecond = ${rate} )
def Xform "B" {
  float3 xformOp:scale.timeSamples = { 0: (1, 1, 1), 24: (2, 2, 2) }
  uniform token[] xformOpOrder = ["xformOp:scale"]
  ${square('Sheet')}
}`
  const times = async (root: string, part: string) => {
    const found = await composed({
      'root.usda': root,
      'part.usda': part,
      'middle.usda': '( subLayers = [@part.usda@ (offset = 12)] )',
    })
    expect(found.codes).toEqual([])
    return found.times()
  }
  const below = (time: string, more = '') => `( ${metres}\n ${more} subLayers = [@part.usda@${time}] )`
  const reference = (time: string) => `( ${metres} )\ndef "A" ( references = @part.usda@ ${time} ) { }`

  test.each<[string, string, string, number[]]>([
    ['is that of the stage', below(''), moving(), [0, 1]],
    ['is moved by the offset of a sublayer', below(' (offset = 12)'), moving(), [0.5, 1.5]],
    ['is stretched, then moved by a reference', reference('(offset = 12; scale = 2)'), moving(), [0.5, 2.5]],
    ['is moved by a payload', reference('(offset = 24)').replace('references', 'payload'), moving(), [1, 2]],
    [
      'has as many seconds with other time codes in a sublayer',
      below('', 'timeCodesPerSecond = 48'),
      moving(12),
      [0, 2],
    ],
    ['has as many seconds with other time codes in a reference', reference(''), moving(48), [0, 0.5]],
    ['adds up over layers', below(' (offset = 6)').replace('part', 'middle'), moving(), [0.75, 1.75]],
    ['plays backwards with a negative scale', reference('(offset = 24; scale = -1)'), moving(), [0, 1]],
  ])('%s', async (_, root, part, expected) => {
    expect(await times(root, part)).toEqual(expected)
  })

  test('backwards begins at the last value', async () => {
    const { sizeOf } = await composed({ 'root.usda': reference('(offset = 24; scale = -1)'), 'part.usda': moving() })
    expect(sizeOf('A')).toBe(2)
  })

  test('is its own, with a note, when the scale is 0', async () => {
    const found = await composed({ 'root.usda': reference('(scale = 0)'), 'part.usda': moving() })
    expect([found.codes, found.times()]).toEqual([['layer_offset'], [0, 1]])
  })
})
