import { afterAll, expect, test } from 'vitest'
import { openGridRegistry } from './grid-registry.ts'
import { PUBLISHED_GRIDS } from './published-grids.ts'

const register = openGridRegistry()
afterAll(register.close)

test.each(PUBLISHED_GRIDS)('PROJ knows $file of $publisher, and has transformations with it', ({ file }) => {
  expect(register.nameOf(file)).toBe(file)
  expect(register.usesOf(file)).not.toEqual([])
})

test.each([
  ['BETA2007.gsb', 'de_adv_BETA2007.tif'],
  ['beta2007.GSB', 'de_adv_BETA2007.tif'],
  ['CHENYX06a.gsb', 'ch_swisstopo_CHENyx06a.tif'],
  ['egm96_15.gtx', 'us_nga_egm96_15.tif'],
])('maps an older name in any case to that of PROJ: %s', (file, name) => {
  expect(register.nameOf(file)).toBe(name)
})

test('has no name for a file without transformations', () => {
  expect(register.nameOf('mine.gsb')).toBeUndefined()
  expect(register.nameOf('')).toBeUndefined()
})

test('lists uses with both reference systems and the accuracy, most accurate first', () => {
  expect(register.usesOf('uk_os_OSTN15_NTv2_OSGBtoETRS.tif')).toEqual([
    { name: 'OSGB36 to ETRS89 (2)', from: 'OSGB36', to: 'ETRS89', accuracy: 0.03 },
    { name: 'OSGB36 to WGS 84 (9)', from: 'OSGB36', to: 'WGS 84', accuracy: 1 },
  ])
})
