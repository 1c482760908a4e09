import { expect, test } from 'vitest'
import { checkPackage } from '../check/check-package.ts'
import { convert } from '../index.ts'
import { squareGlb } from '../test/content/models.ts'
import { composed } from '../test/judges/composed.ts'
import { openUsdz } from '../test/open-usdz.ts'

test('label and description of the model are on the default prim, and break no rule', async () => {
  const { usdz } = await convert(await squareGlb(), { label: 'Chair', description: 'Ein Stuhl für 4 °C' })
  const read = openUsdz(usdz)
  expect(read.text('/Root.accessibility:default:label')).toBe('Chair')
  expect(read.text('/Root.accessibility:default:description')).toBe('Ein Stuhl für 4 °C')
  expect(checkPackage(usdz)).toEqual([])
})

test('without them the package has no schema for them', async () => {
  const read = openUsdz((await convert(await squareGlb(), { label: '' })).usdz)
  expect(read.text('/Root.accessibility:default:label')).toBeUndefined()
})

test('OpenUSD reads them as the schema that is applied', { tags: ['long'] }, async () => {
  const { usdz } = await convert(await squareGlb(), { label: 'Chair', anchor: 'plane' })
  const { text, complaints } = await composed({ 'a.usdz': usdz })
  expect(complaints).toEqual([])
  expect(text).toMatch(/apiSchemas = \["Preliminary_AnchoringAPI", "AccessibilityAPI:default"\]/)
  expect(text).toContain('string accessibility:default:label = "Chair"')
})

test.each([
  ['label', { label: 4 }, 'The label must be a text of at most 1000 characters, not 4.'],
  [
    'description',
    { description: 'x'.repeat(1001) },
    'The description must be a text of at most 1000 characters, not "xxx',
  ],
])('a %s of another kind or length is refused', async (_name, options, message) => {
  const error: unknown = await convert(await squareGlb(), options as object).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'unsupported', message: expect.stringContaining(message) })
})
