import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { geoidTiff } from '../../../scripts/geoid-tiff.ts'
import { createSurveyReaderPool, type SurveyReaders } from '../process/survey-reader.ts'

/** A geoid 41.25 m above the ellipsoid from 47° to 56° north and 5° to 16° east. */
const flat = { west: 5, north: 56, step: 1, columns: 12, rows: 10, metres: Array<number>(120).fill(41.25) }

let folder: string
let readers: SurveyReaders
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'geoid-'))
  writeFileSync(join(folder, 'de_bkg_gcg2016.tif'), geoidTiff(flat))
  readers = createSurveyReaderPool({ gridFolder: folder })
})
afterAll(async () => {
  await readers.close()
  rmSync(folder, { recursive: true })
})

test('uses the geoid model of a datum if its grid is installed, with its accuracy', { tags: ['long'] }, async () => {
  expect(await readers.heightOf('DHHN2016', { latitude: 52.5, longitude: 13.4, altitude: 34.25 })).toEqual({
    datum: 'EPSG:7837',
    h: expect.closeTo(34.25 + 41.25, 2),
    transformation: { operation: 'ETRS89/DREF91/2016 to DHHN2016 height (1)', accuracy: 0.02 },
  })
})

test('falls back to EGM96 without the grid or outside it', { tags: ['long'] }, async () => {
  for (const [datum, latitude] of [
    ['NAP', 52.5],
    ['DHHN2016', 40],
  ] as const)
    expect(await readers.heightOf(datum, { latitude, longitude: 6, altitude: 1 })).toMatchObject({
      transformation: { operation: 'WGS 84 to EGM96 height (1)', accuracy: 2 },
    })
})

test('refuses an unknown datum with a message', async () => {
  expect(await readers.heightOf('Berlin', null)).toEqual({ refusal: expect.stringContaining('DHHN2016 height') })
})
