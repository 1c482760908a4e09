import { describe, expect, test } from 'vitest'
import { convert } from '../index.ts'
import { squareGlb, withJson } from '../test/content/models.ts'
import { checkGlb } from './container.ts'

const reasonOf = (bytes: Uint8Array) => {
  const check = checkGlb(bytes)
  return check.ok ? undefined : check.reason
}

describe('the container check', () => {
  test('accepts a GLB and returns its version and length', async () => {
    const glb = await squareGlb()
    expect(checkGlb(glb)).toEqual({ ok: true, version: 2, length: glb.length })
  })

  test('names the format of another file', () => {
    expect(reasonOf(new Uint8Array())).toContain('is empty')
    expect(reasonOf(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))).toContain('PNG image')
    expect(reasonOf(Buffer.from('{"asset":{"version":"2.0"}}'))).toContain('packed into a .glb')
    expect(reasonOf(Buffer.from('PK\x03\x04', 'latin1'))).toContain('ZIP archive')
    expect(reasonOf(Buffer.from('\n<!DOCTYPE html><html>'))).toContain('a web page')
    expect(reasonOf(Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:0'))).toContain('Git LFS')
  })

  test('names the chunk in which a GLB is truncated, wherever it is cut', async () => {
    const glb = await squareGlb()
    const json = 20 + new DataView(glb.buffer, glb.byteOffset).getUint32(12, true)
    for (let length = 4; length < glb.length; length++) {
      const expected =
        length < 12
          ? '12-byte header'
          : length === 12 || length === json
            ? 'its header says'
            : length < 20
              ? 'header of chunk 1'
              : length < json
                ? 'in its JSON chunk'
                : length < json + 8
                  ? 'header of chunk 2'
                  : 'in its binary chunk'
      expect(reasonOf(glb.subarray(0, length)), `cut at ${length}`).toContain(expected)
    }
  })

  test('refuses other container and glTF versions with their number', async () => {
    const glb = await squareGlb()
    const old = glb.slice()
    old[4] = 1
    expect(reasonOf(old)).toContain('version 1')
    const future = withJson(glb, (json) => {
      json.asset = { version: '3.0' }
    })
    expect(reasonOf(future)).toContain('glTF 3.0')
  })

  test('a later minor version that 2.0 readers can read is converted, members it adds are ignored', async () => {
    const glb = withJson(await squareGlb(), (json) => {
      json.asset = { version: '2.1' }
      json.shades = [{ color: [1, 1, 1] }]
    })
    expect((await convert(glb)).report.triangles).toBe(2)
    const demanding = withJson(glb, (json) => {
      json.asset = { version: '2.1', minVersion: '2.1' }
    })
    await expect(convert(demanding)).rejects.toMatchObject({ code: 'unsupported' })
  })

  test('refuses a JSON chunk with invalid JSON', async () => {
    const glb = (await squareGlb()).slice()
    glb[20] = 0x5b
    expect(reasonOf(glb)).toContain('not valid JSON')
  })
})
