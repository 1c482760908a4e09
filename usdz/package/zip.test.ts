import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readZip } from '../layers/read-zip.ts'
import { writePackage } from './zip.ts'

const names = fc.uniqueArray(fc.stringMatching(/^[a-zä]{1,70}\.usdc$/), { minLength: 1, maxLength: 5 })

test('stores every file uncompressed at a multiple of 64 bytes, in the given order', () => {
  fc.assert(
    fc.property(
      names,
      fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 5, maxLength: 5 }),
      (list, contents) => {
        const entries = list.map((name, i) => ({ name, parts: [contents[i]!, contents[(i + 1) % 5]!] }))
        const files = readZip(writePackage(entries))

        expect(files.map(({ name }) => name)).toEqual(list)
        for (const [i, file] of files.entries()) {
          expect(file.offset % 64).toBe(0)
          expect(file.method).toBe(0)
          expect(Buffer.from(file.data)).toEqual(Buffer.concat(entries[i]!.parts))
        }
      },
    ),
  )
})

test('does not depend on the date', () => {
  const entries = [{ name: 'model.usdc', parts: [Uint8Array.of(1, 2, 3)] }]
  expect(writePackage(entries)).toEqual(writePackage(entries))
  expect(Buffer.from(writePackage(entries)).readUInt16LE(12)).toBe(0x0021)
})

test('refuses a package of 4 GB before allocating it', () => {
  const gigabyte = new Uint8Array(new ArrayBuffer(2 ** 20))
  const parts = new Array<Uint8Array>(4096).fill(gigabyte)
  expect(() => writePackage([{ name: 'model.usdc', parts }])).toThrow('4 GB')
})
