import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { geoTiffGrid, gtxGrid, ntv2Grid } from '../../../test/surveying/grid-files.ts'
import { gridFileError } from './check-grid.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-grids-'))
afterAll(() => rmSync(folder, { recursive: true }))

function whyOf(name: string, bytes: Uint8Array): string | undefined {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return gridFileError(path)
}

/** The file with some bytes replaced. */
function changed(bytes: Uint8Array, at: number, replacement: readonly number[]): Uint8Array {
  const copy = new Uint8Array(bytes)
  copy.set(replacement, at)
  return copy
}

const shift = { north: 1, east: 2 }
const kinds: [name: string, bytes: Uint8Array, needed: number][] = [
  // After the nodes is an END record, which PROJ does not need.
  ['whole.gsb', ntv2Grid(shift), ntv2Grid(shift).length - 16],
  ['whole.gtx', gtxGrid(40), gtxGrid(40).length],
  ['whole.tif', geoTiffGrid(shift), geoTiffGrid(shift).length],
]

test.each(kinds)('accepts a complete grid: %s', (name, bytes) => {
  expect(whyOf(name, bytes)).toBeUndefined()
})

test.each(kinds)('refuses a grid truncated anywhere: %s', (name, bytes, needed) => {
  const lengths = Array.from({ length: 60 }, (_, i) => Math.floor((i * needed) / 60))
  for (const length of [...lengths, needed - 1])
    expect([length, whyOf(name, bytes.subarray(0, length))]).toEqual([length, expect.any(String)])
})

test.each(['tif', 'gsb', 'gtx', 'ct2'])('refuses an empty file: .%s', (ending) => {
  expect(whyOf(`empty.${ending}`, new Uint8Array())).toBe('it is empty')
})

test.each([
  ['random.tif', 'it is not a TIFF file'],
  ['random.gsb', 'it is not an NTv2 file'],
  ['random.gtx', 'it is not a GTX file'],
])('refuses a file of another format: %s', (name, why) => {
  expect(whyOf(name, new Uint8Array(1000).fill(0x41))).toBe(why)
})

test('refuses an NTv2 file with the wrong number of nodes or too many subgrids', () => {
  const whole = ntv2Grid(shift)
  expect(whyOf('nodes.gsb', changed(whole, 21 * 16 + 8, [1, 0, 0, 0]))).toMatch('does not have the nodes')
  expect(whyOf('many.gsb', changed(whole, 2 * 16 + 8, [255, 255, 255, 127]))).toMatch('announces 2147483647 subgrids')
  expect(whyOf('two.gsb', changed(whole, 2 * 16 + 8, [2, 0, 0, 0]))).toBe('it ends early')
})

test('refuses a TIFF file with a cycle of directories, or with blocks of the wrong size', () => {
  const whole = geoTiffGrid(shift)
  const start = new DataView(whole.buffer, whole.byteOffset).getUint32(4, true)
  const fields = whole[start]! + whole[start + 1]! * 256
  const next = start + 2 + fields * 12
  const circle = changed(whole, next, [...new Uint8Array(Uint32Array.of(start).buffer)])
  expect(whyOf('circle.tif', circle)).toMatch('more than 10000 directories')
  expect(whyOf('strips.tif', changed(whole, start + 2 + 7 * 12 + 8, [1, 0]))).toBe(
    'its directory does not fit its size',
  )
  const field = (index: number) => start + 2 + index * 12 + 8
  const wide = changed(changed(whole, field(0), [255, 255]), field(1), [255, 255])
  expect(whyOf('huge.tif', changed(wide, field(7), [255, 255]))).toBe('one of its blocks is larger than 64 MiB')
})

test('refuses a missing file', () => {
  expect(gridFileError(join(folder, 'missing.gsb'))).toBe('it cannot be read (ENOENT)')
})
