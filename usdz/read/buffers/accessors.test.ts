import { describe, expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { putTogether } from '../../test/fuzz/glb-parts.ts'
import { openUsdz } from '../../test/open-usdz.ts'

type Item = Record<string, unknown>
type Parts = { accessors: Item[]; views: Item[]; bytes: Uint8Array; primitive?: Item; more?: Item }

/** A glTF of one mesh with its positions in accessor 0. */
const gltf = ({ accessors, views, bytes, primitive, more }: Parts): Item => ({
  asset: { version: '2.0' },
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0, name: 'Shape' }],
  meshes: [{ name: 'Shape', primitives: [{ attributes: { POSITION: 0 }, ...primitive }] }],
  accessors,
  bufferViews: views.map((view) => ({ buffer: 0, ...view })),
  buffers: [{ byteLength: bytes.length }],
  ...more,
})
const glbOf = (parts: Parts) => putTogether({ text: JSON.stringify(gltf(parts)), binary: parts.bytes })
const pointsOf = async (glb: Uint8Array) => [
  ...openUsdz((await convert(glb, { profile: 'spec' })).usdz).floats('/Root/Shape/Shape.points')!,
]
const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
const joined = (...arrays: ArrayBufferView[]) => new Uint8Array(Buffer.concat(arrays.map(bytesOf)))
const errorOf = async (glb: Uint8Array) => await convert(glb).catch((error: unknown) => error)

const triangle = [0, 0, 0, 1, 0, 0, 0, 1, 0]
const floats = { componentType: 5126, type: 'VEC3', count: 3 }

describe('accessors', () => {
  test('reads interleaved accessors, also if unaligned', async () => {
    // Each vertex: three bytes of colour and one of padding, then the position; two bytes into the view.
    const data = new DataView(new ArrayBuffer(2 + 3 * 16))
    for (const [i, value] of triangle.entries()) {
      data.setFloat32(2 + Math.floor(i / 3) * 16 + 4 + (i % 3) * 4, value, true)
    }
    const views = [{ byteOffset: 0, byteLength: data.byteLength, byteStride: 16 }]
    const glb = glbOf({ accessors: [{ ...floats, bufferView: 0, byteOffset: 6 }], views, bytes: bytesOf(data) })
    expect(await pointsOf(glb)).toEqual(triangle)
  })

  test('applies sparse values at their index, for any offset of the accessor', async () => {
    const bytes = joined(Float32Array.of(9, 9, 9, ...triangle), Uint16Array.of(2, 0), Float32Array.of(5, 6, 7))
    const views = [
      { byteOffset: 0, byteLength: 48 },
      { byteOffset: 48, byteLength: 2 },
      { byteOffset: 52, byteLength: 12 },
    ]
    const sparse = { count: 1, indices: { bufferView: 1, componentType: 5123 }, values: { bufferView: 2 } }
    const accessors = [{ ...floats, bufferView: 0, byteOffset: 12, sparse }]
    expect(await pointsOf(glbOf({ accessors, views, bytes }))).toEqual([0, 0, 0, 1, 0, 0, 5, 6, 7])
  })

  test('applies sparse values without data to zeros', async () => {
    const bytes = joined(Uint8Array.of(1, 2, 0, 0), Float32Array.of(1, 0, 0, 0, 1, 0))
    const views = [
      { byteOffset: 0, byteLength: 2 },
      { byteOffset: 4, byteLength: 24 },
    ]
    const sparse = { count: 2, indices: { bufferView: 0, componentType: 5121 }, values: { bufferView: 1 } }
    expect(await pointsOf(glbOf({ accessors: [{ ...floats, sparse }], views, bytes }))).toEqual(triangle)
  })

  test('reads half and double precision', async () => {
    const halfs = Uint16Array.of(0, 0x8000, 0x0001, 0x3c00, 0xbc00, 0x7bff, 0x0400, 0x3555, 0xc000, 0)
    const half = { ...floats, componentType: 5131, bufferView: 0 }
    const points = await pointsOf(glbOf({ accessors: [half], views: [{ byteLength: 18 }], bytes: bytesOf(halfs) }))
    expect(points).toEqual([0, -0, 2 ** -24, 1, -1, 65504, 2 ** -14, 0.333251953125, -2])

    const doubles = { ...floats, componentType: 5130, bufferView: 0 }
    const bytes = bytesOf(Float64Array.from(triangle))
    expect(await pointsOf(glbOf({ accessors: [doubles], views: [{ byteLength: 72 }], bytes }))).toEqual(triangle)
  })

  test('does not modify the bytes of the file', async () => {
    const bytes = joined(Float32Array.from(triangle), Int8Array.of(0, 0, 127, 0, 0, 0, 127, 0, 0, 0, 127, 0))
    const normals = { componentType: 5120, type: 'VEC3', count: 3, normalized: true, bufferView: 1 }
    const views = [{ byteLength: 36 }, { byteOffset: 36, byteLength: 12, byteStride: 4 }]
    const primitive = { attributes: { POSITION: 0, NORMAL: 1 } }
    const more = { nodes: [{ mesh: 0, scale: [-1, 1, 1] }] }
    const glb = glbOf({ accessors: [{ ...floats, bufferView: 0 }, normals], views, bytes, primitive, more })
    const before = glb.slice()
    await convert(glb)
    expect(Buffer.compare(before, glb)).toBe(0)
  })

  test('names accessors that cannot be read', async () => {
    const views = [{ byteLength: 36 }, { byteLength: 4 }]
    const bytes = bytesOf(Float32Array.from(triangle))
    const sparse = (places: Item) => ({
      count: 1,
      indices: { componentType: 5121, ...places },
      values: { bufferView: 0 },
    })
    const broken: [Item, string][] = [
      [{ ...floats, bufferView: 7 }, 'accessor 0: there is no buffer view 7.'],
      [{ ...floats, bufferView: 0, count: 4 }, 'accessor 0: it reads past the end of buffer view 0.'],
      [{ ...floats, bufferView: 0, byteOffset: -4 }, 'accessor 0: it has no valid byteOffset.'],
      [{ ...floats, bufferView: 0, componentType: 5124 }, 'accessor 0: its type or component type is unknown.'],
      [{ ...floats, bufferView: 0, count: 1.5 }, 'accessor 0: it has no valid count.'],
      [{ ...floats, bufferView: 0, sparse: sparse({}) }, 'accessor 0: its sparse values have no buffer view.'],
      [
        { ...floats, bufferView: 0, sparse: sparse({ bufferView: 1, byteOffset: 3 }) },
        'accessor 0: a sparse value is for element 63 of 3.',
      ],
      [
        { ...floats, bufferView: 0, sparse: sparse({ bufferView: 1, componentType: 5126 }) },
        'accessor 0: its sparse indices are not unsigned integers.',
      ],
    ]
    bytes[3] = 63
    for (const [accessor, message] of broken) {
      const error = await errorOf(glbOf({ accessors: [accessor], views, bytes }))
      expect(error, message).toMatchObject({ code: 'malformed', message })
    }
  })
})

describe('a .gltf', () => {
  const bytes = bytesOf(Float32Array.from(triangle))
  const parts = { accessors: [{ ...floats, bufferView: 0 }], views: [{ byteLength: 36 }], bytes }
  const withUri = (uri: string) => Buffer.from(JSON.stringify({ ...gltf(parts), buffers: [{ byteLength: 36, uri }] }))
  const base64 = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`

  test('with embedded data is read, also with a byte order mark', async () => {
    const escaped = `data:application/gltf-buffer,${[...bytes].map((byte) => `%${Buffer.of(byte).toString('hex')}`).join('')}`
    for (const uri of [base64, escaped]) {
      expect(await pointsOf(withUri(uri))).toEqual(triangle)
      expect(await pointsOf(Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), withUri(uri)]))).toEqual(triangle)
    }
  })

  test('with missing or external data is refused', async () => {
    expect(await errorOf(withUri('data:;base64,AAAA'))).toMatchObject({
      code: 'malformed',
      message: 'buffer 0: its data URI holds 3 of 36 bytes.',
    })
    expect(await errorOf(withUri('box.bin'))).toMatchObject({ code: 'unsupported' })
  })
})
