// @module-tag long
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConversionError, convert } from '../index.ts'
import { givenModel, image, squareGlb, withJson } from '../test/content/models.ts'

/** Converts, and returns any error except a ConversionError. */
async function faultOf(glb: Uint8Array): Promise<unknown> {
  try {
    await convert(glb, { limits: { triangles: 100_000, texturePixels: 1_000_000 } })
    return undefined
  } catch (error) {
    return error instanceof ConversionError ? undefined : error
  }
}

async function texturedGlb(): Promise<Uint8Array> {
  const model = givenModel()
  const texture = model.document.createTexture('a').setImage((await image([1, 2, 3])) as Uint8Array<ArrayBuffer>)
  const material = model.document.createMaterial('Paint').setBaseColorTexture(texture.setMimeType('image/png'))
  const parent = model.node('Parent').setTranslation([1, 2, 3])
  model.node('Square', model.mesh('Square', model.square(material.setBaseColorFactor([1, 0.5, 1, 1]))), parent)
  return await model.glb()
}

describe('damaged files are refused and never crash the converter:', () => {
  test('truncated anywhere', async () => {
    const glb = await texturedGlb()
    for (let length = 0; length < glb.length; length += 7) {
      await expect(convert(glb.subarray(0, length)), `cut at ${length}`).rejects.toBeInstanceOf(ConversionError)
    }
  })

  test('with changed bytes anywhere', async () => {
    const glb = await texturedGlb()
    const changes = fc.array(fc.tuple(fc.nat(glb.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const damaged = glb.slice()
        for (const [at, value] of list) damaged[at] = value
        expect(await faultOf(damaged)).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  test('with any member of the JSON replaced or removed', async () => {
    const glb = await texturedGlb()
    const places: (string | number)[][] = []
    withJson(glb, (json) => places.push(...pathsIn(json)))
    const values = fc.constantFrom<unknown>(
      -1,
      0,
      1,
      3,
      255,
      5121,
      65536,
      4294967295,
      1e308,
      0.5,
      null,
      '',
      'x',
      [],
      {},
      [0],
      gone,
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), values, async (place, value) => {
        const damaged = withJson(glb, (json) => {
          const parent = place.slice(0, -1).reduce((at: Json, key) => at[key] as Json, json)
          const last = place.at(-1)!
          if (value === gone) delete parent[last]
          else parent[last] = structuredClone(value)
        })
        expect(await faultOf(damaged)).toBeUndefined()
      }),
      { numRuns: 600 },
    )
  })
})

type Json = Record<string | number, unknown>
const gone = Symbol('gone')

/** The paths to all members and items of a value. */
function pathsIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...pathsIn(inner, [...path, key])])
}

describe('a small file cannot request', () => {
  const refused = async (change: (json: Record<string, unknown>) => void) => {
    const error = await convert(withJson(await squareGlb(), change)).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConversionError)
    return error as ConversionError
  }
  const accessors = (json: Record<string, unknown>) => json.accessors as Record<string, unknown>[]
  const nodes = (json: Record<string, unknown>) => json.nodes as Record<string, unknown>[]

  test('gigabytes of zeros', async () => {
    const { code } = await refused((json) => {
      accessors(json).push({ type: 'MAT4', componentType: 5126, count: 1e9 })
    })
    expect(code).toBe('too_large')
  })

  test('gigabytes of parser memory for brackets and commas', async () => {
    const inner = (text: string) => refused((json) => Object.assign(json, { extras: JSON.parse(text) }))
    expect(await inner(`${'['.repeat(300)}${']'.repeat(300)}`)).toMatchObject({ code: 'too_large' })
    expect(await inner(`[${'0,'.repeat(5_000_001)}0]`)).toMatchObject({ code: 'too_large' })
  })

  test('data outside its buffer', async () => {
    const { message } = await refused((json) => {
      // One more than the square has.
      accessors(json)[0]!.count = 5
    })
    expect(message).toBe('accessor 0: it reads past the end of buffer view 0.')
  })

  test('results that overflow although each number is finite', async () => {
    const { code, message } = await refused((json) => {
      const [material] = json.materials as Record<string, unknown>[]
      material!.emissiveFactor = [1e308, 1, 1]
    })
    expect(code).toBe('malformed')
    expect(message).toContain('too large: /Root/Materials/Paint/Surface.inputs:emissiveColor')
  })

  test('cycles of nodes', async () => {
    const { message } = await refused((json) => {
      nodes(json).push({ children: [nodes(json).length + 1] }, { children: [nodes(json).length] })
    })
    expect(message).toContain('its own ancestor')
  })

  test('a node with two parents', async () => {
    const { message } = await refused((json) => {
      nodes(json).push({ children: [0] }, { children: [0] })
    })
    expect(message).toBe('node 0 "Square": it is the child of more than one node.')
  })

  test('nodes nested so deeply that readers overflow their stack', async () => {
    const { code } = await refused((json) => {
      const first = nodes(json).length
      for (let i = 0; i < 1001; i++) nodes(json).push({ children: [i === 1000 ? 0 : first + i + 1] })
      json.scenes = [{ nodes: [first] }]
    })
    expect(code).toBe('too_large')
  })
})
