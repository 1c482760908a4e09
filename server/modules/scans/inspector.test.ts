import sharp from 'sharp'
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js'
import { PLYLoader } from 'three/examples/jsm/loaders/PLYLoader.js'
import { afterAll, describe, expect, test } from 'vitest'
import { convert } from '../../../usdz/index.ts'
import { boxGlb } from '../../test/content/glb.ts'
import { BOUNDS, lasFile, objFile, plyFile, splatFile, TRIANGLES } from '../../test/content/scan-files.ts'
import type { Preview } from './processing/inspection.ts'
import { createScanInspector } from './processing/scan-inspector.ts'

const inspector = createScanInspector()
afterAll(() => inspector.close())

async function* inPieces(bytes: Uint8Array, size = 64 * 1024) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const inspect = (bytes: Uint8Array, piece?: number) =>
  inspector.inspect(
    { bytes: inPieces(bytes, piece), size: bytes.length, fileName: 'nothing.bin', mimeType: 'text/plain' },
    AbortSignal.timeout(60_000),
  )

/** r g b of the pixel in the middle of the picture. */
async function middle(preview: Preview | null): Promise<number[]> {
  const image = sharp(preview!.bytes)
  const { width, height, format } = await image.metadata()
  expect({ width, height, format }).toEqual({ width: preview!.width, height: preview!.height, format: 'webp' })
  const left = Math.floor(width / 2) - 2
  const { data } = await image
    .extract({ left, top: Math.floor(height / 2) - 2, width: 4, height: 4 })
    .resize(1, 1)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data.subarray(0, 3)]
}

describe('meshes', () => {
  test.each(['ascii', 'binary_little_endian', 'binary_big_endian'] as const)(
    'a PLY in %s has the counts of the reference reader and is drawn in its colours, in chunks of any size',
    async (format) => {
      const file = plyFile({ format })
      const judged = new PLYLoader().parse(new Uint8Array(file).buffer)
      judged.computeBoundingBox()
      expect(judged.index!.count / 3).toBe(TRIANGLES)
      for (const piece of [1 + (file.length >> 1), 7]) {
        const found = await inspect(file, piece)
        expect(found).toMatchObject({
          fileType: 'PLY',
          triangles: judged.index!.count / 3,
          points: null,
          notes: [],
          position: null,
        })
        expect(found.bounds).toEqual({ min: judged.boundingBox!.min.toArray(), max: judged.boundingBox!.max.toArray() })
        const [r, g, b] = await middle(found.preview)
        expect(r! > 2 * g! && r! > 2 * b!).toBe(true)
      }
    },
  )

  test('an OBJ has the counts of the reference reader', async () => {
    const file = objFile()
    const found = await inspect(file)
    let triangles = 0
    new OBJLoader().parse(file.toString()).traverse((object) => {
      if ('geometry' in object)
        triangles += (object.geometry as ReturnType<PLYLoader['parse']>).getAttribute('position').count / 3
    })
    expect(triangles).toBe(TRIANGLES)
    expect(found).toMatchObject({ fileType: 'OBJ', triangles, bounds: BOUNDS, notes: [] })
    expect(found.preview).not.toBeNull()
  })

  test('points far from the origin keep their shape, because coordinates are doubles', async () => {
    const near = await inspect(plyFile({ type: 'double' }))
    const far = await inspect(plyFile({ type: 'double', shift: [4_500_000, 5_400_000, 300] }))
    expect(far.bounds).toEqual({ min: [4_499_999, 5_399_999, 300], max: [4_500_001, 5_400_001, 301.5] })
    expect(far.preview!.bytes).toEqual(near.preview!.bytes)
  })

  test('a GLB and its USDZ have the same counts and look the same', async () => {
    const glb = boxGlb()
    const [first, second] = [await inspect(glb), await inspect((await convert(glb)).usdz)]
    expect([first.fileType, second.fileType]).toEqual(['GLB', 'USDZ'])
    expect(second.triangles).toBe(first.triangles)
    for (const end of ['min', 'max'] as const)
      for (const axis of [0, 1, 2]) expect(second.bounds![end][axis]).toBeCloseTo(first.bounds![end][axis]!, 5)
    const [a, b] = [await middle(first.preview), await middle(second.preview)]
    expect(Math.max(...a.map((value, k) => Math.abs(value - b[k]!)))).toBeLessThan(12)
  })
})

describe('points', () => {
  test('a PLY without faces is a cloud; points with non-finite coordinates are left out, with a note', async () => {
    const points = Array.from({ length: 500 }, (_, i) => [Math.sin(i), Math.cos(i * 1.7), Math.sin(i * 0.3)])
    points[7] = [Number.NaN, 0, 0]
    points[8] = [0, Number.POSITIVE_INFINITY, 0]
    const found = await inspect(plyFile({ format: 'binary_little_endian', faces: false, points }))
    expect(found).toMatchObject({ fileType: 'PLY', points: 500, triangles: null })
    expect(found.bounds!.max.every((value) => value <= 1)).toBe(true)
    expect(found.notes).toEqual([expect.stringContaining('2 points')])
    expect(found.preview).not.toBeNull()
  })

  test('splats are detected by their properties and drawn in their colour', async () => {
    const found = await inspect(splatFile())
    expect(found).toMatchObject({ fileType: 'SPLAT', points: 3, bounds: { min: [-1, 0, 0], max: [1, 0, 0] } })
    const [r, g, b] = await middle(found.preview)
    expect(g! > 1.5 * r! && g! > 1.5 * b!).toBe(true)
  })

  test('a LAS file has a position from its reference system; a LAZ file is kept without a preview', async () => {
    const found = await inspect(lasFile())
    expect(found).toMatchObject({ fileType: 'LAS', points: 1000, bounds: { min: [391_000, 5_820_000, 30] } })
    // The centre of its bounds by Krüger's series (1912), computed independently.
    expect(found.position).toMatchObject({ altitude: 45, from: 'georeference' })
    expect(found.position!.lat).toBeCloseTo(52.519656, 5)
    expect(found.position!.long).toBeCloseTo(13.394264, 5)
    expect(found.preview).not.toBeNull()
    const kept = await inspect(lasFile({ isCompressed: true }))
    expect(kept).toMatchObject({ fileType: 'LAZ', points: 1000, preview: null, position: found.position })
    expect(kept.notes).toHaveLength(1)
  })
})

describe('photos', () => {
  const picture = () =>
    sharp({ create: { width: 900, height: 600, channels: 3, background: { r: 20, g: 90, b: 200 } } })

  test('place, height and time come from EXIF; the preview is upright and has no metadata', async () => {
    const photo = await picture()
      .jpeg()
      .withExif({
        IFD0: { Orientation: '6' },
        IFD2: { DateTimeOriginal: '2026:03:04 12:30:15', OffsetTimeOriginal: '+02:00' },
        IFD3: {
          GPSLatitudeRef: 'S',
          GPSLatitude: '33/1 51/1 2451/100',
          GPSLongitudeRef: 'E',
          GPSLongitude: '151/1 12/1 3600/100',
          GPSAltitudeRef: '1',
          GPSAltitude: '25/10',
        },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const found = await inspect(photo)
    expect(found).toMatchObject({ fileType: 'IMAGE', width: 600, height: 900, capturedAt: '2026-03-04T10:30:15.000Z' })
    expect(found.position!.lat).toBeCloseTo(-(33 + 51 / 60 + 24.51 / 3600), 6)
    expect(found.position!.long).toBeCloseTo(151.21, 6)
    expect(found.preview).toMatchObject({ width: 427, height: 640 })
    expect((await sharp(found.preview!.bytes).metadata()).exif).toBeUndefined()
    expect((await middle(found.preview))[2]).toBeGreaterThan(150)
  })

  test('a time without a time zone is ignored, with a note', async () => {
    const photo = await picture()
      .jpeg()
      .withExif({ IFD2: { DateTimeOriginal: '2026:03:04 12:30:15' } })
      .toBuffer()
    const found = await inspect(photo)
    expect(found).toMatchObject({ capturedAt: null, position: null, notes: [expect.stringContaining('time zone')] })
  })

  test('a truncated photo fails', async () => {
    const photo = await picture().png().toBuffer()
    await expect(inspect(photo.subarray(0, photo.length >> 1))).rejects.toMatchObject({
      name: 'ScanFault',
      code: 'damaged',
    })
  })
})

describe('files that are only kept, or fail', () => {
  test.each([
    ['ASTM-E57', 'E57'],
    ['unknown bytes', 'OTHER'],
    ['\0\0\0\x18ftypmp42\0\0\0\0isommp42\0\0\0\0', 'VIDEO'],
  ])('%j is kept as %s without being read whole', async (start, fileType) => {
    const file = Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(100)])
    expect(await inspect(file)).toMatchObject({ fileType, preview: null, notes: [expect.any(String)] })
  })

  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['a truncated GLB', Buffer.from('glTF\x02\0\0\0\xff\xff\0\0', 'latin1')],
    [
      'a PLY with fewer elements than its header declares',
      plyFile({ format: 'binary_little_endian', count: 4_000_000_000 }),
    ],
    ['a truncated PLY', plyFile().subarray(0, -30)],
    ['a PLY with an unterminated header', Buffer.from(`ply\nformat ascii 1.0\n${'comment x\n'.repeat(20_000)}`)],
    [
      'a PLY with a face that names a missing vertex',
      Buffer.from(plyFile().toString().replace('4 3 2 1 0', '4 3 2 1 5')),
    ],
    ['an OBJ with a face that names a missing vertex', Buffer.from('v 0 0 0\nv 1 0 0\nf 1 2 3\n')],
    ['a LAS with fewer points than its header declares', lasFile().subarray(0, -40)],
  ])('%s fails with a message for its owner', async (_, file) => {
    await expect(inspect(file)).rejects.toMatchObject({
      name: 'ScanFault',
      message: expect.stringMatching(/^[A-Z].*\.$/),
    })
  })

  test('ends a file that takes too long, and reads the next one', { tags: ['long'] }, async () => {
    const impatient = createScanInspector({ seconds: 0.01 })
    const file = { size: plyFile().length, fileName: '', mimeType: '' }
    const read = impatient.inspect({ ...file, bytes: inPieces(plyFile()) }, AbortSignal.timeout(60_000))
    await expect(read).rejects.toMatchObject({ code: 'late' })
    await impatient.close()
    expect((await inspect(plyFile())).triangles).toBe(TRIANGLES)
  })

  test('stops reading a file when its caller aborts', { tags: ['long'] }, async () => {
    const stop = new AbortController()
    async function* endless() {
      for (;;) {
        yield plyFile({ count: 4_000_000 })
        stop.abort(new Error('enough'))
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
    const file = { bytes: endless(), size: 1e9, fileName: '', mimeType: '' }
    await expect(inspector.inspect(file, stop.signal)).rejects.toThrow('enough')
  })
})
